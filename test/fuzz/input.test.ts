/** Fuzzing of what bulk jobs read: CSV, TSV, NDJSON and JSON arrays in any encoding, in chunks of any size. */
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { resultRecords } from '../../src/bulk/results/results.js';
import { EduError } from '../../src/core/errors.js';
import { ENCODINGS, type Encoding, encoder } from '../../src/core/table/encoding.js';
import { openInput } from '../../src/core/table/open-table.js';
import type { InputProblem, InputRow, Reading, Rows } from '../../src/core/table/rows.js';
import { csv } from '../../src/output/writers/csv.js';
import { FILE_LAYOUT } from '../../src/output/writers/writer.js';
import { fuzz, tryTo } from './fuzz.js';
import { cuts, inPieces, key, text } from './hostile.js';

const isUsage = (error: Error): boolean => error instanceof EduError && error.kind === 'usage';

interface Read {
  readonly columns: readonly string[];
  readonly rows: readonly InputRow[];
  readonly problems: readonly InputProblem[];
}

async function read(whole: Uint8Array, places: readonly number[], name: string, reading: Reading = {}): Promise<Read> {
  const input = await openInput(inPieces(whole, places), { name, reading });
  const rows: InputRow[] = [];
  const problems: InputProblem[] = [];
  for await (const batch of input.batches) {
    rows.push(...batch.rows);
    problems.push(...batch.rows.flatMap((row) => row.problems ?? []), ...batch.problems);
  }
  return { columns: [...input.columns], rows, problems };
}

const encodings: fc.Arbitrary<Encoding> = fc.constantFrom(...ENCODINGS);
describe('rows', () => {
  const cell = text(12).map((value) => value.toWellFormed().replaceAll('\0', ''));
  fuzz(
    'results are read back as they were written',
    fc.record({
      rows: fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 20 }),
      delimiter: fc.constantFrom(',', ';', '\t', '|'),
      /** Some cells contain text that a spreadsheet would read as a formula. */
      formulas: fc.boolean(),
      places: cuts,
    }),
    async ({ rows, delimiter: given, formulas, places }) => {
      const excel = formulas ? (given === ';' ? ';' : ',') : undefined;
      const delimiter = excel ?? given;
      const cells = formulas
        ? rows.map((row) => row.map((value) => `${["'", '=', "'-", ''][value.length % 4]}${value}`))
        : rows;
      const table: Rows = { format: 'csv', columns: ['name', 'note', 'third'], batches: (async function* () {})() };
      const { shape, recordOf } = resultRecords(table, true, false);
      const writer = csv.list(shape, { ...FILE_LAYOUT, delimiter, excel });
      const items = cells.map((row, at) =>
        recordOf({ number: at + 1, line: at + 2, cells: row }, { state: 'created' }),
      );
      const written = Buffer.from(`${writer.page(items)}${writer.end()}`);
      const found = await read(written, places, 'rows.csv', { delimiter });
      expect(found.problems).toEqual([]);
      expect(found.rows.map((row) => row.cells.slice(0, 3))).toEqual(
        cells.map((row) => row.map((value) => value.trim() || undefined)),
      );
    },
  );

  fuzz(
    'members of JSON rows are data, whatever their name',
    fc.record({
      rows: fc.array(
        fc.uniqueArray(fc.tuple(key, text(10)), { minLength: 1, maxLength: 4, selector: ([name]) => name }),
        { minLength: 1, maxLength: 4 },
      ),
      places: cuts,
    }),
    async ({ rows, places }) => {
      const objects = rows.map(
        (members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`,
      );
      for (const [name, written] of [
        ['rows.ndjson', objects.join('\n')],
        ['rows.json', `[${objects.join()}]`],
      ] as const) {
        const { rows: found, columns, problems } = await read(Buffer.from(written), places, name);
        expect(problems).toEqual([]);
        for (const [index, { cells }] of found.entries()) {
          for (const [member, value] of rows[index] ?? [])
            expect(cells[columns.indexOf(member)]).toBe(value.trim() || undefined);
        }
      }
    },
  );
});

describe('dialects and encodings', () => {
  fuzz(
    'text is read back as it was written, in every encoding',
    fc.record({ encoding: encodings, value: text(30), places: cuts }),
    async ({ encoding, value, places }) => {
      const written = encoder(encoding)(`a\n${value.toWellFormed()}`);
      const isUnicode = encoding.startsWith('utf');
      const safe = value.toWellFormed().replace(/[\r\n"\0\ufeff]/g, '');
      if (!isUnicode || safe !== value.toWellFormed() || safe.trim() === '' || safe.startsWith('=')) {
        await tryTo(() => read(written, places, 'a.csv', { encoding }), isUsage);
        return;
      }
      const bytesOf = encoder(encoding)(JSON.stringify({ a: safe }));
      const { rows } = await read(bytesOf, places, 'a.ndjson', { encoding });
      expect(rows[0]?.cells).toEqual([safe.trim()]);
    },
  );
});
