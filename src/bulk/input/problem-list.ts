/** Lists the problems of an input: equal problems once, with the first affected lines and their number. */
import type { Problem } from '../../core/errors.js';

const MAX_LINES = 5;

interface Group {
  readonly lines: number[];
  count: number;
  readonly column: string | undefined;
  readonly message: string;
}

/** `line 4`, `lines 4, 7`, `lines 4, 7, 9, 12, 15 and 3 more`. @param lines the first of them */
export function placesText(lines: readonly number[], count: number, noun = 'line'): string {
  const more = count > lines.length ? ` and ${count - lines.length} more` : '';
  return `${noun}${count === 1 ? '' : 's'} ${lines.join(', ')}${more}`;
}

export class ProblemList {
  readonly #groups = new Map<string, Group>();
  readonly #noun: string;
  readonly #maxKept: number;
  #count = 0;
  #kept = 0;

  /** @param noun what the numbers count @param maxKept distinct problems that are kept; further ones are only counted */
  constructor(noun: 'line' | 'row' = 'line', maxKept = 10_000) {
    this.#noun = noun;
    this.#maxKept = maxKept;
  }

  get count(): number {
    return this.#count;
  }

  /** @param column the place in the line, for people: `column 3 "days"` */
  add(line: number, message: string, column?: string): void {
    this.#count++;
    const key = `${column ?? ''}\n${message}`;
    const group = this.#groups.get(key);
    if (group === undefined && this.#groups.size >= this.#maxKept) return;
    this.#kept++;
    if (group === undefined) this.#groups.set(key, { lines: [line], count: 1, column, message });
    else if (group.count++ < MAX_LINES) group.lines.push(line);
  }

  /** Ordered by their first lines. */
  problems(): readonly Problem[] {
    const groups = [...this.#groups.values()].sort((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
    const shown: Problem[] = groups.map(({ lines, count, column, message }) => {
      const places = placesText(lines, count, this.#noun);
      return { where: column === undefined ? places : `${places}, ${column}`, message };
    });
    const more = this.#count - this.#kept;
    return more === 0 ? shown : [...shown, { message: `… and ${more} more` }];
  }
}
