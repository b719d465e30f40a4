/** Quotes and splits words of a command line like POSIX shells. */
import { usageError } from './errors.js';

/** Quotes a word so that POSIX shells read it back unchanged. */
export function quoteForShell(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

const PART = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/suy;

/**
 * Splits a line into words and removes quotes and backslashes. Nothing is expanded: `$HOME` and `*` stay literal.
 * @throws EduError `usage` for an unclosed quotation mark
 */
export function splitWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  PART.lastIndex = 0;
  while (PART.lastIndex < line.length) {
    const match = PART.exec(line);
    if (match === null) throw usageError(`A quotation mark is not closed: ${line}`);
    const [, single, double, escaped, plain] = match;
    const part = single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain;
    if (part !== undefined) word = (word ?? '') + part;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}
