/** Suggests the known word closest to a misspelled one. */
import { either } from './plural.js';

/** Edit distance (insert, delete, replace, swap of neighbours); `max + 1` if it is greater than `max`. */
function distance(from: string, to: string, max: number): number {
  const far = max + 1;
  if (Math.abs(from.length - to.length) > max) return far;
  let beforeLast: number[] = [];
  let last: number[] = [];
  for (let j = 0; j <= to.length; j++) last.push(j);
  for (let i = 1; i <= from.length; i++) {
    // Others are further than `max` from the diagonal. Lists of names are long.
    const start = Math.max(1, i - max);
    const row = [i];
    for (let j = 1; j < start; j++) row.push(far);
    let least = start === 1 ? i : far;
    for (let j = start; j <= Math.min(to.length, i + max); j++) {
      const same = from[i - 1] === to[j - 1];
      let best = Math.min((last[j] ?? far) + 1, (row[j - 1] ?? far) + 1, (last[j - 1] ?? far) + (same ? 0 : 1));
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? far) + 1);
      }
      row.push(best);
      least = Math.min(least, best);
    }
    if (least > max) return far;
    beforeLast = last;
    last = row;
  }
  return last[to.length] ?? far;
}

/** True if two words differ in one letter, or in the order of two. */
export const isOneEdit = (one: string, other: string): boolean => distance(one, other, 1) <= 1;

/**
 * Up to three known words that are close to the typed one, best first.
 * @param typed the word of the user; compared without case
 */
export function suggestions(typed: string, known: Iterable<string>): string[] {
  const word = typed.toLowerCase();
  const scored: { readonly name: string; readonly score: number }[] = [];
  for (const name of known) {
    const candidate = name.toLowerCase();
    if (candidate.trim() === '') continue;
    const length = Math.min(word.length, candidate.length);
    const max = length <= 3 ? 1 : length <= 8 ? 2 : 3;
    const score =
      word.length >= 3 && (candidate.startsWith(word) || candidate.endsWith(word))
        ? 0.5
        : distance(word, candidate, max);
    if (score <= max) scored.push({ name, score });
  }
  scored.sort((a, b) => a.score - b.score);
  return scored.slice(0, 3).map(({ name }) => name);
}

/** `Did you mean X?`; undefined if no word is close. */
export function didYouMean(typed: string, known: Iterable<string>): string | undefined {
  const names = suggestions(typed, known);
  return names.length === 0 ? undefined : `Did you mean ${either(names)}?`;
}
