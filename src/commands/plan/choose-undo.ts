/** Offers the last receipts and jobs to `edu undo` without an argument. */
import { statSync } from 'node:fs';
import { allJobs, wordFor } from '../../bulk/job/job-store.js';
import type { Context } from '../../cli/context.js';
import { withFlags } from '../../cli/hints.js';
import { usageError } from '../../core/errors.js';
import { shellLine } from '../../core/shell.js';
import { forPeople } from '../../output/sanitize.js';
import { receiptsOf } from '../../plan/apply/plan-records.js';

export interface Undoable {
  /** What it is, and when it was written: ISO 8601. */
  readonly what: string;
  readonly written: string;
  readonly receipt?: string;
  readonly job?: string;
}

const MAX_OFFERED = 10;

/** The receipts and the jobs of creates on this machine, the last first. */
function undoables({ env }: Context): readonly Undoable[] {
  const receipts = receiptsOf(env).map(({ receipt, place }): Undoable => {
    return { what: `receipt ${place}`, written: statSync(receipt).mtime.toISOString(), receipt };
  });
  const jobs = allJobs(env).flatMap((folder): readonly Undoable[] => {
    const { path, created, rows } = folder.manifest;
    const job = wordFor(folder);
    return path.endsWith(' create') ? [{ what: `job ${job}: ${path}, ${rows} rows`, written: created, job }] : [];
  });
  return [...receipts, ...jobs].sort((a, b) => (a.written < b.written ? 1 : -1)).slice(0, MAX_OFFERED);
}

/** @throws EduError `usage` that lists them without a terminal, or if there are none */
export async function chooseUndo(context: Context): Promise<Undoable> {
  const found = undoables(context);
  const hint = 'Give the file that edu apply wrote, or the job: edu jobs undo JOB';
  if (found.length === 0) throw usageError('RECEIPT is missing, and there is no receipt or job on this machine.', hint);
  if (!context.canAsk) {
    const details = found.map(({ what, receipt, job }) => ({
      where: what,
      message: withFlags(
        receipt === undefined ? shellLine('edu', 'jobs', 'undo', job ?? '') : shellLine('edu', 'undo', receipt),
        context.globals,
      ),
    }));
    throw usageError('RECEIPT is missing.', hint, details);
  }
  const choices = found.map((one) => ({
    name: forPeople(`${one.written.slice(0, 16).replace('T', ' ')}  ${one.what}`),
    value: one,
  }));
  return (await context.prompt()).select('What should be undone?', choices);
}
