/** Turns file flags into parts of a multipart body. All files are checked before anything is sent. */
import { textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { problemsError } from '../../cli/parser.js';
import type { FilePart } from '../../contract/vocabulary.js';
import type { Problem } from '../../core/errors.js';
import { attachment, type Expected, isProblem } from './attachment.js';

export interface UploadFlag {
  readonly flag: string;
  /** Name of the part in the body. */
  readonly field: string;
  readonly expected: Expected;
  /** If the API document limits the size. */
  readonly maxBytes?: number;
}

/** @throws EduError `usage` naming every file that cannot be sent */
export function uploads(flags: readonly UploadFlag[], values: Values, context: Context): Record<string, FilePart> {
  const parts: Record<string, FilePart> = {};
  const problems: Problem[] = [];
  for (const { flag, field, expected, maxBytes } of flags) {
    const path = textOf(values, flag);
    if (path === undefined) continue;
    const found = attachment(`--${flag}`, path, expected, maxBytes);
    if (isProblem(found)) problems.push(found);
    else parts[field] = found;
  }
  if (problems.length > 0) throw problemsError(problems, context.path);
  return parts;
}
