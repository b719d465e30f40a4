/** Reads the rows of a job from its copy of the input, or counts them for `--count`. */
import { join } from 'node:path';
import type { ColumnPlace, InputRow, Rows } from '../../core/table/rows.js';
import { keepHeapSmall } from '../../core/v8-flags.js';
import type { Manifest } from '../job/job-manifest.js';
import { checkUnchanged } from '../job/job-store.js';
import type { Values, Verb } from '../row-command.js';
import { AT_ONCE, INPUT, openCopy } from './input-copy.js';
import { columnMap, type OwnCells } from './own-cells.js';
import { readCells } from './read-row.js';
import type { References } from './resolve-references.js';

/** Jobs whose copy of the input is as it was written. */
const checked = new WeakSet<Manifest>();

/** The input of a job, opened anew; undefined for `--count`. */
export async function openRows(folder: string, manifest: Manifest): Promise<Rows | undefined> {
  if (manifest.input === null) return undefined;
  const file = join(folder, INPUT);
  // Read whole, so only once for each job.
  if (!checked.has(manifest)) checkUnchanged(manifest, file);
  checked.add(manifest);
  return openCopy(file, manifest.reading);
}

/** Empty rows for `--count`. A turn of the event loop between them lets signals arrive. */
async function* blankRows(count: number) {
  for (let first = 1; first <= count; first += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - first + 1);
    yield { rows: Array.from({ length }, (_, index) => ({ number: first + index, line: first + index, cells: [] })) };
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The rows of an input, or empty ones for `--count`, in order. @throws the reason of an aborted signal */
export async function* rowsOf(
  rows: Rows | undefined,
  count: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly InputRow[]> {
  keepHeapSmall();
  for await (const batch of rows?.batches ?? blankRows(count)) {
    signal?.throwIfAborted();
    yield batch.rows;
  }
}

export interface SourceRow {
  readonly values: Values;
  readonly own?: OwnCells | undefined;
}

/**
 * Returns a function that finds the column of an input by the name of its value, for messages; undefined if the row does
 * not fill it. The last such column is found on request.
 */
export function placesOf(verb: Verb, rows: Rows | undefined, line: Values) {
  const map = columnMap(verb, line, rows);
  return (name: string, isLast: boolean | undefined, { cells }: InputRow): ColumnPlace | undefined => {
    const names = rows?.columns ?? [];
    map.learn(names);
    const place = map.placeOf(name, isLast);
    return cells[place] === undefined ? undefined : { place: rows?.places?.[place] ?? place, name: names[place] };
  };
}

/** The values of rows that have been checked before, with references filled in. */
export function valuesReader(
  verb: Verb,
  rows: Rows | undefined,
  line: Values,
  references: Pick<References, 'filled'> | undefined,
): (row: InputRow) => SourceRow {
  const map = columnMap(verb, line, rows);
  return (row) => {
    const names = rows?.columns ?? [];
    map.learn(names);
    const { values, own } = readCells(verb, map, names, row, line);
    return { values: references?.filled(values) ?? values, own };
  };
}
