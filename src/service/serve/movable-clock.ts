/** A clock that tests can advance, or set to a fixed offset from the real time. All times in milliseconds since 1970. */
export function startingAt(time: number, real: () => number): () => number {
  const offset = time - real();
  return () => real() + offset;
}

/** @param real the real time, in milliseconds since 1970 */
export function movableClock(real: () => number) {
  let offset = 0;
  return {
    now: (): number => real() + offset,
    advance(milliseconds: number): void {
      offset += milliseconds;
    },
    /** Sets the clock, which continues from there. */
    set(time: number): void {
      offset = time - real();
    },
    restore(): void {
      offset = 0;
    },
  };
}
