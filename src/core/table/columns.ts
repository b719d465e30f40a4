/** Maps the headers of a table to known columns, in any spelling, and reads cells for them. */
import { endSentence } from '../clean-text.js';
import { usageError } from '../errors.js';
import { getOrSet } from '../maps.js';
import { shellLine } from '../shell.js';
import { didYouMean } from '../suggest.js';
import { dateReader, formatsFor, serialDay, wholeText } from './cell-forms.js';
import { damageOf } from './damage.js';
import { conditionOf, isHeader, isOwnColumn, plainName, splitMapping } from './headers.js';
import type { Cell, CellKind, ColumnPlace, InputProblem, InputRow, Reading } from './rows.js';
import { suggestColumn } from './suggest-column.js';

/** A column that a reader knows. */
export interface TableColumn {
  readonly name: string;
  /** Other names that a header may use, in any spelling of words and case. */
  readonly spellings?: readonly string[] | undefined;
  /** For dates and whole numbers, which files write in many forms; `shown` for a cell that is only compared. */
  readonly form?: 'date' | 'whole' | 'file' | 'shown' | undefined;
  /** Accepted but not listed. */
  readonly unlisted?: boolean | undefined;
  /** A column that lists show and the reader cannot set: left out like an unknown one with `--ignore-unknown`. */
  readonly isShown?: boolean | undefined;
}

export interface ColumnRules<C extends TableColumn = TableColumn> {
  /** True if a table with these headers is a file of the program, whose other columns are left out. */
  readonly isResults?: (headers: readonly string[]) => boolean;
  /** Leave out unknown columns without `--ignore-unknown`. */
  readonly skipsUnknown?: boolean;
  /** The column that a header means which names none. */
  readonly unknown?: ((header: string) => C) | undefined;
  /** Whether dates of the workbook count from 1904. */
  readonly is1904?: boolean | undefined;
  /**
   * The name of the column that a header `id` means, if that depends on the other columns of the table.
   * @param isColumn whether the table has a column of a name
   */
  readonly meaningOfId?: (headers: readonly string[], isColumn: (name: string) => boolean) => string | undefined;
}

export type CellRead = { readonly cell: Exclude<Cell, undefined> } | { readonly wrong: string };

export interface HeaderProblem {
  readonly column?: ColumnPlace;
  readonly message: string;
}

/** Suggestions for more columns would take longer to find than anybody reads. */
const MAX_SUGGESTED = 100;

const isoDay = dateReader('yyyy-MM-dd');

const hyphenated = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');

const isId = (header = ''): boolean => plainName(header) === 'id';

function columnsByName<C extends TableColumn>(columns: readonly C[]): ReadonlyMap<string, C> {
  const known = new Map<string, C>();
  for (const column of columns)
    for (const name of [column.name, ...(column.spellings ?? [])]) getOrSet(known, plainName(name), () => column);
  return known;
}

/** `--map`, checked. @throws a usage error that names the flag and its value */
function mappingsOf<C extends TableColumn>(
  { map = [], ignore = [] }: Reading,
  known: ReadonlyMap<string, C>,
  names: readonly string[],
) {
  const targets = new Map<C, string>();
  const headers: string[] = [];
  return map.map((text) => {
    const { header, column: wanted } = splitMapping(text);
    const flag = `--map ${JSON.stringify(text)}`;
    if (header === '' || wanted === '') throw usageError(`${flag} must be HEADER=COLUMN, such as "Valid until=until".`);
    if (headers.some((before) => isHeader(before, header)))
      throw usageError(`--map reads the column ${JSON.stringify(header)} twice.`);
    if (ignore.some((given) => isHeader(header, given)))
      throw usageError(`--ignore leaves out the column ${JSON.stringify(header)}, which --map reads. Use only one.`);
    headers.push(header);
    const column = known.get(plainName(wanted));
    if (column === undefined) {
      const hint = didYouMean(wanted, names) ?? `The columns are ${names.join(', ')}.`;
      throw usageError(`${flag}: there is no column ${JSON.stringify(wanted)}.`, hint);
    }
    const before = targets.get(column);
    if (before !== undefined)
      throw usageError(
        `--map fills ${column.name} twice: from ${JSON.stringify(before)} and ${JSON.stringify(header)}.`,
      );
    targets.set(column, header);
    return { header, column };
  });
}

