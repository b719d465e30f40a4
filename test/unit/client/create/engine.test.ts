/** Every event of a write and its result: one table for single commands and for rows of a job. */
import { describe, expect, test } from 'vitest';
import { createKeyed, createUnkeyed, type Found, type Next, writeById } from '../../../../src/client/create/engine.js';
import type { Attempt } from '../../../../src/client/request/client.js';
import { licenses } from '../../../../src/contract/licenses.js';
import type { Endpoint } from '../../../../src/contract/vocabulary.js';
import { EduError } from '../../../../src/core/errors.js';

const error = new EduError('server_error', 'the attempt failed');
const failed = (is: 'undone' | 'unknown', running = false, status?: number): Attempt => ({
  is,
  error: new EduError('server_error', 'the attempt failed', { status }),
  running,
  hopeless: false,
  incomplete: false,
  inDoubt: () => error,
  outcome: { is: 'unknown' },
});

const EVENTS: Readonly<Record<string, Attempt>> = {
  done: { is: 'done', value: { id: '7' } },
  empty: { is: 'unreadable', error, isEmpty: true },
  nameless: { is: 'unreadable', error, isEmpty: true, value: { name: 'A' } },
  html: { is: 'unreadable', error, isEmpty: false },
  refused: { is: 'refused', status: 400, error },
  forbidden: { is: 'refused', status: 403, error },
  missing: { is: 'refused', status: 404, error },
  later: failed('undone'),
  lost: failed('unknown'),
  slow: failed('unknown', true),
  broken: failed('unknown', false, 500),
  late: failed('unknown', true, 504),
};

const LOOKS: Readonly<Record<string, Found | undefined>> = {
  ours: { is: 'ours', found: { id: '7' } },
  absent: { is: 'absent' },
  other: { is: 'different', found: { id: '8' }, differences: [{ field: 'name', text: 'name is "B", not "A"' }] },
  hidden: { is: 'invisible' },
  unread: { is: 'unread', error },
  down: undefined,
};

/** The differences between the two users of the engine. */
const HOSTS = {
  command: { reportsExisting: false, maxUnreadable: 0, ends: 'last' },
  row: { reportsExisting: true, maxUnreadable: 2, ends: 'stop' },
} as const;

interface Case {
  /** Attempts in order; the last one repeats. */
  readonly sent: string;
  /** Look-ups in order; the last one repeats. */
  readonly looks?: string;
  readonly unique?: boolean;
  readonly owns?: boolean;
  readonly earlier?: boolean;
  /** How many waits the host grants before it gives up. */
  readonly waits?: number;
  /** Result, and number of attempts. One for both hosts, or one each. */
  readonly gives: string | { readonly command: string; readonly row: string };
}

const at = <T>(values: readonly T[], index: number): T => values[Math.min(index, values.length - 1)] as T;

/** Runs a case. @returns such as `done 2`: the result and the number of attempts */
async function run(one: Case, name: keyof typeof HOSTS, how: 'keyed' | 'unkeyed' | Endpoint): Promise<string> {
  const { ends, ...facts } = HOSTS[name];
  const attempts = one.sent.split(' ');
  const looks = (one.looks ?? 'absent').split(' ');
  let sent = 0;
  let looked = 0;
  let waited = 0;
  /** A look before the service has had time to show the item fails. */
  let isSettled = true;
  const host = {
    ...facts,
    earlier: one.earlier ?? false,
    send: async () => EVENTS[at(attempts, sent++)] as Attempt,
    wait: async (): Promise<Next> => (waited++ < (one.waits ?? 9) ? 'again' : ends),
    settle: async () => {
      isSettled = false;
      await new Promise((resolve) => setImmediate(resolve));
      isSettled = true;
      return true;
    },
    isAssigned: async () => (one.looks === 'down' ? undefined : one.looks === 'ours'),
  };
  const key = { by: 'key' as const, noun: 'licence', field: 'code', value: 'a1', unique: one.unique ?? true };
  const lookUp = async () => LOOKS[isSettled ? at(looks, looked++) : 'down'];
  const match = async () => {
    const look = isSettled ? at(looks, looked++) : 'down';
    if (look === 'down') return undefined;
    if (look === 'free') return { is: 'absent', match: look } as const;
    return look === 'ours' ? ({ is: 'ours', item: { id: '7' } } as const) : ({ is: 'unclear', match: look } as const);
  };
  const result =
    how === 'keyed'
      ? await createKeyed({ ...host, key, ownsKey: one.owns ?? false, lookUp })
      : how === 'unkeyed'
        ? await createUnkeyed({ ...host, match: one.looks === 'none' ? undefined : match })
        : await writeById(how, host);
  const more =
    result.is === 'unknown'
      ? ` (${result.doubt.is})`
      : result.is === 'suspended'
        ? ` (${result.uncertain ? 'sent' : 'not sent'})`
        : '';
  return `${result.is}${more} ${sent}`;
}

