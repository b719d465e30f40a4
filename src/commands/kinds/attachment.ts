/** A file to upload: checked before anything is sent, then streamed. */
import { closeSync, constants, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { type Flag, textOf, type Values } from '../../cli/command.js';
import { problemsError } from '../../cli/parser.js';
import { shown } from '../../cli/read-value.js';
import type { FILE_TYPES } from '../../contract/files.js';
import type { FilePart } from '../../contract/vocabulary.js';
import type { Problem } from '../../core/errors.js';
import { containsPdfHeader, formatOf } from '../../core/file-signature.js';
import { describeErrno } from '../../core/fs/disk-errors.js';
import contentTypes from './content-types.json' with { type: 'json' };

type FileType = (typeof FILE_TYPES)[number];

/** Larger than the default of 64 KiB, because each read takes a turn of the event loop. */
const CHUNK_BYTES = 256 * 1024;

const CONTENT_TYPES: Readonly<Record<string, string>> = contentTypes;

const contentType = (path: string): string => CONTENT_TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream';

/** The service's `fileType` by the extension; Document for all others. */
export function fileType(path: string): FileType {
  const [kind = ''] = contentType(path).split('/');
  return kind === 'audio' ? 'Audio' : kind === 'image' ? 'Image' : kind === 'video' ? 'Video' : 'Document';
}

/** The required file format; `pdf` and `image` are checked by the first bytes. */
export type Expected = 'pdf' | 'image' | 'any';

function contentTypeOf(head: Buffer, expected: Expected, path: string): string | undefined {
  if (expected === 'any') return contentType(path);
  if (expected === 'pdf') return containsPdfHeader(head) ? 'application/pdf' : undefined;
  const format = formatOf(head);
  return format === 'png' || format === 'jpeg' ? `image/${format}` : undefined;
}

/** Checks the file without reading it all; it is read again when the request is sent. */
function inspect(path: string, expected: Expected, maxBytes: number | undefined): FilePart | string {
  // O_NONBLOCK, because opening a named pipe without a writer would hang.
  const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(handle);
    if (stat.isDirectory()) return 'is a folder';
    if (!stat.isFile()) return 'is not a regular file';
    if (stat.size === 0) return 'is empty';
    if (maxBytes !== undefined && stat.size > maxBytes) {
      return `has ${stat.size} bytes; the maximum is ${maxBytes} (${maxBytes / 1024 / 1024} MB)`;
    }
    const head = Buffer.alloc(Math.min(1024, stat.size));
    readSync(handle, head, 0, head.length, 0);
    const type = contentTypeOf(head, expected, path);
    if (type === undefined) return expected === 'pdf' ? 'is not a PDF' : 'is neither a JPEG nor a PNG image';
    return {
      filename: basename(path),
      contentType: type,
      size: stat.size,
      open: () => createReadStream(path, { highWaterMark: CHUNK_BYTES }),
    };
  } finally {
    closeSync(handle);
  }
}

/** The part to send, or the problem with the file. @param where the flag as the user wrote it */
export function attachment(where: string, path: string, expected: Expected, maxBytes?: number): FilePart | Problem {
  if (path === '') return { where, message: 'is empty; give the name of a file' };
  let found: FilePart | string;
  try {
    found = inspect(path, expected, maxBytes);
  } catch (error) {
    found = `cannot be read: ${describeErrno(error)}`;
  }
  return typeof found === 'string' ? { where, message: `${shown(path)} ${found}` } : found;
}

export const isProblem = (result: FilePart | Problem): result is Problem => 'message' in result;

/** The parts of the given file flags. @throws EduError `usage` naming every file that cannot be sent */
export function uploads(flags: readonly Flag[], values: Values, path: string): Record<string, FilePart> {
  const parts: Record<string, FilePart> = {};
  const problems: Problem[] = [];
  for (const { name, kind, maxBytes, target = '' } of flags) {
    const file = textOf(values, name);
    if (file === undefined || (kind !== 'pdf' && kind !== 'image')) continue;
    const found = attachment(`--${name}`, file, kind, maxBytes);
    if (isProblem(found)) problems.push(found);
    else parts[target.slice(target.indexOf('.') + 1)] = found;
  }
  if (problems.length > 0) throw problemsError(problems, path);
  return parts;
}
