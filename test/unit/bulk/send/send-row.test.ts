/** What a row's responses and look-ups make of it: state, ID, and the words in the results. */
import { expect, test } from 'vitest';
import { canNoteAhead } from '../../../../src/bulk/job/row-stages.js';
import { errorText } from '../../../../src/bulk/job/states.js';
import type { RowWrite } from '../../../../src/bulk/row-command.js';
import type { MatchResult } from '../../../../src/bulk/send/match-created.js';
import type { SendContext } from '../../../../src/bulk/send/row-attempts.js';
import { sendRow } from '../../../../src/bulk/send/send-row.js';
import { classes } from '../../../../src/contract/classes.js';
import { files } from '../../../../src/contract/files.js';
import { licenses } from '../../../../src/contract/licenses.js';
import { subscriptions } from '../../../../src/contract/subscriptions.js';
import { users } from '../../../../src/contract/users.js';
import type { Step } from '../../../support/scripted-send.js';
import { bench, lost } from '../../client/support.js';

interface Case {
  readonly writes: readonly RowWrite[];
  readonly script: readonly Step[];
  readonly earlier?: boolean;
  readonly match?: MatchResult;
  readonly onExisting?: SendContext['onExisting'];
  /** The throttle ends the run at the first failure, or at the first wait for the service to settle. */
  readonly isStopped?: boolean;
}

const noted: string[] = [];

async function sent({ writes, script, earlier = false, match, onExisting = 'skip', isStopped = false }: Case) {
  const { client, lines } = bench(script, { retries: 0 });
  const warnings: string[] = [];
  const throttle = {
    successes: 0,
    isStopped,
    isAlone: false,
    answered: () => {},
    success: () => {},
    settle: async () => !isStopped,
    backOff: async ({ hopeless }: { hopeless: boolean }) => !isStopped && !hopeless,
  };
  const matcher = {
    find: async () => match,
    send: (_: unknown, __: unknown, work: () => unknown) => work(),
    release: () => void noted.push('RELEASED'),
  };
  const facts = { client, snapshot: client, throttle, matcher, onExisting, retries: 0, now: () => 0 };
  const context = { ...facts, warn: (text: string) => warnings.push(text) } as unknown as SendContext;
  const outcome = await sendRow(writes, earlier, match && { key: 'a.b' }, context);
  const { state, id, code, undone, refused } = outcome;
  const what = [state, id, code, undone, refused && 'refused', ...noted.splice(0)].filter(Boolean).join(' ');
  return [`${what} (${lines().length})`, errorText(outcome), ...warnings].filter(Boolean);
}

const licence: RowWrite = { endpoint: licenses.create, input: { body: { name: 'A', code: 'abc' } } };
const stored = { id: '7', name: 'A', code: 'abc' };
const schoolClass: RowWrite = {
  endpoint: classes.create,
  input: { body: { name: 'A', schoolId: 's1', subjectId: '1' } },
};
const made = { classId: 'c1', className: 'A', schoolId: 's1', subjectId: '1' };
const cancel = (id: string, more: Partial<RowWrite> = {}): RowWrite => ({
  endpoint: licenses.cancel,
  input: { params: { id } },
  ...more,
});
const assign: RowWrite = { endpoint: licenses.assign, input: { body: { licenseId: '7', userId: 'u1' } } };
const showing = {
  command: 'edu classes list --school s1',
  noun: 'class',
  nouns: 'classes',
  idOf: ({ classId }: { classId: string }) => classId,
  isDistinct: true,
} as unknown as Extract<MatchResult, { is: 'absent' }>['showing'];
const refused: Step = { status: 400, body: { message: 'no' } };

const other = { ...stored, name: 'B' };
/** A licence that another job created, which is noted only if it is sent. */
const known = (hasOwnKey = false): RowWrite => ({
  ...licence,
  hasOwnKey,
  beforeSend: async () => void noted.push('NOTED'),
});
const one = (write: RowWrite, ...script: readonly Step[]): Case => ({ writes: [write], script });
const stopped = { isStopped: true };
const hidden: readonly Step[] = [{ status: 403 }, { body: { id: 'me' } }, { body: { licenses: [] } }];
const absent: MatchResult = { is: 'absent', showing };
const unclear: MatchResult = { is: 'unclear', showing, items: [made], why: 'WHY' };
const holding = (...ids: readonly string[]): Step => ({ body: { ...stored, endUsers: ids.map((id) => ({ id })) } });
const upload = { endpoint: files.upload, input: {} };
const withFile: RowWrite = { endpoint: users.update, input: { params: { id: 'u1' }, body: { title: 'A' } }, upload };
const gone: Step = { status: 404 };
const done: Step = { status: 204 };
const busy: Step = { status: 429 };
const both = [cancel('7'), cancel('8')];

