/** Detects the delimiter of CSV: from `sep=;`, else from the first lines outside quotes. */

const CANDIDATES = [',', ';', '\t', '|'] as const;

/** Excel's own first line, with the delimiter: `sep=;`. */
const SEP = /^"?sep=(.)"?\r?(?:\n|\r|$)/i;

export interface Dialect {
  readonly delimiter: string;
  /** Characters to leave out at the beginning: the `sep=` line. */
  readonly skip: number;
  readonly newline: '\n' | '\r';
}

/** How often each candidate stands outside quotes in the first line that is not blank. */
function countsIn(line: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>(CANDIDATES.map((sign) => [sign, 0]));
  let quoted = false;
  for (const sign of line) {
    if (sign === '"') quoted = !quoted;
    else if (!quoted && counts.has(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  }
  return counts;
}

/** The text up to the first line break outside quotes. */
function firstLine(text: string): string {
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') quoted = !quoted;
    else if (!quoted && (sign === '\n' || sign === '\r')) return text.slice(0, at);
  }
  return text;
}

/**
 * The dialect of a CSV.
 * @param head its beginning, with the whole first line in it
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
