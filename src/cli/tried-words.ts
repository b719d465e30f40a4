/** Maps command words of other programs to those of edu. */
import words from './tried-words.json' with { type: 'json' };

const MEANT: Readonly<Record<string, readonly string[]>> = words;

/**
 * Up to two commands that a word probably means, the most likely first.
 * @param known the valid words
 */
export const meantBy = (word: string, known: readonly string[]): readonly string[] =>
  (Object.hasOwn(MEANT, word.toLowerCase()) ? (MEANT[word.toLowerCase()] ?? []) : [])
    .filter((name) => known.includes(name))
    .slice(0, 2);
