/** Reads ZIP archives: entries by name, decompressed as streams and verified by checksum. */
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';

export interface ZipEntry {
  readonly name: string;
  /** Decompressed size in bytes according to the archive; reading fails if the content is larger. */
  readonly size: number;
  /** Its content. @throws Error for damaged, encrypted or unsupported content */
  readonly read: () => AsyncGenerator<Uint8Array>;
}

export interface ZipArchive {
  readonly entries: ReadonlyMap<string, ZipEntry>;
  readonly close: () => void;
}

/** No spreadsheet or roster has more entries. */
const MAX_ENTRIES = 10_000;

/** Large entries of workbooks and CSV files compress to a twentieth, those of decompression bombs to a thousandth. */
const MAX_RATIO = 100;
const LARGE_BYTES = 32 * 1024 ** 2;

/**
 * Opens an archive and reads its directory.
 * @param path of the archive, which stays open until `close`
 * @throws Error if it is damaged or not an archive, or the system's error
 */
export async function openZip(path: string): Promise<ZipArchive> {
  const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
  const entries = new Map<string, ZipEntry>();

  async function* contentOf(entry: yauzl.Entry): AsyncGenerator<Uint8Array> {
    if (entry.isEncrypted()) throw new Error(`${entry.fileName} is encrypted`);
    if (entry.uncompressedSize > Math.max(LARGE_BYTES, entry.compressedSize * MAX_RATIO))
      throw new Error(`${entry.fileName} expands ${Math.round(entry.uncompressedSize / entry.compressedSize)}-fold`);
    const stream: Readable = await zip.openReadStreamPromise(entry);
    let sum = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
    if (sum !== entry.crc32) throw new Error(`the checksum of ${entry.fileName} is wrong`);
  }

  try {
    if (zip.entryCount > MAX_ENTRIES) throw new Error(`it has ${zip.entryCount} entries`);
    for await (const entry of zip.eachEntry()) {
      const { fileName: name, uncompressedSize: size } = entry;
      // Programs differ in which of them they read.
      if (entries.has(name)) throw new Error(`it has two entries named ${name}`);
      if (!name.endsWith('/')) entries.set(name, { name, size, read: () => contentOf(entry) });
    }
  } catch (error) {
    zip.close();
    throw error;
  }
  return { entries, close: () => zip.close() };
}
