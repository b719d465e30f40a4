/** Formats counts with their nouns, and choices. */

/** `1 step`, `3 steps`. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** `a, b or c` */
export const either = (words: readonly string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' or $1');
