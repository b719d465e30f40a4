/**
 * Plans the rows of a new job that depend on their present items, before the first is sent: finds those that change
 * nothing or cannot be sent, and what the user must decide.
 */
import { EduError, type Problem } from '../../core/errors.js';
import { forEachConcurrently } from '../../core/for-each.js';
import { isIn } from '../../core/shard.js';
import { type ColumnPlace, columnText, type InputRow, type Rows } from '../../core/table/rows.js';
import { ProblemList } from '../input/problem-list.js';
import type { References } from '../input/resolve-references.js';
import { openRows, placesOf, rowsOf, valuesReader } from '../input/row-source.js';
import { namesOf, type RowWrite, type Values, type Verb } from '../row-command.js';
import type { ResetRow, RiskyRow } from './bulk-request.js';
import type { Manifest } from './job-manifest.js';
import { journalFile } from './job-store.js';
import { Journal } from './journal.js';

/** Rows read concurrently. */
const CONCURRENCY = 8;

/** The input of a draft, and what its rows refer to. */
export interface DraftRows {
  readonly verb: Verb;
  readonly folder: string;
  readonly manifest: Manifest;
  readonly references: References;
  /** Numbers of rows that are not sent. */
  readonly skipped: ReadonlySet<number>;
  readonly signal: AbortSignal;
}

/** Errors that the row's own write gets, too, and reports with its row. */
const OF_ROW: readonly EduError['kind'][] = ['usage', 'not_found', 'forbidden', 'refused'];

/**
 * Calls a function with each row that this job is to send and its values.
 * @param input the rows of the draft, opened
 * @param failed called with an error of the row
 */
async function eachRow(
  { verb, manifest, references, skipped, signal }: DraftRows,
  input: Rows | undefined,
  work: (row: InputRow, values: Values) => Promise<void>,
  failed: (row: InputRow, error: EduError) => void,
): Promise<void> {
  const valuesOf = valuesReader(verb, input, manifest.values, references);
  for await (const rows of rowsOf(input, manifest.rows)) {
    await forEachConcurrently(rows, CONCURRENCY, async (row) => {
      signal.throwIfAborted();
      if (skipped.has(row.number) || !isIn(manifest.shard ?? undefined, row.number)) return;
      try {
        await work(row, valuesOf(row).values);
      } catch (error) {
        if (!(error instanceof EduError) || !OF_ROW.includes(error.kind)) throw error;
        failed(row, error);
      }
    });
  }
}

/** Computes the values of a job's rows that depend on their present items again. */
export async function pinRows(rows: DraftRows): Promise<void> {
  const { verb, folder, manifest, references } = rows;
  if (verb.pin === undefined) return;
  const pin = async (_: InputRow, values: Values) => void (await references.pin(values));
  await eachRow(rows, await openRows(folder, manifest), pin, () => {});
}

/** The problems of a row that cannot be planned. A job reports other errors when it sends the row. */
const problemsOf = ({ kind, message, details }: EduError): readonly Problem[] =>
  kind !== 'usage' ? [] : details.length === 0 ? [{ message }] : details;

/** What a row's problem says, with the column only if the input does not have it. */
const textOf = ({ where, message }: Problem, column: ColumnPlace | undefined): string =>
  column !== undefined || where === undefined ? message : `${where} ${message}`;

const byLine = <T extends { readonly line: number }>(rows: readonly T[]): readonly T[] =>
  [...rows].sort((a, b) => a.line - b.line);

/** What the rows of a draft need before the first is sent. */
export type Examined = Awaited<ReturnType<typeof examineRows>>;

/**
 * Examines the rows, and records those that change nothing in the draft's journal.
 * @param skipsInvalid record invalid rows, too, instead of reporting their problems
 */
export async function examineRows(draft: DraftRows, skipsInvalid: boolean) {
  const { examines = () => false, plan, lossOf } = draft.verb;
  const losses: (readonly number[])[] = [];
  const resets: ResetRow[] = [];
  const risks: RiskyRow[] = [];
  const unseen = new Set<string>();
  const input = await openRows(draft.folder, draft.manifest);
  const placeOf = placesOf(draft.verb, input, draft.manifest.values);
  const wrong: { readonly line: number; readonly message: string; readonly column: ColumnPlace | undefined }[] = [];
  const journal = await Journal.open(journalFile({ folder: draft.folder }), draft.manifest.rows);

  function report(row: InputRow, some: readonly Problem[]): void {
    const found = some.map((problem) => {
      const column = placeOf(problem.where?.replace(/^--/, '') ?? '', false, row);
      return { line: row.line, message: textOf(problem, column), column };
    });
    if (!skipsInvalid) wrong.push(...found);
    else if (found.length > 0) {
      const named = (column: ColumnPlace | undefined) => (column ? `${columnText(column, input?.isSheet)} ` : '');
      const error = found.map(({ message, column }) => named(column) + message).join('; ');
      journal.settled(row.number, { state: 'invalid', error });
    }
  }

  function take(row: InputRow, writes: readonly RowWrite[]): void {
    const { line, number } = row;
    const edited = writes.flatMap((write) => write.edited ?? []);
    for (const write of writes) for (const name of write.unseen ?? []) unseen.add(name);
    const changes = writes.filter(({ unchanged }) => unchanged === undefined);
    const [first] = writes;
    if (edited.length > 0) report(row, edited);
    else if (first !== undefined && changes.length === 0)
      journal.settled(number, { state: 'unchanged', ...namesOf(first, first.unchanged) });
    for (const { undecided, risk, jobRisk = risk } of changes) {
      if (undecided !== undefined) resets.push({ line, value: undecided.value });
      if (jobRisk !== undefined) risks.push({ line, risk: jobRisk });
    }
  }

  try {
    await eachRow(
      draft,
      input,
      async (row, given) => {
        const values = await draft.references.pin(given);
        losses.push(...((await lossOf?.(values)) ?? []));
        if (examines(values)) take(row, await plan(values));
      },
      (row, error) => report(row, problemsOf(error)),
    );
  } finally {
    await journal.close();
  }
  const problems = new ProblemList('line', undefined, input?.isSheet);
  for (const { line, message, column } of byLine(wrong)) problems.add(line, message, column);
  return { problems, unseen: [...unseen], resets: byLine(resets), risks: byLine(risks), losses };
}
