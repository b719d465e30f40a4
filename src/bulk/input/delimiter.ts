/** Detects the delimiter of CSV: from `sep=;`, else from the first lines outside quotes. */

const CANDIDATES = [',', ';', '\t', '|'] as const;

/** The first line that declares the delimiter to Excel: `sep=;`. */
const SEP = /^"?sep=(.)"?\r?(?:\n|\r|$)/i;

export interface Dialect {
  readonly delimiter: string;
  /** Characters to leave out at the beginning: the `sep=` line. */
  readonly skip: number;
  readonly newline: '\n' | '\r';
}

/** Counts each candidate outside quotes. */
function countsIn(line: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>(CANDIDATES.map((char) => [char, 0]));
  let quoted = false;
  for (const char of line) {
    if (char === '"') quoted = !quoted;
    else if (!quoted && counts.has(char)) counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  return counts;
}

/** The text up to the first line break outside quotes. */
function firstLine(text: string): string {
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') quoted = !quoted;
    else if (!quoted && (char === '\n' || char === '\r')) return text.slice(0, at);
  }
  return text;
}

/**
 * Detects the dialect of a CSV.
 * @param head the beginning of the file, including the whole first line
 * @param asked the delimiter that overrides detection
 */
export function dialectOf(head: string, asked: string | undefined): Dialect {
  const sep = SEP.exec(head);
  const skip = sep?.[0].length ?? 0;
  const text = head.slice(skip);
  const newline = text.includes('\n') || !text.includes('\r') ? '\n' : '\r';
  if (asked !== undefined) return { delimiter: asked, skip, newline };
  if (sep?.[1] !== undefined) return { delimiter: sep[1], skip, newline };
  const counts = countsIn(firstLine(text.replace(/^[\r\n]+/, '')));
  const [best] = [...counts].sort(([, a], [, b]) => b - a);
  return { delimiter: best !== undefined && best[1] > 0 ? best[0] : ',', skip, newline };
}
