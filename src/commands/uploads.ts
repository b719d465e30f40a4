/** The files that a command's flags name → parts of a multipart body. All files are checked before anything is sent. */
import type { Context } from '../context.js';
import type { FilePart } from '../contract/vocabulary.js';
import type { Problem } from '../errors.js';
import { attachment, type Expected, isProblem } from './attachment.js';
import { textOf, type Values } from './definition.js';
import { problemsError } from './parser.js';

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
