/** A movable clock: advanced to make things expire, or set to a fixed offset from the real one. */
export interface MovableClock {
  /** Milliseconds since 1970, as the service sees them. */
  readonly now: () => number;
  /** Moves the clock by a number of milliseconds. */
  advance(milliseconds: number): void;
  /** Sets the clock, which runs on from there. */
  set(time: number): void;
  /** Back to the real time. */
  restore(): void;
}

/** A clock that starts at `time` and runs like `real`. Both in milliseconds since 1970. */
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
