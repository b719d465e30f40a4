/** Reads an input from memory to its end, in chunks of any size. */
import { openInput } from '../../../../src/core/table/open-table.js';
import type { InputProblem, InputRow, Reading } from '../../../../src/core/table/rows.js';

export interface ReadInput {
  readonly columns: readonly string[];
  readonly rows: readonly InputRow[];
  readonly problems: readonly InputProblem[];
  readonly delimiter: string | undefined;
}

export interface ReadOptions extends Reading {
  readonly name?: string;
  /** Bytes per chunk (default: all at once). */
  readonly chunk?: number;
}

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function read(input: string | Uint8Array, options: ReadOptions = {}): Promise<ReadInput> {
  const { name = 'input.csv', chunk = Number.POSITIVE_INFINITY, ...reading } = options;
  const bytes = typeof input === 'string' ? Buffer.from(input) : input;
  const opened = await openInput(chunksOf(bytes, Math.min(chunk, bytes.length || 1)), { name, reading });
  const rows: InputRow[] = [];
  const problems: InputProblem[] = [];
  for await (const batch of opened.batches) {
    rows.push(...batch.rows);
    problems.push(...batch.rows.flatMap((row) => row.problems ?? []), ...batch.problems);
  }
  return { columns: opened.columns, rows, problems, delimiter: opened.delimiter };
}

/** The cells of the rows that can be read. */
export const cellsOf = ({ rows }: ReadInput): readonly unknown[] =>
  rows.filter(({ isBroken }) => !isBroken).map(({ cells }) => cells);
