/** Lists the problems of an input: equal problems once, with the first affected lines and their number. */
import { type EduError, type Problem, usageError } from '../../core/errors.js';
import { plural } from '../../core/plural.js';
import { type ColumnPlace, placesText } from '../../core/table/rows.js';

const MAX_LINES = 5;

interface Group {
  readonly lines: number[];
  count: number;
  readonly column: ColumnPlace | undefined;
  readonly message: string;
}

export class ProblemList {
  readonly #groups = new Map<string, Group>();
  readonly #noun: string;
  readonly #isSheet: boolean;
  readonly #maxKept: number;
  #count = 0;
  #kept = 0;

  /**
   * @param noun what the numbers count
   * @param maxKept distinct problems that are kept; further ones are only counted
   * @param isSheet name cells as a workbook does
   */
  constructor(noun: 'line' | 'row' = 'line', maxKept = 10_000, isSheet = false) {
    this.#noun = noun;
    this.#isSheet = isSheet;
    this.#maxKept = maxKept;
  }

  get count(): number {
    return this.#count;
  }

  add(line: number, message: string, column?: ColumnPlace): void {
    this.#count++;
    const key = `${column?.place ?? ''} ${column?.name ?? ''}\n${message}`;
    const group = this.#groups.get(key);
    if (group === undefined && this.#groups.size >= this.#maxKept) return;
    this.#kept++;
    if (group === undefined) this.#groups.set(key, { lines: [line], count: 1, column, message });
    else if (group.count++ < MAX_LINES) group.lines.push(line);
  }

  /** Ordered by their first lines. */
  problems(): readonly Problem[] {
    const groups = [...this.#groups.values()].sort((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
    const shown: Problem[] = groups.map(({ lines, count, column, message }) => ({
      where: placesText(lines, count, column, this.#isSheet, this.#noun),
      message,
    }));
    const more = this.#count - this.#kept;
    return more === 0 ? shown : [...shown, { message: `… and ${more} more` }];
  }
}

/** The error of an input, or of a command with `--count`. @param name of the file; undefined for `--count` */
export function badInput(name: string | undefined, problems: readonly Problem[], count = problems.length): EduError {
  const many = plural(count, 'problem');
  if (name === undefined) return usageError(`${many} with this command. Nothing was sent.`, undefined, problems);
  return usageError(
    `Cannot use ${name === '-' ? 'the input' : name}: ${many}. Nothing was sent.`,
    'Fix the input and run the command again. --template prints a template. See: edu help bulk',
    problems,
  );
}
