/** Formats counts with their nouns, and choices. */

/** `1 step`, `3 steps`. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** `licence` for `licences`, `class` for `classes`. */
export const singular = (noun: string): string => noun.replace(/(?<=s)es$|(?<!s)s$/, '');

/** `a, b or c` */
export const either = (words: readonly (string | number)[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** `a, b and 3 more` */
export const andMore = (words: readonly string[], max = 10): string =>
  words.slice(0, max).join(', ') + (words.length > max ? ` and ${words.length - max} more` : '');