const both = (cases: Readonly<Record<string, Case>>, how: 'keyed' | 'unkeyed' | Endpoint): void => {
  test.each(Object.entries(cases))('%s', async (_, one) => {
    const { gives } = one;
    const wanted = typeof gives === 'string' ? { command: gives, row: gives } : gives;
    expect({ command: await run(one, 'command', how), row: await run(one, 'row', how) }).toEqual(wanted);
  });
};

describe('a create with a unique key', () => {
  both(
    {
      'is done at once': { sent: 'done', gives: 'done 1' },
      'waits while the service returns 429': { sent: 'later later done', gives: 'done 3' },
      'is found after a lost answer': { sent: 'lost', looks: 'ours', gives: 'done 1' },
      'is sent again when a look-up shows nothing': { sent: 'lost done', gives: 'done 2' },
      'is its own after a second attempt is refused': { sent: 'lost refused', looks: 'absent ours', gives: 'done 2' },
      'is its own if it is shown only later': { sent: 'lost refused', looks: 'absent absent ours', gives: 'done 2' },
      'is refused when nothing has the key': { sent: 'lost refused', gives: 'refused 2' },
      'is not sent again when something else has the key': { sent: 'lost', looks: 'other', gives: 'conflict 1' },
      'stays unknown when what has the key is hidden': { sent: 'lost', looks: 'hidden', gives: 'unknown (hidden) 1' },
      'is done when the hidden key was derived by edu': { sent: 'lost', looks: 'hidden', owns: true, gives: 'done 1' },
      'is its own when the second attempt is refused and the key is hidden': {
        sent: 'lost refused',
        looks: 'absent hidden',
        owns: true,
        gives: 'done 2',
      },
      'is in conflict when the key that edu derived names something else': {
        sent: 'lost',
        looks: 'other',
        owns: true,
        gives: 'conflict 1',
      },
      'stays unknown when the look-up fails': { sent: 'lost', looks: 'unread', gives: 'unknown (unread) 1' },
      'waits for another run when look-ups are impossible': {
        sent: 'lost',
        looks: 'down',
        gives: 'suspended (sent) 1',
      },
      'reports what existed before': {
        sent: 'refused',
        looks: 'ours',
        gives: { command: 'refused 1', row: 'exists 1' },
      },
      'reports a key that something else has': {
        sent: 'refused',
        looks: 'other',
        gives: { command: 'refused 1', row: 'conflict 1' },
      },
      'reports a key that is hidden': {
        sent: 'refused',
        looks: 'hidden',
        gives: { command: 'refused 1', row: 'conflict 1' },
      },
      'reports its own hidden key as existing': {
        sent: 'refused',
        looks: 'hidden',
        owns: true,
        gives: { command: 'refused 1', row: 'exists 1' },
      },
      'keeps the refusal when the look-up fails': {
        sent: 'refused',
        looks: 'unread',
        gives: { command: 'refused 1', row: 'failed 1' },
      },
      'is not looked up after a 403': { sent: 'forbidden', looks: 'ours', gives: 'refused 1' },
      'is found after a success without a body': { sent: 'empty', looks: 'ours', gives: 'done 1' },
      'is done after a success without a body that cannot be looked up': {
        sent: 'empty',
        looks: 'unread',
        gives: 'done 1',
      },
      'is found after a success without an ID': { sent: 'nameless', looks: 'ours', gives: 'done 1' },
      'is done after a success without an ID, whatever the look-up shows': {
        sent: 'nameless',
        looks: 'absent',
        gives: 'done 1',
      },
      'is sent again after a page instead of an answer': {
        sent: 'html',
        gives: { command: 'failed 1', row: 'failed 3' },
      },
      'is sent again after a success without a body that created nothing': {
        sent: 'empty',
        gives: { command: 'failed 1', row: 'failed 3' },
      },
      'is found after a page instead of an answer': { sent: 'html', looks: 'ours', gives: 'done 1' },
      'is in conflict when something else has the key after a page instead of an answer': {
        sent: 'html',
        looks: 'other',
        gives: 'conflict 1',
      },
      'stays unknown when a look-up fails after a page instead of an answer': {
        sent: 'html',
        looks: 'unread',
        gives: 'unknown (unread) 1',
      },
      'is given up with a last look': {
        sent: 'lost',
        waits: 0,
        gives: { command: 'failed 1', row: 'suspended (sent) 1' },
      },
      'is found by the last look': {
        sent: 'lost',
        looks: 'ours',
        waits: 0,
        gives: { command: 'done 1', row: 'suspended (sent) 1' },
      },
      'is given up unsent': { sent: 'later', waits: 0, gives: 'suspended (not sent) 1' },
      'of an earlier run is looked up first': { sent: 'done', looks: 'ours', earlier: true, gives: 'done 0' },
      'of an earlier run is sent when nothing has the key': { sent: 'done', earlier: true, gives: 'done 1' },
    },
    'keyed',
  );
});

