/** A run of rows against a client in memory, with what it does in its order. */
import fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import { Journal } from '../../../../src/bulk/job/journal.js';
import { type RunOptions, runRows } from '../../../../src/bulk/job/run-rows.js';
import type { Outcome } from '../../../../src/bulk/job/states.js';
import type { RowWrite, Verb } from '../../../../src/bulk/row-command.js';
import type { CreatedMatcher } from '../../../../src/bulk/send/match-created.js';
import type { Attempt, Client } from '../../../../src/client/request/client.js';
import { licenses } from '../../../../src/contract/licenses.js';
import { EduError } from '../../../../src/core/errors.js';
import { observe } from '../../../support/observed-fs.js';
import { temporaryFolder } from '../../../support/run.js';
import { settleAtOnce, skipTimers } from '../../../support/skip-waits.js';

/** Writes and syncs of the journal, and requests, in the order in which they are complete. */
export const events: string[] = [];

interface Plan extends Partial<RunOptions> {
  readonly endpoint?: RowWrite['endpoint'];
  readonly count?: number;
  /** The last row, if an earlier run created it. */
  readonly done?: Outcome;
  /** The result of each attempt. */
  readonly attempt?: (row: number) => Attempt;
}

export const verbOf = (endpoint: RowWrite['endpoint']): Verb => ({
  path: 'licenses create',
  columns: [],
  alternatives: [],
  key: [],
  codeOf: endpoint === licenses.create ? () => '' : undefined,
  destroys: false,
  creates: true,
  missing: () => [],
  check: () => [],
  plan: (values) => [{ endpoint, input: { body: { ...values, name: 'A' } } }],
});

let file = '';

/** Notes the events of each test of the file that calls it. */
export function observeRuns(): void {
  settleAtOnce();
  beforeEach(() => {
    events.length = 0;
    file = join(temporaryFolder(), 'journal.ndjson');
    observe(fs, (real) => ({
      writeSync: ((handle: number, bytes: Buffer): number => {
        for (const line of bytes.toString().trim().split('\n')) events.push(`written ${line}`);
        return real.writeSync(handle, bytes);
      }) as typeof fs.writeSync,
      fdatasync: ((handle: number, done: (error: Error | null) => void): void =>
        real.fdatasync(handle, async (error) => {
          // A disk is slower than this service.
          for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
          events.push('synced');
          done(error);
        })) as typeof fs.fdatasync,
    }));
  });
}

export async function runAll({ endpoint = licenses.create, count = 20, done, attempt, ...more }: Plan) {
  const journal = await Journal.open(file, count);
  if (done !== undefined) journal.settled(count, done);
  await journal.flush();
  const sent: number[] = [];
  let under = 0;
  let atOnce = 0;
  const client = {
    hasResponded: true,
    call: () => Promise.reject(new EduError('not_found', 'no such licence')),
    pages: async function* () {},
    attempt: async (_: unknown, { body }: { readonly body: { readonly code: string } }): Promise<Attempt> => {
      const row = Number(body.code);
      events.push(`sent ${row}`);
      sent.push(row);
      atOnce = Math.max(atOnce, ++under);
      await new Promise((resolve) => setImmediate(resolve));
      under--;
      return attempt?.(row) ?? { is: 'done', value: { id: `L${row}`, code: body.code } };
    },
  } as unknown as Client;
  const matcher = {
    before: async () => undefined,
    unclaimed: async () => [],
    send: (_: unknown, __: unknown, work: () => unknown) => work(),
  };
  const rows = Array.from({ length: count }, (_, index) => ({ number: index + 1, line: index + 1, cells: [] }));
  const end = await skipTimers(runRows, {
    verb: verbOf(endpoint),
    client,
    snapshot: client,
    journal,
    matcher: matcher as unknown as CreatedMatcher,
    rows: (async function* () {
      yield rows;
    })(),
    valuesOf: ({ number }) => ({ values: { code: String(number) }, hasOwnKey: false }),
    known: { count: 0, of: () => undefined },
    shard: undefined,
    limit: undefined,
    concurrency: 4,
    maxRate: undefined,
    retries: 3,
    maxRetries: Number.POSITIVE_INFINITY,
    maxWaitMs: 1000,
    onExisting: 'skip',
    endsWith: () => undefined,
    signal: new AbortController().signal,
    now: () => Date.now(),
    random: () => 0.5,
    warn: () => {},
    onRow: () => {},
    ...more,
  });
  await journal.close();
  const read = await Journal.open(file, count);
  const states = rows.map(({ number }) => read.state(number));
  const last = read.outcome(count);
  await read.close();
  return { end, sent, states, last, atOnce };
}
