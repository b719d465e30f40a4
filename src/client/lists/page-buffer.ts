/** Buffers pages for a slow reader, because cursors are short-lived: some in memory, more in a temporary file. */
import { type Overflow, openOverflow } from './page-spill.js';

/** Bytes of answers that wait in memory before pages go to the file. */
const MOST_IN_MEMORY = 4 * 1024 * 1024;

type Items = readonly unknown[];

interface Waiting {
  readonly items: Items;
  readonly bytes: number;
}

export interface BacklogOptions {
  /** Folder for the temporary file; the system's if undefined. */
  readonly folder?: string | undefined;
  readonly mostInMemory?: number | undefined;
}

/** A queue of pages with one writer and one reader. */
export class Backlog {
  readonly #folder: string | undefined;
  readonly #most: number;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #overflow: Overflow | undefined;
  /** The disk took no more: from then on the writer waits for the reader. */
  #full = false;
  #ended = false;
  #forgotten = false;
  #error: unknown;
  #wake: (() => void) | undefined;
  #room: (() => void) | undefined;

  constructor({ folder, mostInMemory = MOST_IN_MEMORY }: BacklogOptions) {
    this.#folder = folder;
    this.#most = mostInMemory;
  }

  /**
   * Adds a page behind the others.
   * @param bytes about how large it is, as it came over the wire
   */
  async push(items: Items, bytes: number): Promise<void> {
    if (this.#forgotten) return;
    // Order: as long as pages wait in the file, new ones must go there too.
    if ((this.#overflow?.waiting ?? 0) > 0 || this.#bytes > this.#most) {
      if (await this.#spill(items)) return;
      await this.#drained();
    }
    this.#waiting.push({ items, bytes });
    this.#bytes += bytes;
    this.#wakeReader();
  }

  /** No more pages will come; with an error, the reader gets it after the last page. */
  end(error?: unknown): void {
    this.#ended = true;
    this.#error = error;
    this.#wakeReader();
  }

  /** The next page; undefined after the last. @throws what the list ended with */
  async take(): Promise<Items | undefined> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        this.#bytes -= next.bytes;
        this.#makeRoom();
        return next.items;
      }
      if (this.#overflow !== undefined && this.#overflow.waiting > 0) {
        const items = await this.#overflow.take();
        this.#makeRoom();
        return items;
      }
      if (this.#ended) {
        if (this.#error !== undefined) throw this.#error;
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The reader takes no more: what waits is dropped, and so is what still comes. */
  forget(): void {
    this.#forgotten = true;
    this.#waiting = [];
    this.#makeRoom();
  }

  /** Removes the file. To be called when the writer has ended. */
  async close(): Promise<void> {
    await this.#overflow?.close();
    this.#overflow = undefined;
  }

  async #spill(items: Items): Promise<boolean> {
    if (this.#full) return false;
    try {
      this.#overflow ??= await openOverflow(this.#folder);
      await this.#overflow.add(items);
    } catch {
      // No space, or no right to write: slower, but still right.
      this.#full = true;
      return false;
    }
    this.#wakeReader();
    return true;
  }

  /** Resolves once the reader has taken all that waits, in the file too. */
  async #drained(): Promise<void> {
    while (!this.#forgotten && (this.#waiting.length > 0 || (this.#overflow?.waiting ?? 0) > 0)) {
      await new Promise<void>((resolve) => {
        this.#room = resolve;
      });
    }
    this.#full = false;
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  #makeRoom(): void {
    this.#room?.();
    this.#room = undefined;
  }
}
