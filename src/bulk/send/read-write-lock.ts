/** Reader–writer lock: sends share it, look-ups hold it exclusively. */
export class Turns {
  /** Those who send, look, or wait for it. */
  #present = 0;
  #sending = 0;
  #looking: Promise<void> | undefined;
  #whenIdle: (() => void) | undefined;

  /** Nothing runs or waits. */
  get isEmpty(): boolean {
    return this.#present === 0;
  }

  /** Runs some work next to others of its kind, and not during a look. */
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

  /** Runs some work alone: after all that is under way, before all that comes. */
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
