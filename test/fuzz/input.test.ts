/** Fuzzing of what bulk jobs read: CSV, TSV, NDJSON and JSON arrays in any encoding, in chunks of any size. */
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { EduError } from '../../src/core/errors.js';
import { fromTextFormula } from '../../src/core/formula.js';
import { ENCODINGS, type Encoding, encoder } from '../../src/core/table/encoding.js';
import { openInput } from '../../src/core/table/open-table.js';
import type { InputProblem, InputRow } from '../../src/core/table/rows.js';
import { fuzz, tryTo } from './fuzz.js';
import { cuts, inPieces, key, text } from './hostile.js';

const isUsage = (error: Error): boolean => error instanceof EduError && error.kind === 'usage';

interface Read {
  readonly columns: readonly string[];
  readonly rows: readonly InputRow[];
  readonly problems: readonly InputProblem[];
}

async function read(whole: Uint8Array, places: readonly number[], name: string, encoding?: Encoding): Promise<Read> {
  const input = await openInput(inPieces(whole, places), {
    name,
    ...(encoding === undefined ? {} : { reading: { encoding } }),
  });
  const rows: InputRow[] = [];
  const problems: InputProblem[] = [];
  for await (const batch of input.batches) {
    rows.push(...batch.rows);
    problems.push(...batch.problems);
  }
  return { columns: [...input.columns], rows, problems };
}

const encodings: fc.Arbitrary<Encoding> = fc.constantFrom(...ENCODINGS);
describe('rows', () => {
  fuzz(
    'cells that are written as CSV are read back as they were',
    fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom('\n', '\r\n'), fc.nat(5))
      .chain(([width, newline, height]) =>
        fc.record({
          newline: fc.constant(newline),
          rows: fc.array(
            fc.array(
              text(12).map((cell) => cell.toWellFormed().replace(/[\r\0]/g, '')),
              { minLength: width, maxLength: width },
            ),
            {
              minLength: height,
              maxLength: height,
            },
          ),
          places: cuts,
        }),
      ),
    async ({ rows, newline, places }) => {
      // A single cell with a digit would be an ID, and no header.
      const header = (rows[0] ?? ['a']).map((_, index) => `column-${'abcd'[index]}`);
      const always = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
      const written = [header, ...rows].map((row) => row.map(always).join(',')).join(newline);
      const { columns, rows: found, problems } = await read(Buffer.from(written), places, 'rows.csv');
      expect(problems).toEqual([]);
      expect(columns).toEqual(header);
      const kept = rows.filter((row) => row.some((cell) => cell.trim() !== ''));
      // `="007"` is how Excel writes text that looks like a number.
      const unwrapped = (cell: string): string | undefined => fromTextFormula(cell.trim()).trim() || undefined;
      expect(found.map(({ cells }) => cells)).toEqual(kept.map((row) => row.map(unwrapped)));
    },
  );

  fuzz(
    'members of JSON rows are data, whatever their name',
    fc.record({
      rows: fc.array(fc.array(fc.tuple(key, text(10)), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
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
          const last = new Map(rows[index]);
          for (const [member, value] of last) {
            expect(cells[columns.indexOf(member)]).toBe(value.trim() || undefined);
          }
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
        await tryTo(() => read(written, places, 'a.csv', encoding), isUsage);
        return;
      }
      const bytesOf = encoder(encoding)(JSON.stringify({ a: safe }));
      const { rows } = await read(bytesOf, places, 'a.ndjson', encoding);
      expect(rows[0]?.cells).toEqual([safe.trim()]);
    },
  );
});
