/** Looks up the rows of an interrupted job that may have been sent, without sending anything. */
import { GRACE_MS } from '../../client/create/engine.js';
import { keyOf, lookUp } from '../../client/create/find-by-key.js';
import { systemClock } from '../../client/request/clock.js';
import { ignoringUnreadable } from '../../core/errors.js';
import type { BulkHost } from '../host.js';
import type { References } from '../input/resolve-references.js';
import { openRows, rowsOf, valuesReader } from '../input/row-source.js';
import { namesOf, type RowWrite, type Verb } from '../row-command.js';
import { type JobFolder, journalFile } from './job-store.js';
import { Journal } from './journal.js';
import { withCodes } from './license-codes.js';
import { readRows } from './rows-file.js';
import { runParts } from './run-parts.js';
import type { Outcome } from './states.js';

/** Records which of these rows created an item, and which did not. The caller must hold the job's lock. */
export async function lookUpSent(verb: Verb, job: JobFolder, references: References, context: BulkHost): Promise<void> {
  const { manifest, folder } = job;
  const journal = await Journal.open(journalFile(job), manifest.rows);
  try {
    const client = await context.client();
    const matched = { journal, rows: manifest.rows, isPart: manifest.shard !== null, takenIds: [] };
    const { matcher } = runParts(client, matched, context);
    const codesOf = withCodes(verb, readRows(job), context);

    /** @returns undefined if the list or the item cannot be read, or does not decide */
    async function find(write: RowWrite, row: number, hasOwnKey: boolean): Promise<Outcome | undefined> {
      const key = keyOf(write.endpoint, write.input);
      if (key !== undefined) {
        const found = await lookUp(client, write.endpoint, key, write.input, { signal: context.signal });
        if (found.is === 'absent') return { state: 'planned' };
        const isOurs = found.is === 'ours' || (found.is === 'different' && hasOwnKey);
        return isOurs ? { ...namesOf(write, found.found), state: 'created' } : undefined;
      }
      const trace = await matcher.before(write, row, true);
      const match = trace && (await matcher.find(write, trace));
      if (match?.is === 'absent' && match.showing.isDistinct) return { state: 'planned' };
      return match?.is === 'ours' ? { ...namesOf(write, match.item), state: 'created' } : undefined;
    }

    /** @param isFinal rows without an item are recorded as not sent. @returns whether there are any */
    async function look(isFinal: boolean): Promise<boolean> {
      let isAnyAbsent = false;
      const rows = await openRows(folder, manifest);
      const valuesOf = valuesReader(verb, rows, manifest.values, references);
      for await (const batch of rowsOf(rows, manifest.rows)) {
        for (const row of batch) {
          const state = journal.state(row.number);
          if (state !== 'sending' && state !== 'unknown') continue;
          await journal.flush();
          const coded = codesOf(row.number, valuesOf(row), { recorded: journal.outcome(row.number) });
          const [write, ...others] = await verb.plan(coded.values);
          if (write === undefined || others.length > 0) continue;
          const found = await find(write, row.number, coded.hasOwnKey).catch(ignoringUnreadable);
          isAnyAbsent ||= found?.state === 'planned';
          if (found?.state === 'created' || (found !== undefined && isFinal)) journal.settled(row.number, found);
        }
      }
      return isAnyAbsent;
    }

    // The service may still be carrying out the requests of a killed run.
    if (await look(false)) {
      await systemClock.sleep(GRACE_MS, context.signal);
      await look(true);
    }
    await journal.flush();
  } finally {
    await journal.close();
  }
}
