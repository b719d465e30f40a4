/** Reproducible pseudo-random numbers for sample data, never for secrets. */
export type SeededRandom = ReturnType<typeof seededRandom>;

/** The item at an index, starting over after the last one. */
export const cycled = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;

/** Mulberry32 (public domain). */
export function seededRandom(start: number) {
  let state = start >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    below,
    /** Returns a function that makes the numbers from here on come again. */
    save(): () => void {
      const saved = state;
      return () => {
        state = saved;
      };
    },
    pick: <T>(choices: readonly T[]): T => choices[below(choices.length)] as T,
    percent: (chance: number): boolean => below(100) < chance,
    /** `count` different items in random order. */
    some<T>(choices: readonly T[], count: number): T[] {
      const rest = [...choices];
      const picked: T[] = [];
      while (picked.length < count && rest.length > 0) picked.push(...rest.splice(below(rest.length), 1));
      return picked;
    },
    text: (alphabet: string, length: number): string =>
      Array.from({ length }, () => alphabet[below(alphabet.length)] ?? '').join(''),
  };
}
