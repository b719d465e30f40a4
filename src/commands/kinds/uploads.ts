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
  /** Largest size in bytes, where the service says one. */
  readonly most?: number;
}

/** @throws EduError `usage` naming every file that can't be sent */
export function uploads(flags: readonly UploadFlag[], values: Values, context: Context): Record<string, FilePart> {
  const parts: Record<string, FilePart> = {};
  const problems: Problem[] = [];
  for (const { flag, field, expected, most } of flags) {
    const path = textOf(values, flag);
    if (path === undefined) continue;
    const found = attachment(`--${flag}`, path, expected, most);
    if (isProblem(found)) problems.push(found);
    else parts[field] = found;
  }
  if (problems.length > 0) throw problemsError(problems, context.path);
  return parts;
}
