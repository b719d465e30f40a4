/** Reader–writer lock: sends share it, look-ups hold it exclusively. */
export class ReadWriteLock {
  /** Number of calls that run or wait. */
  #present = 0;
  #sending = 0;
  #looking: Promise<void> | undefined;
  #whenIdle: (() => void) | undefined;

  get isEmpty(): boolean {
    return this.#present === 0;
  }

  /** Runs work concurrently with other sends, but not during a look-up. */
  async send<T>(work: () => Promise<T>): Promise<T> {
    this.#present++;
    while (this.#looking !== undefined) await this.#looking;
    this.#sending++;
    try {
      return await work();
    } finally {
      this.#present--;
      if (--this.#sending === 0) this.#whenIdle?.();
    }
  }

  /** Runs work alone: after running sends, and before new ones. */
  async look<T>(work: () => Promise<T>): Promise<T> {
    this.#present++;
    while (this.#looking !== undefined) await this.#looking;
    let done = (): void => {};
    this.#looking = new Promise((resolve) => {
      done = resolve;
    });
    try {
      if (this.#sending > 0) {
        await new Promise<void>((resolve) => {
          this.#whenIdle = resolve;
        });
      }
      return await work();
    } finally {
      this.#present--;
      this.#whenIdle = undefined;
      this.#looking = undefined;
      done();
    }
  }
}
