/** The last line of stderr, which is erased before other output and drawn again below it. */
import type { Out } from '../../core/io.js';

export interface Drawn {
  hide(): void;
  show(): void;
}

export class DrawnLine {
  #drawn: Drawn | undefined;
  #isShown = false;
  /** Number of open questions. Nothing is drawn while there is one. */
  #questions = 0;
  /** Drawing is possible only if the cursor is at the start of a line. */
  #atLineStart = true;

  get isAsking(): boolean {
    return this.#questions > 0;
  }

  show(): void {
    if (this.#drawn === undefined || !this.#atLineStart || this.isAsking) return;
    this.#drawn.show();
    this.#isShown = true;
  }

  hide(): void {
    if (this.#isShown) this.#drawn?.hide();
    this.#isShown = false;
  }

  put(drawing: Drawn): void {
    this.hide();
    this.#drawn = drawing;
    this.show();
  }

  remove(drawing: Drawn | undefined): void {
    if (this.#drawn !== drawing) return;
    this.hide();
    this.#drawn = undefined;
  }

  /** Erases the line while a question is open. */
  async suspend<T>(question: () => Promise<T>): Promise<T> {
    this.hide();
    this.#questions++;
    try {
      return await question();
    } finally {
      this.#questions--;
      this.show();
    }
  }

  /** A stream whose output goes above the line. */
  above(out: Out): Out {
    const write: Out['write'] = async (text) => {
      this.hide();
      if (text.length > 0) this.#atLineStart = String(text.slice(-1)) === '\n' || text[text.length - 1] === 10;
      await out.write(text);
      this.show();
    };
    return {
      isTTY: true,
      get columns() {
        return out.columns;
      },
      get rows() {
        return out.rows;
      },
      write,
    };
  }
}
