/** Uploaded files: streamed to the store's folder, measured, and recognized by their first bytes. */
import { createWriteStream, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { newId } from './identifiers.js';
import type { ServiceContext } from './service-context.js';
import type { StoredFile } from './store/records.js';
import { stateErrorOf } from './store/state-error.js';

/** Where the bytes of uploads go. */
export type Storage = Pick<ServiceContext, 'store' | 'random'>;

export interface Upload {
  readonly filename: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  readonly format: StoredFile['format'];
  /** Name of its bytes in the store's blobs. */
  readonly blob: string;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const PDF = Buffer.from('%PDF-');
const LONGEST_SIGNATURE = 8;

/** What a file is by its first bytes, regardless of its name. */
export function formatOf(head: Uint8Array): StoredFile['format'] {
  const starts = (signature: Buffer): boolean =>
    Buffer.from(head.buffer, head.byteOffset, head.length).subarray(0, signature.length).equals(signature);
  if (starts(PDF)) return 'pdf';
  if (starts(PNG)) return 'png';
  return starts(JPEG) ? 'jpeg' : 'other';
}

/**
 * Streams a file to disk. It stays incomplete (`keepUpload` makes it a blob) until the whole request was read.
 * @param most bytes that it may have
 * @param tooLarge makes the error that ends the stream when it has more
 */
export async function saveUpload(
  { store, random }: Storage,
  bytes: AsyncIterable<Uint8Array>,
  facts: Pick<Upload, 'filename' | 'contentType'>,
  most: number,
  tooLarge: () => Error,
): Promise<Upload> {
  const blob = newId(random);
  const path = store.blobs.partial(blob);
  let size = 0;
  let head = Buffer.alloc(0);
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > most) throw tooLarge();
      if (head.length < LONGEST_SIGNATURE) head = Buffer.concat([head, chunk.subarray(0, LONGEST_SIGNATURE)]);
      yield chunk;
    }
  }
  try {
    // Opened at once: a stream that opens it later could do so after the upload broke off and the file was removed.
    await pipeline(measured, createWriteStream(path, { fd: openSync(path, 'wx', 0o600) }));
  } catch (error) {
    rmSync(path, { force: true });
    throw stateErrorOf(path, error) ?? error;
  }
  return { ...facts, size, format: formatOf(head), blob };
}

/**
 * Makes the upload a blob under its name. Its temporary name stays until `finishUpload`: killed in between, the process
 * has left a file that says so.
 */
export function keepUpload({ store }: ServiceContext, { blob }: Upload): void {
  const [from, to] = [store.blobs.partial(blob), store.blobs.path(blob)];
  try {
    linkSync(from, to);
  } catch {
    // Some file systems have no links (FAT).
    renameSync(from, to);
  }
}

/** Removes the temporary name of an upload. */
export const finishUpload = ({ store }: Storage, { blob }: Upload): void =>
  rmSync(store.blobs.partial(blob), { force: true });

/** Removes an upload, kept or not. */
export function discardUpload(core: Storage, upload: Upload): void {
  finishUpload(core, upload);
  core.store.blobs.remove(upload.blob);
}