describe('a create whose key the service may accept twice', () => {
  both(
    {
      'is looked for before it is sent': {
        sent: 'done',
        looks: 'ours',
        unique: false,
        gives: { command: 'done 1', row: 'exists 0' },
      },
      'is not sent again while the first request may be under way': {
        sent: 'slow',
        unique: false,
        gives: 'unknown (running) 1',
      },
      'is sent again after a closed connection': { sent: 'lost done', unique: false, gives: 'done 2' },
      'is looked for twice before it is sent again': {
        sent: 'lost done',
        // A row is looked for before it is sent, too.
        looks: 'absent absent ours',
        unique: false,
        gives: { command: 'done 2', row: 'done 1' },
      },
      'of an earlier run is looked for again after a while': {
        sent: 'done',
        looks: 'absent ours',
        unique: false,
        earlier: true,
        gives: 'done 0',
      },
      'is not sent again after a page of a proxy': { sent: 'html', unique: false, gives: 'unknown (unreadable) 1' },
    },
    'keyed',
  );
});

describe('a create without a key', () => {
  both(
    {
      'is done at once': { sent: 'done', gives: 'done 1' },
      'is refused': { sent: 'refused', looks: 'ours', gives: 'refused 1' },
      'waits while the service returns 429': { sent: 'later done', gives: 'done 2' },
      'is recognised after a lost answer': { sent: 'lost', looks: 'ours', gives: 'done 1' },
      'is never sent again after a lost answer': { sent: 'lost done', gives: 'unknown (unmatched) 1' },
      'is never sent again if no list shows it': { sent: 'lost done', looks: 'none', gives: 'unknown (unmatched) 1' },
      'is never sent again after a page instead of an answer': { sent: 'html done', gives: 'unknown (unmatched) 1' },
      'is done after a success without a body that no list shows': { sent: 'empty', gives: 'done 1' },
      'is given up unsent': { sent: 'later', waits: 0, gives: { command: 'failed 1', row: 'suspended (not sent) 1' } },
      'may be looked for by a later run when the job ends': {
        sent: 'lost',
        looks: 'ours',
        waits: 0,
        gives: { command: 'done 1', row: 'suspended (sent) 1' },
      },
      'of an earlier run is only looked for': { sent: 'done', looks: 'ours', earlier: true, gives: 'done 0' },
      'of an earlier run is not sent again when none is there': {
        sent: 'done',
        looks: 'absent',
        earlier: true,
        gives: 'unknown (unmatched) 0',
      },
      'of an earlier run is looked for again after a while, where no two may be equal': {
        sent: 'done',
        looks: 'free ours',
        earlier: true,
        gives: 'done 0',
      },
      'of an earlier run is sent when none is there and no two may be equal': {
        sent: 'done',
        looks: 'free',
        earlier: true,
        gives: 'done 1',
      },
      'is not sent again by the same run without an answer, although no two may be equal': {
        sent: 'lost done',
        looks: 'free',
        gives: 'unknown (unmatched) 1',
      },
      'is sent again after a 500 when none is there and no two may be equal': {
        sent: 'broken done',
        looks: 'free',
        gives: 'done 2',
      },
      'is not sent again after a 504, although no two may be equal': {
        sent: 'late done',
        looks: 'free',
        gives: 'unknown (unmatched) 1',
      },
    },
    'unkeyed',
  );
});

describe('a write by id', () => {
  both(
    {
      'is sent again after a lost answer': { sent: 'lost done', gives: 'done 2' },
      'is sent again after a page instead of an answer': {
        sent: 'html done',
        gives: { command: 'unknown (unreadable) 1', row: 'done 2' },
      },
      'is given up': { sent: 'lost', waits: 1, gives: { command: 'unknown (running) 2', row: 'suspended (sent) 2' } },
      'is refused': { sent: 'refused', gives: 'refused 1' },
      'is refused after a lost answer': { sent: 'lost refused', gives: 'refused 2' },
    },
    licenses.update,
  );
  both(
    {
      'that assigns is unknown when refused after a loss': { sent: 'lost refused', gives: 'unknown (refused) 2' },
      'that assigns is done if its item names the user': { sent: 'lost refused', looks: 'ours', gives: 'done 2' },
      'that assigns waits for its item': { sent: 'lost refused', looks: 'down', gives: 'suspended (sent) 2' },
      'that assigns is refused at once': { sent: 'refused', looks: 'ours', gives: 'refused 1' },
    },
    licenses.assign,
  );
  both(
    {
      'that deletes is done when missing after a lost answer': { sent: 'lost missing', gives: 'done 2' },
      'that deletes is refused when missing at once': { sent: 'missing', gives: 'refused 1' },
    },
    licenses.delete,
  );
});