/** Maps the columns of one table, as far as they are known yet. */
export class ColumnMap<C extends TableColumn> {
  readonly reading: Reading;
  /** Columns that are left out without being named: by `--ignore-unknown`, or of a list or results file of the program. */
  readonly unknown: string[] = [];
  /** True if the table has columns of the program's own files. */
  hasOwn = false;
  /** True if the table is a file of the program, by `ColumnRules.isResults`. */
  isResults = false;
  readonly #rules: ColumnRules<C>;
  readonly #known: ReadonlyMap<string, C>;
  readonly #names: readonly string[];
  readonly #mapped: ReturnType<typeof mappingsOf<C>>;
  readonly #conditions: readonly string[];
  readonly #dayOf: (text: string) => string | undefined;
  readonly #places: (C | undefined)[] = [];
  readonly #taken = new Map<C, string>();
  readonly #dropped = new Set<number>();
  readonly #met = new Set<string>();
  #suggested = 0;

  /**
   * @param columns those that the reader knows
   * @throws a usage error for a flag that no table can satisfy
   */
  constructor(columns: readonly C[], reading: Reading = {}, rules: ColumnRules<C> = {}) {
    const { dateFormat } = reading;
    this.reading = reading;
    this.#rules = rules;
    this.#known = columnsByName(columns);
    this.#names = columns.filter(({ unlisted }) => unlisted !== true).map(({ name }) => name);
    this.#mapped = mappingsOf(reading, this.#known, this.#names);
    this.#conditions = (reading.where ?? []).map((text) => conditionOf(text).header);
    this.#dayOf = dateFormat === undefined ? () => undefined : dateReader(dateFormat);
  }

  /** The column at an index from 0; undefined if it is not read. */
  at(place: number): C | undefined {
    return this.#places[place];
  }

  /** Why a row, or a cell of it that is read, cannot be read. */
  problemsOf({ problems }: Pick<InputRow, 'problems'>): readonly InputProblem[] {
    return problems?.filter(({ cell }) => cell === undefined || this.at(cell) !== undefined) ?? [];
  }

  /** The index of the first column with a name, as the reader spells it, or of the last; -1 if there is none. */
  placeOf(name: string, isLast = false): number {
    const isIt = (column: C | undefined): boolean => column?.name === name;
    return isLast ? this.#places.findLastIndex(isIt) : this.#places.findIndex(isIt);
  }

  has(name: string): boolean {
    return this.placeOf(name) >= 0;
  }

  /** True if a header names a known column. */
  isColumn(header: string): boolean {
    return this.#columnOf(header) !== undefined || suggestColumn(header, this.#names) !== undefined;
  }

  /** True if the table has no column that is read. */
  get isStrange(): boolean {
    return this.#taken.size === 0 && !this.hasOwn;
  }

  /** True if `--ignore` or `--ignore-unknown` leaves out the column at a place, so that its cells are kept nowhere. */
  isDropped(place: number): boolean {
    return this.#dropped.has(place);
  }

