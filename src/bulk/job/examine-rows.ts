/**
 * Plans the rows of a new job that depend on their present items, before the first is sent: finds those that change
 * nothing or cannot be sent, and what the user must decide.
 */
import type { EduError, Problem } from '../../core/errors.js';
import type { ColumnPlace } from '../../core/table/rows.js';
import { isOfRow } from '../input/pinned-values.js';
import { ProblemList } from '../input/problem-list.js';
import { openRows, placesOf } from '../input/row-source.js';
import { namesOf, type RowWrite } from '../row-command.js';
import type { ResetRow, RiskyRow } from './bulk-request.js';
import { type DraftRows, eachRow } from './each-row.js';
import { journalFile } from './job-store.js';
import { Journal } from './journal.js';

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
  const places = placesOf(draft.verb, input);
  const wrong: { readonly line: number; readonly message: string; readonly column: ColumnPlace | undefined }[] = [];
  const journal = await Journal.open(journalFile({ folder: draft.folder }), draft.manifest.rows);

  function report(number: number, line: number, some: readonly Problem[]): void {
    const found = some.map((problem) => {
      const column = places(problem.where?.replace(/^--/, '') ?? '');
      return { line, message: textOf(problem, column), column };
    });
    if (!skipsInvalid) wrong.push(...found);
    else journal.settled(number, { state: 'invalid', error: found.map(({ message }) => message).join('; ') });
  }

  function take(number: number, line: number, writes: readonly RowWrite[]): void {
    const edited = writes.flatMap((write) => write.edited ?? []);
    for (const write of writes) for (const name of write.unseen ?? []) unseen.add(name);
    const changes = writes.filter(({ isUnchanged }) => isUnchanged !== true);
    const [first] = writes;
    if (edited.length > 0) report(number, line, edited);
    else if (first !== undefined && changes.length === 0)
      journal.settled(number, { state: 'unchanged', ...namesOf(first, undefined) });
    for (const { undecided, risk, jobRisk = risk } of changes) {
      if (undecided !== undefined) resets.push({ line, value: undecided.value });
      if (jobRisk !== undefined) risks.push({ line, risk: jobRisk });
    }
  }

  try {
    await eachRow(draft, async ({ number, line }, values) => {
      try {
        losses.push(...((await lossOf?.(values)) ?? []));
        if (examines(values)) take(number, line, await plan(values));
      } catch (error) {
        if (!isOfRow(error)) throw error;
        const some = problemsOf(error);
        if (some.length > 0) report(number, line, some);
      }
    });
  } finally {
    await journal.close();
  }
  const problems = new ProblemList('line', undefined, input?.isSheet);
  for (const { line, message, column } of byLine(wrong)) problems.add(line, message, column);
  return { problems, unseen: [...unseen], resets: byLine(resets), risks: byLine(risks), losses };
}
