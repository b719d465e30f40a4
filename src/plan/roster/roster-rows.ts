/** Reads rows of a roster's file by column name, ignoring case. Other columns are never read. */
import { isHeader, splitMapping } from '../../bulk/input/headers.js';
import { placeOf, type Rows } from '../../bulk/input/rows.js';
import type { Findings } from './roster.js';

export type Row = Readonly<Record<string, string | undefined>> & {
  /** File and line: `users.csv line 7`. */
  readonly at: string;
};

export interface Columns {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Other headers of a column, in lower case without spaces and punctuation. */
  readonly spellings?: Readonly<Record<string, readonly string[]>>;
}

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Reads a file; problems of its columns and cells are added to `findings`.
 * @param name name of the file in messages
 */
export function tableOf(
  input: Rows,
  name: string,
  { required, optional, spellings }: Columns,
  findings: Findings,
): { readonly has: (column: string) => boolean; readonly rows: AsyncGenerator<Row> } {
  const names = [...required, ...optional];
  const mapped = (input.reading?.map ?? []).map(splitMapping);
  const places = new Map<string, number>();
  const headers = input.columns.map((header) => {
    const mapping = mapped.find((one) => isHeader(header, one.header));
    return plain(mapping?.column ?? header);
  });
  for (const { header, column } of mapped) {
    const where = `--map ${JSON.stringify(`${header}=${column}`)}`;
    if (!names.some((one) => plain(one) === plain(column)))
      findings.problem(where, `there is no column ${JSON.stringify(column)}. The columns are ${names.join(', ')}`);
    if (!input.columns.some((one) => isHeader(one, header)))
      findings.problem(where, `${name} has no column ${JSON.stringify(header)}`);
  }
  const headerPlace = `${name} line ${input.headerLine ?? 1}`;
  for (const column of names) {
    const known = [column, ...(spellings?.[column] ?? [])].map(plain);
    const [first, second] = headers.flatMap((header, place) => (known.includes(header) ? [place] : []));
    if (second !== undefined) findings.problem(headerPlace, `has two columns ${column}`);
    if (first !== undefined) places.set(column, first);
    else if (required.includes(column)) findings.problem(headerPlace, `has no column ${column}`);
  }

  async function* rows(): AsyncGenerator<Row> {
    const before = `${name} line `;
    let above: Record<string, string | undefined> = {};
    for await (const batch of input.batches) {
      for (const problem of batch.problems) findings.problem(`${name} ${placeOf(problem)}`, problem.message);
      for (const { line, cells } of batch.rows) {
        const row: Record<string, string | undefined> & { at: string } = { at: before + line };
        for (const [column, place] of places) {
          const text = String(cells[place] ?? '')
            .trim()
            .normalize('NFC');
          // Rows of the same class or school share one string, which saves memory.
          row[column] = text === '' ? undefined : text === above[column] ? above[column] : text;
        }
        above = row;
        yield row;
      }
    }
  }

  return { has: (column) => places.has(column), rows: rows() };
}
