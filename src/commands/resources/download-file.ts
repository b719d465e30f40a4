/**
 * Runs `edu files download`. Writes to a temporary file, which is renamed when it is complete. A name from the service
 * cannot lead out of the folder, and files are overwritten only with `--force`.
 */
import { createWriteStream, existsSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Context } from '../../cli/context.js';
import { shown } from '../../cli/read-value.js';
import type { Download } from '../../client/request/client.js';
import { safeFilename } from '../../client/request/download.js';
import { FILE_PATH } from '../../contract/files.js';
import { integer, object, text } from '../../contract/vocabulary.js';
import { EduError, usageError } from '../../core/errors.js';
import { renameExclusive, replaceFile } from '../../core/fs/atomic-rename.js';
import { codeOf, describeErrno, diskFullHint, isFull } from '../../core/fs/disk-errors.js';
import { processTag, removeAbandoned } from '../../core/fs/temporary.js';

export interface DownloadRequest {
  readonly file: string;
  /** File or folder; `-` for stdout; default: the current folder. */
  readonly to: string | undefined;
  readonly force: boolean;
}

const SAVED = object({ path: text('where the file is'), bytes: integer('its size') }, 'a downloaded file');

const isAddress = (file: string): boolean => /^https?:\/\//i.test(file);

function nameIn(file: string): string {
  const last = isAddress(file) ? (new URL(file).pathname.split('/').at(-1) ?? '') : file;
  // Not a hidden file, and not a name that a shell's `*` would turn into a flag.
  const safe = last.replace(/[^\p{L}\p{N}._-]/gu, '_').replace(/^[.-]+/, '_');
  return safeFilename(safe.slice(0, 120)) ?? 'download';
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

const existsAlready = (path: string): EduError =>
  usageError(`${shown(path)} exists already.`, 'Pass --force to overwrite it, or choose another name with --to.');

function target({ file, to, force }: DownloadRequest, filename: string | undefined): string {
  const name = filename ?? nameIn(file);
  const path = to === undefined ? name : isFolder(to) || /[/\\]$/.test(to) ? join(to, name) : to;
  if (!isFolder(dirname(path))) throw usageError(`The folder ${shown(dirname(path))} does not exist.`);
  if (isFolder(path)) throw usageError(`${shown(path)} is a folder.`);
  if (existsSync(path) && !force) throw existsAlready(path);
  return path;
}

async function save(download: Download, path: string, force: boolean, context: Context): Promise<number> {
  const [folder, name] = [dirname(path), `.${basename(path)}.`];
  removeAbandoned(folder, (left) => left.startsWith(name) && left.endsWith('.part'));
  const partial = join(folder, `${name}${processTag()}.${context.machine.unique().slice(0, 8)}.part`);
  const file = createWriteStream(partial, { flags: 'wx' });
  const { size } = download;
  const label = `Downloading ${basename(path)}`;
  const progress = size === undefined ? undefined : (await context.progress()).bar(label, size, 'bytes');
  let bytes = 0;
  try {
    const { pipeline } = await import('node:stream/promises');
    const counted = async function* () {
      for await (const chunk of download.body) {
        bytes += chunk.length;
        progress?.at(bytes);
        yield chunk;
      }
    };
    await pipeline(counted(), file, { signal: context.signal });
    if (force) replaceFile(partial, path);
    else renameExclusive(partial, path);
    return bytes;
  } catch (error) {
    rmSync(partial, { force: true });
    throw fileError(error, path);
  } finally {
    progress?.done();
  }
}

function fileError(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (code === 'EEXIST') return existsAlready(path);
  if (isFull(error) || code === 'EIO') {
    const hint = diskFullHint(error, 'Fix the cause and run the command again.');
    return new EduError('internal', `${shown(path)} was not written: ${describeErrno(error)}.`, { hint, cause: error });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return usageError(`Cannot write ${shown(path)} (${code}).`, 'Name a file in another folder with --to.');
  return error;
}

export async function downloadFile(request: DownloadRequest, context: Context): Promise<void> {
  const { file, to, force } = request;
  if (to === '-' && context.io.stdout.isTTY) {
    throw usageError(
      '--to - cannot write to a terminal, because the file may contain control characters.',
      'Give --to a file name, or redirect the output: … --to - > FILE',
    );
  }
  if (to !== undefined && to !== '-' && !isFolder(to)) target(request, undefined);
  const client = await context.client();
  const address = isAddress(file) ? file : `${FILE_PATH}${encodeURIComponent(file)}`;
  const download = await context.during('Asking for the file', client.download(address, { signal: context.signal }));
  if (to === '-') {
    for await (const chunk of download.body) await context.io.stdout.write(chunk);
    return;
  }
  const path = target(request, download.filename);
  const bytes = await save(download, path, force, context);
  const printer = await context.printer();
  await printer.item({ path, bytes }, SAVED);
}
