/** Maps the column names of an input to columns of a command, in any spelling; rejects unknown and duplicate ones. */
import { quoteForShell } from '../../core/shell.js';
import { didYouMean } from '../../core/suggest.js';
import type { Column, Verb } from '../row-command.js';
import { dateReader } from './cell-forms.js';
import headerNames from './header-names.json' with { type: 'json' };
import { columnsByName, isHeader, plainName, splitMapping } from './headers.js';
import { isOwnColumn, takesThings } from './own-cells.js';
import type { Reading } from './rows.js';

interface ColumnProblem {
  readonly place: number;
  readonly message: string;
}

/** For each column, its names in exports of school systems in several European languages. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = headerNames;

export type ColumnMap = ReturnType<typeof columnMap>;

/** Maps the columns of one input, as far as they are known yet. */
export function columnMap(verb: Verb, reading: Reading = {}) {
  const known = columnsByName(verb.columns);
  const names = verb.columns.filter(({ unlisted }) => !unlisted).map(({ name }) => name);
  const { ignore = [], ignoreUnknown = false } = reading;
  const mapped = (reading.map ?? []).map(splitMapping);
  const met = new Set<string>();
  const unknown: string[] = [];
  const places: (Column | undefined)[] = [];
  const taken = new Map<Column, string>();
  let hasOwn = false;
  let isResults = false;
  let isForeign = false;

  const mappingOf = (name: string) => mapped.find(({ header }) => isHeader(name, header));

  /** The column that a header means in an export of a school system. */
  const likelyColumn = (name: string) =>
    names.find((column) => OTHER_NAMES[column]?.some((one) => plainName(one) === plainName(name)) === true);

  function unknownProblem(name: string): string {
    const first = `there is no column ${JSON.stringify(name)}.`;
    const likely = likelyColumn(name);
    if (likely !== undefined) return `${first} Add --map ${quoteForShell(`${name}=${likely}`)}`;
    const meant = didYouMean(
      name
        .trim()
        .toLowerCase()
        .replace(/[\s_]+/g, '-'),
      names,
    );
    const columns = `The columns are ${names.join(', ')}. To leave it out, add --ignore ${quoteForShell(name)}`;
    return `${first} ${meant ?? columns}`;
  }

  /** Adds a column. @returns why it cannot be read */
  function learnOne(name: string, place: number): string | undefined {
    places[place] = undefined;
    if (isOwnColumn(name)) hasOwn = true;
    // A trailing delimiter on each line makes a column without a name, which is accepted while it is empty.
    const ignored = ignore.filter((given) => isHeader(name, given));
    for (const given of ignored) met.add(given);
    if (name === '' || isOwnColumn(name) || ignored.length > 0) return undefined;
    const mapping = mappingOf(name);
    if (mapping !== undefined) met.add(mapping.header);
    const column = known.get(plainName(mapping?.column ?? name));
    const before = column && taken.get(column);
    if (isResults && (column === undefined || before !== undefined)) {
      isForeign ||= column === undefined;
      return undefined;
    }
    if (before !== undefined) return `the columns ${JSON.stringify(before)} and ${JSON.stringify(name)} are the same`;
    if (column === undefined && !ignoreUnknown) return unknownProblem(name);
    if (column === undefined) unknown.push(name);
    else taken.set(column, name);
    places[place] = column;
    return undefined;
  }

  return {
    reading,
    /** Reads a day in the format of `--date-format`; undefined for a text in another form. */
    dayOf: reading.dateFormat === undefined ? (): undefined => undefined : dateReader(reading.dateFormat),
    /** The column at an index from 0; undefined if it is not read. */
    at: (place: number) => places[place],
    /** The index of the column with a name, as the command spells it; -1 if there is none. */
    placeOf: (name: string) => places.findIndex((column) => column?.name === name),
    /** Whether a header names a column of the command. */
    isColumn: (name: string) =>
      known.has(plainName(mappingOf(name)?.column ?? name)) || likelyColumn(name) !== undefined,
    /** Whether the input has no column that the command reads. */
    isStrange: () => taken.size === 0 && !hasOwn,
    has: (name: string) => [...taken.keys()].some((column) => column.name === name),
    /** Whether the input has `edu_` columns, which `--results` and `--failed` write. */
    hasOwn: () => hasOwn,
    /** Whether the input is a results file whose `edu_id` and `edu_code` name the items that the command writes to. */
    isResults: () => isResults,
    /** Whether another command wrote the results file: it has columns that this command does not know. */
    isForeign: () => isForeign,
    /** Columns that `--ignore-unknown` leaves out. */
    unknown: unknown as readonly string[],
    /** Adds the names that are new since the last call: a JSON input gains columns while it is read. */
    learn(all: readonly string[]): readonly ColumnProblem[] {
      const problems: ColumnProblem[] = [];
      if (places.length === all.length) return problems;
      isResults ||= takesThings(verb, all);
      for (let place = places.length; place < all.length; place++) {
        const message = learnOne(all[place] ?? '', place);
        if (message !== undefined) problems.push({ place: place + 1, message });
      }
      return problems;
    },
    /** Headers of `--map` and `--ignore` that the input does not have so far. Any input may lack an `edu_` column. */
    unmet: () =>
      [
        ...mapped.map(({ header }) => ({ flag: '--map', header })),
        ...ignore.filter((header) => !isOwnColumn(header)).map((header) => ({ flag: '--ignore', header })),
      ].filter(({ header }) => !met.has(header)),
  };
}
