/** A list that was read before is enough for a look-up unless an attempt may have succeeded since. */
import { expect, test } from 'vitest';
import { createKeyed } from '../../../../src/client/create/engine.js';
import type { Attempt } from '../../../../src/client/request/client.js';
import { EduError } from '../../../../src/core/errors.js';

const error = new EduError('server_error', 'the attempt failed');
const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  done: { is: 'done', value: { id: '7' } },
  html: { is: 'unreadable', error, isEmpty: false },
  refused: { is: 'refused', status: 400, error },
  lost: {
    is: 'unknown',
    error,
    running: false,
    hopeless: false,
    incomplete: false,
    ...{ inDoubt: () => error, outcome: { is: 'unknown' } },
  },
};

test.each([
  ['lost refused', true, ['unknown', 'unknown', 'unknown']],
  ['html done', true, ['unknown']],
  ['refused', true, ['refused']],
  ['done', false, ['before']],
])('%s, unique key: %s: looks up because of %j', async (sent, unique, expected) => {
  const attempts = sent.split(' ');
  const reasons: string[] = [];
  await createKeyed({
    earlier: false,
    ownsKey: false,
    reportsExisting: true,
    maxUnreadable: 2,
    key: { by: 'key', noun: 'licence', field: 'code', value: 'a1', unique },
    send: async () => ATTEMPTS[attempts.shift() ?? 'done'] as Attempt,
    wait: async () => 'again',
    lookUp: async (reason) => {
      reasons.push(reason);
      return { is: 'absent' };
    },
  });
  expect(reasons).toEqual(expected);
});
