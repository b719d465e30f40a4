/** Uploaded files: streamed to the store's folder, measured, and identified by their first bytes. */
import { createWriteStream, openSync, renameSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { formatOf, MAX_SIGNATURE_BYTES } from '../core/file-signature.js';
import { newId } from './identifiers.js';
import type { ServiceContext } from './service-context.js';
import type { StoredFile } from './store/records.js';
import { stateErrorOf } from './store/state-error.js';

export type Storage = Pick<ServiceContext, 'store' | 'random'>;

/** The facts of a file before it has an ID and an owner. */
export type Upload = Pick<StoredFile, 'filename' | 'contentType' | 'size' | 'format' | 'blob'>;

/** Streams a file to disk under a temporary name. @param tooLarge makes the error for more than `maxBytes` */
export async function saveUpload(
  { store, random }: Storage,
  bytes: AsyncIterable<Uint8Array>,
  facts: Pick<Upload, 'filename' | 'contentType'>,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Upload> {
  const blob = newId(random);
  const path = store.blobs.partial(blob);
  let size = 0;
  let head = Buffer.alloc(0);
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      if (head.length < MAX_SIGNATURE_BYTES) head = Buffer.concat([head, chunk.subarray(0, MAX_SIGNATURE_BYTES)]);
      yield chunk;
    }
  }
  try {
    // Opened now: a stream that opens the file itself might do so after a failed upload has been removed.
    await pipeline(measured, createWriteStream(path, { fd: openSync(path, 'wx', 0o600) }));
  } catch (error) {
    rmSync(path, { force: true });
    throw stateErrorOf(path, error) ?? error;
  }
  return { ...facts, size, format: formatOf(head), blob };
}

/** Makes the upload a blob. To be called inside the write that names it. */
export const keepUpload = ({ store }: ServiceContext, { blob }: Upload): void =>
  renameSync(store.blobs.partial(blob), store.blobs.path(blob));

/** Removes an upload, whether or not it is a blob yet. */
export function discardUpload({ store }: Storage, { blob }: Upload): void {
  rmSync(store.blobs.partial(blob), { force: true });
  store.blobs.remove(blob);
}
