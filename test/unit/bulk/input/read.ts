/** Reads an input from memory to its end, in chunks of any size. */
import { encodingOf } from '../../../../src/bulk/input/encoding.js';
import { delimiterOf, openInput } from '../../../../src/bulk/input/open.js';
import type { InputProblem, InputRow } from '../../../../src/bulk/input/rows.js';

export interface ReadInput {
  readonly columns: readonly string[];
  readonly rows: readonly InputRow[];
  readonly problems: readonly InputProblem[];
  readonly delimiter: string | undefined;
}

export interface ReadOptions {
  readonly name?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  /** Bytes per chunk (default: all at once). */
  readonly chunk?: number;
}

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function read(input: string | Uint8Array, options: ReadOptions = {}): Promise<ReadInput> {
  const { name = 'input.csv', encoding, delimiter, chunk = Number.POSITIVE_INFINITY } = options;
  const bytes = typeof input === 'string' ? Buffer.from(input) : input;
  const opened = await openInput(chunksOf(bytes, Math.min(chunk, bytes.length || 1)), {
    name,
    encoding: encoding === undefined ? undefined : encodingOf(encoding),
    delimiter: delimiter === undefined ? undefined : delimiterOf(delimiter),
  });
  const rows: InputRow[] = [];
  const problems: InputProblem[] = [];
  for await (const batch of opened.batches) {
    rows.push(...batch.rows);
    problems.push(...batch.problems);
  }
  return { columns: opened.columns, rows, problems, delimiter: opened.delimiter };
}

/** The cells of the rows. */
export const cellsOf = ({ rows }: ReadInput): readonly unknown[] => rows.map(({ cells }) => cells);
