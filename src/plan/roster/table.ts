/** Reads rows of a roster's file by column name, ignoring case. Other columns are never read. */
import { isHeader, splitMapping } from '../../bulk/input/headers.js';
import { placeOf, type Rows } from '../../bulk/input/rows.js';
import type { Findings } from './roster.js';

/** A row; blank cells are undefined. */
export type Row<C extends string> = { readonly [K in C]: string | undefined } & { readonly at: string };

export interface Table<C extends string> {
  readonly has: (column: C) => boolean;
  readonly rows: AsyncGenerator<Row<C>>;
}

interface Columns<C extends string> {
  readonly names: readonly C[];
  readonly required: readonly C[];
  /** Other headers of a column, in lower case without spaces and punctuation. */
  readonly spellings?: Readonly<Partial<Record<C, readonly string[]>>>;
}

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Reads a file.
 * @param name name of the file in messages
 * @throws EduError `usage` for a file in another encoding
 */
export function tableOf<C extends string>(
  input: Rows,
  name: string,
  { names, required, spellings }: Columns<C>,
  findings: Findings,
): Table<C> {
  const mapped = (input.reading?.map ?? []).map(splitMapping);
  const places = new Map<C, number>();
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
  for (const column of names) {
    const known = [column, ...(spellings?.[column] ?? [])].map(plain);
    const found = headers.flatMap((header, place) => (known.includes(header) ? [place] : []));
    const [first, second] = found;
    if (second !== undefined) findings.problem(`${name} line ${input.headerLine ?? 1}`, `has two columns ${column}`);
    if (first !== undefined) places.set(column, first);
    else if (required.includes(column))
      findings.problem(`${name} line ${input.headerLine ?? 1}`, `has no column ${column}`);
  }

  async function* rows(): AsyncGenerator<Row<C>> {
    const before = `${name} line `;
    let above: Record<string, string | undefined> = {};
    for await (const batch of input.batches) {
      for (const problem of batch.problems) findings.problem(`${name} ${placeOf(problem)}`, problem.message);
      for (const { line, cells } of batch.rows) {
        const row: Record<string, string | undefined> = { at: before + line };
        for (const [column, place] of places) {
          const text = String(cells[place] ?? '').trim();
          // Rows of the same class or school share one string, which saves memory.
          row[column] = text === '' ? undefined : text === above[column] ? above[column] : text;
        }
        above = row;
        yield row as Row<C>;
      }
    }
  }

  return { has: (column) => places.has(column), rows: rows() };
}
