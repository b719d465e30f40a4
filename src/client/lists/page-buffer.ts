/** Buffers pages for a slow reader, because cursors are short-lived. */

type Items = readonly unknown[];

/** Bytes of responses after which the writer waits for the reader: about 40,000 licences. */
const MAX_BYTES = 16 * 1024 * 1024;

/** A queue of pages with one writer and one reader. */
export class PageBuffer {
  readonly #maxBytes: number;
  #waiting: { readonly items: Items; readonly bytes: number }[] = [];
  #bytes = 0;
  #isForgotten = false;
  /** Set at the end, with the error that ended the list. */
  #end: { readonly error: unknown } | undefined;
  #wakeReader: () => void = () => {};
  #wakeWriter: () => void = () => {};

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Appends a page that is not empty, and waits while too much is in the buffer.
   * @param bytes its approximate size: that of the response
   */
  async push(items: Items, bytes: number): Promise<void> {
    this.#waiting.push({ items, bytes });
    this.#bytes += bytes;
    this.#wakeReader();
    while (this.#bytes > this.#maxBytes && !this.#isForgotten) {
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
    }
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
    if (next !== undefined) {
      this.#bytes -= next.bytes;
      this.#wakeWriter();
    } else if (this.#end?.error !== undefined) throw this.#end.error;
    return next?.items;
  }

  /** Lets the writer go on, because the reader has stopped. */
  forget(): void {
    this.#isForgotten = true;
    this.#wakeWriter();
  }
}
