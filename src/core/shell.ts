/** Quotes and splits words of a command line like POSIX shells. */
import { usageError } from './errors.js';

/** Words that no shell changes. zsh expands a word that begins with `=`. */
const PLAIN = /^[\w@%+:,./-][\w@%+=:,./-]*$/;

/**
 * Quotes a word for PowerShell on Windows, where typographic quotation marks are like `'`; else for POSIX shells and fish,
 * where a backslash within quotation marks escapes.
 */
export function quoteFor(platform: NodeJS.Platform, word: string): string {
  if (PLAIN.test(word)) return word;
  return `'${platform === 'win32' ? word.replace(/['\u2018-\u201b]/g, '$&$&') : word.replace(/['\\]/g, "'\\$&'")}'`;
}

/**
 * A command line, or part of one, to be pasted into a shell of this system, which reads the words back unchanged. Hints
 * contain values only through this function.
 */
export const shellLine = (...words: readonly string[]): string =>
  words.map((word) => quoteFor(process.platform, word)).join(' ');

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
