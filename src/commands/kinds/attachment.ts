/** A file to upload: checked before anything is sent, then streamed. */
import { closeSync, constants, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { shown } from '../../cli/read-value.js';
import type { FILE_TYPES } from '../../contract/files.js';
import type { FilePart } from '../../contract/vocabulary.js';
import type { Problem } from '../../core/errors.js';
import { codeOf } from '../../core/fs/disk-errors.js';

export type FileType = (typeof FILE_TYPES)[number];

/** Bytes that are read and sent at a time; each step waits for a turn of the event loop. */
const CHUNK = 256 * 1024;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.ogg': 'audio/ogg',
  '.wav': 'audio/wav',
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
};

const contentType = (path: string): string => CONTENT_TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream';

/** What the service calls a file of this name: Audio, Image, Video, and Document for all others. */
export function fileType(path: string): FileType {
  const [kind = ''] = contentType(path).split('/');
  return kind === 'audio' ? 'Audio' : kind === 'image' ? 'Image' : kind === 'video' ? 'Video' : 'Document';
}

/** What a file must be: `pdf` and `image` by their first bytes, `any` for all files. */
export type Expected = 'pdf' | 'image' | 'any';

const PDF = Buffer.from('%PDF-');
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

const startsWith = (head: Buffer, mark: Buffer): boolean => head.subarray(0, mark.length).equals(mark);

/** The content type by the first bytes, or undefined when the file is not what is expected. */
function recognise(head: Buffer, expected: Expected, path: string): string | undefined {
  if (expected === 'any') return contentType(path);
  // The header of a PDF may stand behind some other bytes (ISO 32000, annex H: within the first 1024).
  if (expected === 'pdf') return head.includes(PDF) ? 'application/pdf' : undefined;
  if (startsWith(head, PNG)) return 'image/png';
  return startsWith(head, JPEG) ? 'image/jpeg' : undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read',
  EPERM: 'may not be read',
  EISDIR: 'is a folder',
  ENAMETOOLONG: 'has a name that is too long',
  ENOTDIR: 'does not exist',
  ELOOP: 'is a loop of symbolic links',
};

const reason = (error: unknown): string => {
  const code = codeOf(error) ?? '';
  return REASONS[code] ?? `can't be read (${code || 'unknown error'})`;
};

/** Opens, checks and closes the file; the bytes are read when the request is sent. */
function inspect(path: string, expected: Expected, most: number | undefined): FilePart | string {
  // Not blocking: a named pipe without a writer must not hang the command.
  const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(handle);
    if (stat.isDirectory()) return 'is a folder';
    if (!stat.isFile()) return 'is not a regular file';
    if (stat.size === 0) return 'is empty';
    if (most !== undefined && stat.size > most) {
      return `has ${stat.size} bytes; the maximum is ${most} (${most / 1024 / 1024} MB)`;
    }
    const head = Buffer.alloc(Math.min(1024, stat.size));
    readSync(handle, head, 0, head.length, 0);
    const type = recognise(head, expected, path);
    if (type === undefined) return expected === 'pdf' ? 'is not a PDF' : 'is neither a JPEG nor a PNG image';
    return {
      filename: basename(path),
      contentType: type,
      size: stat.size,
      open: () => createReadStream(path, { highWaterMark: CHUNK }),
    };
  } finally {
    closeSync(handle);
  }
}

/**
 * The file for a flag or argument.
 * @param where the flag as the user wrote it, for the message
 * @param most the largest size in bytes
 * @returns the part to send, or what is wrong with the file
 */
export function attachment(where: string, path: string, expected: Expected, most?: number): FilePart | Problem {
  if (path === '') return { where, message: 'is empty; give the name of a file' };
  let found: FilePart | string;
  try {
    found = inspect(path, expected, most);
  } catch (error) {
    found = reason(error);
  }
  return typeof found === 'string' ? { where, message: `${shown(path)} ${found}` } : found;
}

export const isProblem = (result: FilePart | Problem): result is Problem => 'message' in result;