const REFUSED = 'the service rejected the request (400): no';
const LOST = 'It may have been carried out: the connection was closed.';
const LIST = 'Check with `edu classes list --school s1`.';
const AGAIN = '`edu jobs retry JOB` looks it up again; --unknown also sends it again.';
const CODE =
  'Check with `edu licenses get code:abc` before you run it again with `--code abc`, so that it is never created twice.';
const FILES =
  'Files cannot be listed. If you run it again, it is stored twice at worst. `edu jobs retry JOB --unknown` sends it again.';

test.each<[string, Case, ...(readonly string[])]>([
  [
    'a class of an earlier run that is not there',
    { ...one(schoolClass, { body: made }), match: absent, earlier: true },
    'created c1 RELEASED (1)',
  ],
  ['a licence that is created', one(licence, { body: stored }), 'created 7 abc (1)'],
  ['a licence that exists', one(licence, refused, { body: stored }), 'exists 7 abc (2)'],
  [
    'a licence that may not exist',
    { ...one(licence, refused, { body: stored }), onExisting: 'fail' },
    'rejected 7 abc (2)',
    'a licence with the code "abc" exists already',
  ],
  [
    'a code of another licence',
    one(licence, refused, { body: { ...stored, name: 'B' } }),
    'conflict 7 abc (2)',
    'a licence with the code "abc" exists already with other values: name is "B", not "A"',
  ],
  [
    'a code of another organization',
    one(licence, refused, ...hidden),
    'conflict abc (5)',
    'a licence with the code "abc" exists already: the code belongs to another organization',
  ],
  ['a refused licence that cannot be looked up', one(licence, refused, { status: 400 }), 'rejected abc (2)', REFUSED],
  ['a refused licence', one(licence, refused, gone), 'rejected abc refused (3)', REFUSED],
  ['a lost licence', one(licence, lost(), { body: stored }), 'created 7 abc (2)'],
  [
    'a lost licence that is not shown',
    one(licence, lost(), ...hidden),
    'unknown abc (5)',
    `a licence with the code "abc" exists, but the service does not show it: an earlier attempt may have created it. ${CODE}`,
  ],
  [
    'a lost licence that cannot be looked up',
    one(licence, lost(), { status: 400 }),
    'unknown abc (2)',
    `the service rejected the request (400): Bad Request. ${CODE}`,
  ],
  ['a lost licence at the end of a run', { ...one(licence, lost()), ...stopped }, 'sending abc (1)'],
  ['a licence at the end of a run', { ...one(licence, busy), ...stopped }, 'planned (1)'],
  ['a licence of another job', one(known(), { body: stored }), 'exists 7 abc (1)'],
  ['a licence of another job that is gone', one(known(), gone, gone, { body: stored }), 'created 7 abc NOTED (3)'],
  ['a licence of another job that appears late', one(known(), gone, { body: stored }), 'exists 7 abc (2)'],
  ['a licence of another job, stopped before the second look', { ...one(known(), gone), ...stopped }, 'planned (1)'],
  [
    'a licence of another job that is another now',
    one(known(), { body: other }, { body: other }),
    'created 7 abc NOTED (2)',
  ],
  ['a licence with a derived code that is another now', one(known(true), { body: other }), 'exists 7 abc (1)'],
  ['a licence of another job that cannot be read', one(known(), refused), 'rejected abc (1)', REFUSED],
  ['a class that is created', one(schoolClass, { body: made }), 'created c1 (1)'],
  ['a lost class', { ...one(schoolClass, lost()), match: { is: 'ours', item: made } }, 'created c1 (1)'],
  [
    'a class that was not created',
    { ...one(schoolClass, lost()), match: absent },
    'unknown (1)',
    `${LOST} No equal class has been added so far. ${LIST} \`edu jobs retry JOB\` looks it up again, and sends it again if it still does not exist.`,
  ],
  [
    'a class that may be equal',
    { ...one(schoolClass, lost()), match: { is: 'absent', showing: { ...showing, isDistinct: false } } },
    'unknown (1)',
    `${LOST} No equal class has been added so far. ${LIST} ${AGAIN}`,
  ],
  [
    'a class that may be another',
    { ...one(schoolClass, lost()), match: unclear },
    'unknown (1)',
    `${LOST} The class c1 is equal to it, and WHY. ${LIST} ${AGAIN}`,
  ],
  [
    'a class that may be one of two',
    { ...one(schoolClass, lost()), match: { ...unclear, items: [made, { classId: 'c2' }] } },
    'unknown (1)',
    `${LOST} The classes c1 and c2 are equal to it, and WHY. ${LIST} ${AGAIN}`,
  ],
  [
    'a lost class in no list',
    one(schoolClass, lost()),
    'unknown (1)',
    `${LOST} Check with \`edu classes list --school s1\` before you run it again, which could create a second class. \`edu jobs retry JOB --unknown\` sends it again.`,
  ],
  [
    'a class of an earlier run',
    { ...one(schoolClass), earlier: true, match: unclear },
    'unknown (0)',
    `It may have been carried out in an earlier run, whose outcome is unknown. The class c1 is equal to it, and WHY. ${LIST} ${AGAIN}`,
  ],
  ['a refused class', one(schoolClass, refused), 'rejected refused (1)', REFUSED],
  ['a cancellation', one(cancel('7'), done), 'updated 7 (1)'],
  ['a refused cancellation', one(cancel('7'), refused), 'rejected 7 (1)', REFUSED],
  ['a cancellation of nothing', one(cancel('7'), gone), 'rejected 7 (1)', 'not found (404): Not Found'],
  ['a cancellation repeated', one(cancel('7'), lost(), gone), 'updated 7 (2)'],
  [
    'a cancellation refused again',
    one(cancel('7'), lost(), refused),
    'unknown 7 (2)',
    `${REFUSED}. An earlier attempt may have carried it out`,
  ],
  [
    'a deletion refused again',
    one({ endpoint: licenses.delete, input: { params: { id: '7' } } }, lost(), refused),
    'rejected 7 (2)',
    REFUSED,
  ],
  ['a cancellation without a token', one(cancel('7'), { status: 401 }), 'planned (1)'],
  ['an undo', one(cancel('7', { undoes: 'cancelled' }), done), 'updated 7 cancelled (1)'],
  ['an undo of nothing', one(cancel('7', { undoes: 'cancelled' }), gone), 'updated 7 cancelled (1)'],
  ['a refused undo', one(cancel('7', { undoes: 'cancelled' }), refused), 'rejected 7 cancelled (1)', REFUSED],
  ['two writes, one refused', { writes: both, script: [done, refused] }, 'rejected 8 (2)', `1 of 2 done; ${REFUSED}`],
  ['two writes, refused', { writes: both, script: [refused] }, 'rejected 8 (2)', REFUSED],
  [
    'two writes, one after the other',
    { writes: [cancel('7'), cancel('8', { needsPrevious: true })], script: [refused] },
    'rejected 7 (1)',
    REFUSED,
  ],
  ['two writes at the end of a run', { writes: both, script: [done, busy], ...stopped }, 'sending (2)'],
  ['no write at the end of a run', { writes: both, script: [busy], ...stopped }, 'planned (1)'],
  ['an assignment repeated', one(assign, lost(), refused, holding('u1')), 'updated u1 (3)'],
  [
    'an assignment refused again',
    one(assign, lost(), refused, holding('u2')),
    'unknown u1 (3)',
    `${REFUSED}. An earlier attempt may have carried it out`,
  ],
  [
    'an unreadable assignment',
    one(assign, { body: '<html>' }),
    'unknown u1 (3)',
    'It was probably carried out: the service returned a page instead of JSON (status 200)',
  ],
  ['an upload', one(withFile, { body: { id: 'f1' } }, { body: { id: 'u1' } }), 'updated u1 (2)'],
  ['a refused upload', one(withFile, refused), 'rejected u1 (1)', REFUSED],
  [
    'a lost upload',
    one(withFile, lost()),
    'unknown u1 (1)',
    `Its file may have been stored: the connection was closed. ${FILES}`,
  ],
  [
    'an upload without an ID',
    one(withFile, { body: { id: '' } }),
    'unknown u1 (1)',
    `The upload response contains no file ID. ${FILES}`,
  ],
  [
    'an upload of an earlier run',
    { ...one(withFile), earlier: true },
    'unknown u1 (0)',
    `Its file may have been stored in an earlier run, whose outcome is unknown. ${FILES}`,
  ],
  ['an upload at the end of a run', { ...one(withFile, busy), ...stopped }, 'planned (1)'],
])('%s', async (_, write, ...expected) => {
  expect(await sent(write)).toEqual(expected);
});

test('only rows whose look-up is cheap are noted ahead of their turn', () => {
  const write = (endpoint: RowWrite['endpoint'], more: Partial<RowWrite> = {}): RowWrite => ({
    endpoint,
    input: {},
    ...more,
  });
  const [plain, unkeyed] = [write(licenses.create), write(subscriptions.create)];
  const upload = write(files.upload, { upload: { endpoint: files.upload, input: {} } });
  expect([[plain], [], [unkeyed], [plain, unkeyed], [upload]].map(canNoteAhead)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
