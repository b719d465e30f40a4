/** Buffers pages for a slow reader, because cursors are short-lived: some in memory, more in a temporary file. */
import { openPageSpill, type PageSpill } from './page-spill.js';

/** Bytes of responses buffered in memory before pages go to the file. */
const MAX_BYTES_IN_MEMORY = 4 * 1024 * 1024;

type Items = readonly unknown[];

export interface PageBufferOptions {
  /** Folder for the temporary file; the system's if undefined. */
  readonly folder?: string | undefined;
  readonly maxBytesInMemory?: number | undefined;
}

/** A queue of pages with one writer and one reader. */
export class PageBuffer {
  readonly #options: PageBufferOptions;
  #waiting: { readonly items: Items; readonly bytes: number }[] = [];
  #bytes = 0;
  #spilled: PageSpill | undefined;
  /** Whether the file could not be written: from then on the writer waits for the reader. */
  #full = false;
  #ended = false;
  #forgotten = false;
  #error: unknown;
  /** Wakes the writer or the reader. Never both wait: the reader only for a page, the writer only while there is one. */
  #wake: (() => void) | undefined;

  constructor(options: PageBufferOptions) {
    this.#options = options;
  }

  /** Number of pages in the file. */
  get #inFile(): number {
    return this.#spilled?.waiting ?? 0;
  }

  /**
   * Appends a page.
   * @param bytes its approximate size: that of the response
   */
  async push(items: Items, bytes: number): Promise<void> {
    if (this.#forgotten) return;
    // To keep the order, new pages go to the file while another one waits there.
    if (this.#inFile > 0 || this.#bytes > (this.#options.maxBytesInMemory ?? MAX_BYTES_IN_MEMORY)) {
      if (await this.#spill(items)) return;
      await this.#drained();
    }
    this.#waiting.push({ items, bytes });
    this.#bytes += bytes;
    this.#change();
  }

  /** Ends the queue; the reader gets an error after the last page. */
  end(error?: unknown): void {
    this.#ended = true;
    this.#error = error;
    this.#change();
  }

  /** The next page; undefined after the last. @throws the error that ended the list */
  async take(): Promise<Items | undefined> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        this.#bytes -= next.bytes;
        this.#change();
        return next.items;
      }
      if (this.#spilled !== undefined && this.#inFile > 0) {
        const items = await this.#spilled.take();
        this.#change();
        return items;
      }
      if (this.#ended) {
        if (this.#error !== undefined) throw this.#error;
        return undefined;
      }
      await this.#changed();
    }
  }

  /** Drops waiting and further pages, because the reader has stopped. */
  forget(): void {
    this.#forgotten = true;
    this.#waiting = [];
    this.#change();
  }

  /** Removes the file. Must be called after the writer has ended. */
  async close(): Promise<void> {
    await this.#spilled?.close();
    this.#spilled = undefined;
  }

  async #spill(items: Items): Promise<boolean> {
    if (this.#full) return false;
    try {
      this.#spilled ??= await openPageSpill(this.#options.folder);
      await this.#spilled.add(items);
    } catch {
      // Without space or permission, the list is read more slowly but completely.
      this.#full = true;
      return false;
    }
    this.#change();
    return true;
  }

  /** Resolves when the reader has taken all waiting pages, including those in the file. */
  async #drained(): Promise<void> {
    while (!this.#forgotten && (this.#waiting.length > 0 || this.#inFile > 0)) {
      await this.#changed();
    }
    this.#full = false;
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #change(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
