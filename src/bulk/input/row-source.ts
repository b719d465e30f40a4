/** Reads the rows of a job from its copy of the input, or counts them for `--count`. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { limitYoungSpace, youngSpaceOfJob } from '../../client/request/young-space.js';
import { EduError } from '../../core/errors.js';
import { type Manifest, unusable } from '../job/job-store.js';
import type { Values, Verb } from '../row-command.js';
import { columnMap } from './column-map.js';
import { openFile } from './open.js';
import type { OwnCells } from './own-cells.js';
import { readCells } from './read-row.js';
import type { References } from './resolve-references.js';
import type { InputRow, Rows } from './rows.js';

const RESTORE_INPUT =
  'Restore the file "input" in the folder of the job and run the command again. Finished rows stay finished.';

export const INPUT = 'input';

/** The input of a job, opened anew; undefined for `--count`. */
export async function openRows(folder: string, manifest: Manifest): Promise<Rows | undefined> {
  const { input, encoding, delimiter, reading } = manifest;
  if (input === null) return undefined;
  const file = join(folder, INPUT);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile())
    throw unusable({ id: manifest.id, damage: `${file} is ${stats === undefined ? 'missing' : 'not a regular file'}` });
  return openFile(file, { name: input, encoding: encoding ?? undefined, delimiter: delimiter ?? undefined, reading });
}

/** The rows of an input, or empty ones for `--count`, in order. @throws EduError when the input has become shorter */
export async function* rowsOf(rows: Rows | undefined, count: number): AsyncGenerator<readonly InputRow[]> {
  const youngSpace = youngSpaceOfJob(count);
  if (rows !== undefined) {
    let last = 0;
    for await (const { rows: whole, broken = [] } of rows.batches) {
      limitYoungSpace(youngSpace);
      const all = broken.length === 0 ? whole : [...whole, ...broken].sort((a, b) => a.number - b.number);
      last = all.at(-1)?.number ?? last;
      yield all;
    }
    if (last < count)
      throw new EduError('internal', `The job's copy of its input ends after row ${last} of ${count}.`, {
        hint: RESTORE_INPUT,
      });
    return;
  }
  const AT_ONCE = 1000;
  for (let first = 1; first <= count; first += AT_ONCE) {
    limitYoungSpace(youngSpace);
    const length = Math.min(AT_ONCE, count - first + 1);
    yield Array.from({ length }, (_, index) => ({ number: first + index, line: first + index, cells: [] }));
  }
}

export interface SourceRow {
  readonly values: Values;
  readonly own?: OwnCells | undefined;
}

/** The values of rows that have been checked before, with references filled in. */
export function valuesReader(
  verb: Verb,
  rows: Rows | undefined,
  line: Values,
  references: Pick<References, 'filled'> | undefined,
): (row: InputRow) => SourceRow {
  const map = columnMap(verb, rows?.reading);
  return (row) => {
    const names = rows?.columns ?? [];
    map.learn(names);
    const { values, own } = readCells(verb, map, names, row, line);
    return { values: references?.filled(values) ?? values, own };
  };
}
