/**
 * A clock that tests can advance, or set to a fixed offset from the real time. All times in milliseconds since 1970.
 * @param start the time at which it starts; default: the real time
 */
export function movableClock(real: () => number, start?: number) {
  const atStart = start === undefined ? 0 : start - real();
  let offset = atStart;
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
      offset = atStart;
    },
  };
}
