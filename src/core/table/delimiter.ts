/** Detects the delimiter of CSV: from `sep=;`, else from the first lines outside quotes. */
import { usageError } from '../errors.js';

const CANDIDATES = [',', ';', '\t', '|'] as const;

/** The first line that declares the delimiter to Excel: `sep=;`. */
const SEP = /^"?sep=(.)"?\r?(?:\n|\r|$)/i;

/** The delimiter that a flag names: one character, or a word such as `tab`. @throws a usage error */
export function delimiterOf(text: string): string {
  const named: Readonly<Record<string, string>> = { tab: '\t', '\\t': '\t', comma: ',', semicolon: ';', pipe: '|' };
  const char = named[text.toLowerCase()] ?? text;
  if (char.length === 1 && !/["\r\n]/.test(char)) return char;
  throw usageError(`--delimiter must be one character or "tab", not ${JSON.stringify(text)}.`);
}

export interface Dialect {
  readonly delimiter: string;
  /** Characters to leave out at the beginning: the `sep=` line. */
  readonly skip: number;
  readonly newline: '\n' | '\r';
}

/** Counts each candidate outside quotes, up to the first line break outside quotes. */
function countsIn(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>(CANDIDATES.map((char) => [char, 0]));
  let quoted = false;
  for (const char of text) {
    if (char === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (char === '\n' || char === '\r') break;
    else if (counts.has(char)) counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  return counts;
}

/**
 * Detects the dialect of a CSV.
 * @param head the beginning of the file, including the whole first line
 * @param asked the delimiter that overrides detection
 * @param headerRow the line of the header, from 1
 */
export function dialectOf(head: string, asked: string | undefined, headerRow = 1): Dialect {
  const sep = SEP.exec(head);
  const skip = sep?.[0].length ?? 0;
  const newline = head.includes('\n') || !head.includes('\r') ? '\n' : '\r';
  const given = asked ?? sep?.[1];
  if (given !== undefined) return { delimiter: given, skip, newline };
  const lines = head
    .split(newline)
    .slice(headerRow - 1)
    .join(newline);
  const counts = countsIn(lines.replace(/^[\r\n]+/, ''));
  const [best] = [...counts].sort(([, a], [, b]) => b - a);
  return { delimiter: best !== undefined && best[1] > 0 ? best[0] : ',', skip, newline };
}
