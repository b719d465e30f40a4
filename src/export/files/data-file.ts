/** Writes a data file of an export under a partial name, renamed when it is complete and on disk. */
import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withPath } from '../../core/fs/disk-errors.js';
import { openNew, replaceFile } from '../../core/fs/write-file.js';
import { type Line, writeFully } from '../../core/sort/sorted-run.js';
import type { FileFormat } from './file-format.js';
import type { FileFacts } from './manifest.js';

export interface Target {
  readonly folder: string;
  readonly file: string;
  readonly gzip: boolean;
}

export const PARTIAL = '.partial';

const partialOf = ({ folder, file }: Target): string => join(folder, file + PARTIAL);

/** Removes the partial file. */
export const discard = (target: Target): Promise<void> => rm(partialOf(target), { force: true });

/** The tenth byte of gzip is the operating system; 255 for "unknown" (RFC 1952) gives the same bytes on every machine. */
const GZIP_SYSTEM = 9;
const UNKNOWN_SYSTEM = 255;

/** Its `write` resolves when the buffer may be reused, and its `end` when the file is on disk. */
async function openSink(path: string, gzip: boolean) {
  const file = await openNew(path);
  const hash = createHash('sha256');
  let size = 0;
  const store = async (bytes: Buffer): Promise<void> => {
    hash.update(bytes);
    size += bytes.length;
    await writeFully(file, bytes, path);
  };
  const finish = async () => {
    await file.sync().catch((error: unknown) => {
      throw withPath(error, path);
    });
    await file.close();
    return { bytes: size, sha256: hash.digest('hex') };
  };
  if (!gzip) return { write: store, end: finish, abandon: () => file.close() };
  const { createGzip } = await import('node:zlib');
  const packer = createGzip();
  const stored = (async () => {
    let isFirst = true;
    for await (const bytes of packer as AsyncIterable<Buffer>) {
      if (isFirst && bytes.length > GZIP_SYSTEM) bytes[GZIP_SYSTEM] = UNKNOWN_SYSTEM;
      isFirst = false;
      await store(bytes);
    }
  })();
  // The next `write` or `end` rejects with this error.
  stored.catch(() => {});
  const packed = (bytes: Buffer): Promise<void> =>
    new Promise((resolve, reject) => packer.write(bytes, (error) => (error ? reject(error) : resolve())));
  return {
    // If the disk is full, nothing reads from the packer any more, so its writer must not wait for it.
    write: (bytes: Buffer) => Promise.race([packed(bytes), stored]),
    async end() {
      packer.end();
      await stored;
      return finish();
    },
    async abandon() {
      packer.destroy();
      await stored.catch(() => {});
      await file.close();
    },
  };
}

export type DataFile = Awaited<ReturnType<typeof openDataFile>>;

/** Creates a file under its partial name. @param form the text around lines */
export async function openDataFile(target: Target, { before, separator, after, nothing }: FileFormat) {
  const sink = await openSink(partialOf(target), target.gzip);
  const between = Buffer.from(`${separator}\n`);
  /** The bytes of one call of `add`: new memory for each would stay until V8 frees it. */
  let memory = Buffer.alloc(0);
  let count = 0;
  return {
    /** Adds lines that end with line breaks. */
    async add(lines: readonly Buffer[]): Promise<void> {
      if (lines.length === 0) return;
      if (count === 0) await sink.write(Buffer.from(before));
      const apart = (line: Buffer, index: number): readonly Buffer[] =>
        count + index === 0 ? [line.subarray(0, -1)] : [between, line.subarray(0, -1)];
      const parts = separator === '' ? lines : lines.flatMap(apart);
      const size = parts.reduce((sum, { length }) => sum + length, 0);
      if (size > memory.length) memory = Buffer.allocUnsafeSlow(2 * size);
      let end = 0;
      for (const part of parts) end += part.copy(memory, end);
      await sink.write(memory.subarray(0, end));
      count += lines.length;
    },
    /** Finishes the file under its partial name. */
    async end(): Promise<FileFacts> {
      await sink.write(Buffer.from(count > 0 ? after : nothing));
      return { file: target.file, count, ...(await sink.end()) };
    },
    async abandon() {
      await sink.abandon().catch(() => {});
      await discard(target);
    },
  };
}

/** Renames a complete file to its final name. */
export async function publish(target: Target): Promise<void> {
  const { folder, file } = target;
  replaceFile(partialOf(target), join(folder, file));
  try {
    // So that the rename survives a power failure.
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows and some network file systems cannot sync folders.
  }
}

/** Writes a file of sorted lines under its partial name, which is removed if that fails. */
export async function writeDataFile(
  batches: AsyncIterable<readonly Line[]>,
  form: FileFormat,
  target: Target,
  signal?: AbortSignal,
): Promise<FileFacts> {
  const data = await openDataFile(target, form);
  try {
    for await (const batch of batches) {
      signal?.throwIfAborted();
      await data.add(batch.map(({ line }) => line));
    }
    return await data.end();
  } catch (error) {
    await data.abandon();
    throw error;
  }
}
