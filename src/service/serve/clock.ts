/** A clock that tests can advance, or set to a fixed offset from the real time. */
export interface MovableClock {
  readonly now: () => number;
  advance(milliseconds: number): void;
  /** Sets the clock, which continues from there. */
  set(time: number): void;
  restore(): void;
}

/** Both in milliseconds since 1970. */
export function startingAt(time: number, real: () => number): () => number {
  const offset = time - real();
  return () => real() + offset;
}

/** @param real milliseconds since 1970 */
export function movableClock(real: () => number): MovableClock {
  let offset = 0;
  return {
    now: () => real() + offset,
    advance(milliseconds) {
      offset += milliseconds;
    },
    set(time) {
      offset = time - real();
    },
    restore() {
      offset = 0;
    },
  };
}
