/** Suggests the column that a header means in a file of another system, in the languages of the service. */
import { fold } from '../fold.js';
import { isOneEdit } from '../suggest.js';
import headerWords from './header-words.json' with { type: 'json' };
import { plainName } from './headers.js';

/** Shorter words are one letter away from too many others. */
const MIN_NEAR = 5;

/** A header without notes such as `[Required]`, `(Pflichtfeld)` and `*`. */
const withoutNotes = (header: string): string => header.replace(/\[[^[\]]*\]|\([^()]*\)|[*:]/g, ' ');

const wordOf = (text: string): string => plainName(fold(text));

interface Meaning {
  /** Columns that the words may mean, the likeliest first. */
  readonly columns: readonly string[];
  readonly words: readonly string[];
}

let known: readonly Meaning[] | undefined;

const meanings = (): readonly Meaning[] => {
  known ??= headerWords.map(({ columns, words }) => ({ columns, words: words.split(', ').map(wordOf) }));
  return known;
};

/**
 * @param names the columns of the reader
 * @returns the column that the header means by its words, else by a word with one other letter; undefined if there is none
 */
export function suggestColumn(header: string, names: readonly string[]): string | undefined {
  const word = wordOf(withoutNotes(header));
  const own = names.find((name) => wordOf(name) === word);
  const meaning = (isIt: (one: string) => boolean): string | undefined =>
    meanings()
      .filter(({ words }) => words.some(isIt))
      .flatMap(({ columns }) => columns.map(plainName))
      .flatMap((column) => names.find((name) => plainName(name) === column) ?? [])[0];
  const near = (one: string): boolean => one.length >= MIN_NEAR && word.length >= MIN_NEAR && isOneEdit(word, one);
  return own ?? meaning((one) => one === word) ?? meaning(near);
}
