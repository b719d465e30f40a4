/** Buffers pages for a slow reader, because cursors are short-lived: some in memory, more in a temporary file. */
import type { FileHandle } from 'node:fs/promises';
import { exactJson, parseJson } from '../../core/exact-json.js';

/** Bytes of responses buffered in memory before pages go to the file. */
const MAX_BYTES_IN_MEMORY = 4 * 1024 * 1024;

type Items = readonly unknown[];

export interface PageBufferOptions {
  /** Folder for the temporary file; the system's if undefined. */
  readonly folder?: string | undefined;
  readonly maxBytesInMemory?: number | undefined;
}

/** A page in the file. */
interface FilePart {
  readonly at: number;
  readonly length: number;
}

/** A page in memory, with the size of its response. */
interface Held {
  readonly items: Items;
  readonly bytes: number;
}

/**
 * Pages in a temporary file. It is private and, where the system allows it, unlinked while in use, so that it is removed
 * even after SIGKILL.
 * @throws the system's error if the file cannot be created
 */
async function openPageFile(folder: string | undefined) {
  const { open, unlink } = await import('node:fs/promises');
  const { join } = await import('node:path');
  const { randomUUID } = await import('node:crypto');
  const { tmpdir } = await import('node:os');
  const path = join(folder ?? tmpdir(), `edu-list-${randomUUID()}.tmp`);
  const file: FileHandle = await open(path, 'wx+', 0o600);
  // Windows does not allow this for an open file.
  const isUnlinked = await unlink(path).then(
    () => true,
    () => false,
  );
  let end = 0;
  return {
    /** @throws the system's error, as for a full disk; the next page is then written over the incomplete one */
    async add(items: Items): Promise<FilePart> {
      const bytes = Buffer.from(items.map((item) => exactJson(item)).join('\n'));
      for (let done = 0; done < bytes.length; )
        done += (await file.write(bytes, done, bytes.length - done, end + done)).bytesWritten;
      const place = { at: end, length: bytes.length };
      end += bytes.length;
      return place;
    },
    async read({ at, length }: FilePart): Promise<Items> {
      const bytes = Buffer.alloc(length);
      for (let done = 0; done < length; ) {
        const { bytesRead } = await file.read(bytes, done, length - done, at + done);
        if (bytesRead === 0) throw new Error(`the temporary file ${path} ended early`);
        done += bytesRead;
      }
      return bytes.toString().split('\n').map(parseJson);
    },
    async close(): Promise<void> {
      await file.close();
      if (!isUnlinked) await unlink(path).catch(() => {});
    },
  };
}

/** A queue of pages with one writer, which never waits for the reader, and one reader. */
export class PageBuffer {
  readonly #options: PageBufferOptions;
  #waiting: (Held | FilePart)[] = [];
  #bytesInMemory = 0;
  #file: Awaited<ReturnType<typeof openPageFile>> | undefined;
  #isForgotten = false;
  /** Set at the end, with the error that ended the list. */
  #end: { readonly error: unknown } | undefined;
  #wakeReader: () => void = () => {};

  constructor(options: PageBufferOptions) {
    this.#options = options;
  }

  /**
   * Appends a page that is not empty.
   * @param bytes its approximate size: that of the response
   */
  async push(items: Items, bytes: number): Promise<void> {
    if (this.#isForgotten) return;
    const { maxBytesInMemory = MAX_BYTES_IN_MEMORY } = this.#options;
    const place = this.#bytesInMemory > maxBytesInMemory ? await this.#writeToFile(items) : undefined;
    if (place === undefined) this.#bytesInMemory += bytes;
    this.#waiting.push(place ?? { items, bytes });
    this.#wakeReader();
  }

  /** Ends the queue; the reader gets an error after the last page. */
  end(error?: unknown): void {
    this.#end = { error };
    this.#wakeReader();
  }

  /** The next page; undefined after the last. @throws the error that ended the list */
  async take(): Promise<Items | undefined> {
    while (this.#waiting.length === 0 && this.#end === undefined) {
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
    const next = this.#waiting.shift();
    if (next === undefined) {
      if (this.#end?.error !== undefined) throw this.#end.error;
      return undefined;
    }
    if ('at' in next) return this.#file?.read(next);
    this.#bytesInMemory -= next.bytes;
    return next.items;
  }

  /** Drops waiting and further pages, because the reader has stopped. */
  forget(): void {
    this.#isForgotten = true;
    this.#waiting = [];
  }

  /** Removes the file. Must be called after the writer has ended. */
  async close(): Promise<void> {
    await this.#file?.close();
  }

  /** @returns undefined if the file cannot be written; the page then stays in memory, because the list must be complete */
  async #writeToFile(items: Items): Promise<FilePart | undefined> {
    try {
      this.#file ??= await openPageFile(this.#options.folder);
      return await this.#file.add(items);
    } catch {
      return undefined;
    }
  }
}
