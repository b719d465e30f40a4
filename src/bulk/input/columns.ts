/** The names of an input's columns → the columns of a command: spelling forgiven, strangers and doubles refused. */
import { didYouMean } from '../../core/suggest.js';
import type { Column, Verb } from '../row-command.js';
import { isOwnColumn, takesThings } from './own-cells.js';

/** `Maximum Activations`, `maximum_activations` and `maximumActivations` are one name. */
const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

export interface ColumnProblem {
  /** Its place among the columns, from 1. */
  readonly place: number;
  readonly message: string;
}

/** Columns of one input, as far as they are known yet. */
export interface ColumnMap {
  /** The column for a place from 0; undefined for one that is not read. */
  readonly at: (place: number) => Column | undefined;
  /** Whether the input has a column for a value. */
  readonly has: (name: string) => boolean;
  /** The input is a results file, whose `edu_id` and `edu_code` name what the command writes to. */
  readonly isResults: () => boolean;
  /** It has columns that the command does not know: the results of another one. */
  readonly isForeign: () => boolean;
  /** Takes in the names that have come since the last call. */
  readonly learn: (names: readonly string[]) => readonly ColumnProblem[];
}

export function columnMap(verb: Verb): ColumnMap {
  const known = new Map<string, Column>();
  for (const column of verb.columns) {
    for (const name of [column.name, ...column.spellings]) if (!known.has(plain(name))) known.set(plain(name), column);
  }
  const names = verb.columns.filter(({ unlisted }) => unlisted !== true).map(({ name }) => name);
  const places: (Column | undefined)[] = [];
  const taken = new Map<Column, string>();
  let isResults = false;
  let isForeign = false;

  function learnOne(name: string, place: number): ColumnProblem | undefined {
    places[place] = undefined;
    // A delimiter at the end of each line makes a column without a name: harmless while it is empty.
    if (name === '' || isOwnColumn(name)) return undefined;
    const column = known.get(plain(name));
    if (column === undefined && isResults) {
      isForeign = true;
      return undefined;
    }
    if (column === undefined) {
      const meant = didYouMean(
        name
          .trim()
          .toLowerCase()
          .replace(/[\s_]+/g, '-'),
        names,
      );
      const hint = meant ?? `The columns are ${names.join(', ')}.`;
      return { place: place + 1, message: `there is no column ${JSON.stringify(name)}. ${hint}` };
    }
    const before = taken.get(column);
    if (before !== undefined && isResults) return undefined;
    if (before !== undefined) {
      const message = `the columns ${JSON.stringify(before)} and ${JSON.stringify(name)} are the same`;
      return { place: place + 1, message };
    }
    taken.set(column, name);
    places[place] = column;
    return undefined;
  }

  return {
    at: (place) => places[place],
    has: (name) => [...taken.keys()].some((column) => column.name === name),
    isResults: () => isResults,
    isForeign: () => isForeign,
    learn: (all) => {
      const problems: ColumnProblem[] = [];
      if (places.length === all.length) return problems;
      isResults ||= takesThings(verb, all);
      while (places.length < all.length) {
        const problem = learnOne(all[places.length] ?? '', places.length);
        if (problem !== undefined) problems.push(problem);
      }
      return problems;
    },
  };
}