  /** Adds the headers that are new since the last call: a JSON table gains columns while it is read. */
  learn(all: readonly string[]): readonly HeaderProblem[] {
    const problems: HeaderProblem[] = [];
    if (this.#places.length === all.length) return problems;
    this.isResults ||= this.#rules.isResults?.(all) === true;
    const added = [...all.keys()].slice(this.#places.length);
    // The meaning of `id` may depend on the others.
    for (const place of added.sort((a, b) => Number(isId(all[a])) - Number(isId(all[b])))) {
      const message = this.#learnOne(all, place);
      if (message !== undefined) problems.push({ column: { place }, message });
    }
    return problems;
  }

  /** Reads a cell that is not blank, for the column at its place. */
  read({ cells, kinds }: Pick<InputRow, 'cells' | 'kinds'>, place: number, column: C): CellRead {
    return this.readCell(cells[place] ?? '', kinds?.[place], column);
  }

  /** Reads one cell for a column. */
  readCell(cell: Exclude<Cell, undefined>, kind: CellKind | undefined, column: C): CellRead {
    if (column.form === 'shown') return { cell: (typeof cell === 'string' ? this.#dayOf(cell) : undefined) ?? cell };
    const wrong = typeof cell === 'string' ? damageOf(cell) : cell.map(damageOf).find((one) => one !== undefined);
    if (wrong !== undefined) return { wrong };
    if (typeof cell !== 'string') return { cell };
    if (column.form === 'date') return { cell: this.#dayOf(cell) ?? isoDay(cell) ?? cell };
    if (kind !== undefined && kind !== 'decimal')
      return { wrong: `is a ${kind} (${cell}); format the column as text and fill it in again` };
    // The point of a number with decimals separates no thousands.
    return { cell: column.form === 'whole' && kind === undefined ? wholeText(cell) : cell };
  }

  /** Completes the message about a text that is not a date: how dates are read, or could be. */
  withDateHint(wrong: string, text: string): string {
    const { dateFormat } = this.reading;
    if (dateFormat !== undefined) return `${wrong} (--date-format ${dateFormat})`;
    const day = serialDay(text, this.#rules.is1904 === true);
    if (day !== undefined) return `${wrong}. In a spreadsheet ${text} is ${day}: format the column as a date`;
    const formats = formatsFor(text);
    return formats.length === 0 ? wrong : `${endSentence(wrong)} Add --date-format ${formats.join(' or ')}`;
  }

  /** Flags that the table, which was read to its end, gives no use for. Any table may lack an own column. */
  unmet(all: readonly string[]): readonly HeaderProblem[] {
    const { ignore = [], dateFormat } = this.reading;
    const headers = [
      ...this.#mapped.map(({ header }) => ({ flag: '--map', header })),
      // `--failed` has no ignored columns, and is read again with the same flags.
      ...(this.hasOwn ? [] : ignore.filter((header) => !isOwnColumn(header))).map((header) => ({
        flag: '--ignore',
        header,
      })),
      ...this.#conditions.map((header) => ({ flag: '--where', header })),
    ].filter(({ header }) => !this.#met.has(header));
    const problems = headers.map(({ flag, header }) => {
      const meant = didYouMean(header, all);
      const hint = meant === undefined ? '' : `. ${meant}`;
      return { message: `there is no column ${JSON.stringify(header)}, which ${flag} names${hint}` };
    });
    const isNeedless = dateFormat !== undefined && ![...this.#taken.keys()].some(({ form }) => form === 'date');
    return isNeedless
      ? [...problems, { message: `there is no column of dates for --date-format ${dateFormat}` }]
      : problems;
  }

  #mappingOf(header: string) {
    return this.#mapped.find((one) => isHeader(header, one.header));
  }

  #columnOf(header: string, all: readonly string[] = []): C | undefined {
    const mapping = this.#mappingOf(header);
    if (mapping !== undefined) return mapping.column;
    const meant = isId(header) ? this.#rules.meaningOfId?.(all, (name) => this.has(name)) : undefined;
    return this.#known.get(plainName(meant ?? header));
  }

  #unknownProblem(header: string): string {
    const first = `there is no column ${JSON.stringify(header)}.`;
    if (this.#suggested++ >= MAX_SUGGESTED) return first;
    const likely = suggestColumn(header, this.#names);
    if (likely !== undefined) return `${first} Add ${shellLine('--map', `${header}=${likely}`)}`;
    const all = `The columns are ${this.#names.join(', ')}. To leave it out, add ${shellLine('--ignore', header)}`;
    return `${first} ${didYouMean(hyphenated(header), this.#names) ?? all}`;
  }

  /** Adds a column. @returns why it cannot be read */
  #learnOne(all: readonly string[], place: number): string | undefined {
    const header = all[place] ?? '';
    const { ignore = [], ignoreUnknown = false } = this.reading;
    this.#places[place] = undefined;
    if (isOwnColumn(header)) this.hasOwn = true;
    const ignored = ignore.filter((given) => isHeader(header, given));
    const conditions = this.#conditions.filter((one) => isHeader(header, one));
    for (const given of [...ignored, ...conditions]) this.#met.add(given);
    if (ignored.length > 0) this.#dropped.add(place);
    // A trailing delimiter on each line makes a column without a name, which is accepted while it is empty.
    if (header === '' || isOwnColumn(header) || ignored.length > 0) return undefined;
    const mapping = this.#mappingOf(header);
    if (mapping !== undefined) this.#met.add(mapping.header);
    const column = this.#columnOf(header, all) ?? this.#rules.unknown?.(header);
    if (column === undefined ? this.isResults : column.isShown === true) {
      this.unknown.push(header);
      return undefined;
    }
    const before = column && this.#taken.get(column);
    if (before !== undefined && this.isResults) return undefined;
    if (before !== undefined)
      return `the columns ${JSON.stringify(before)} and ${JSON.stringify(header)} both mean ${column?.name}`;
    this.#places[place] = column;
    if (column !== undefined) this.#taken.set(column, header);
    else {
      const isSkipped = this.#rules.skipsUnknown === true || conditions.length > 0;
      if (!isSkipped && !ignoreUnknown) return this.#unknownProblem(header);
      if (isSkipped) return undefined;
      this.unknown.push(header);
      this.#dropped.add(place);
    }
    return undefined;
  }
}
