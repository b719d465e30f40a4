import { expect, test } from 'vitest';
import { books } from '../../../../src/contract/books.js';
import { classes } from '../../../../src/contract/classes.js';
import { licenses } from '../../../../src/contract/licenses.js';
import { users } from '../../../../src/contract/users.js';
import type { Step } from '../../../support/scripted-send.js';
import { bench, failure, lost } from '../support.js';

const input = {
  body: {
    name: 'Autumn',
    code: 'abc123',
    maximumActivations: 5,
    type: 'Books',
    books: ['01', '2'],
    expiration: { type: 'Days', days: 365 },
  },
} as const;
const stored = {
  id: '7',
  name: 'Autumn',
  code: 'abc123',
  type: 'Books',
  books: [
    { id: '2', ean: 'e2', title: 'Two' },
    { id: '01', ean: 'e1', title: 'One' },
  ],
  expiration: { type: 'Days', days: 365, date: null },
  maximumActivations: 5,
  numberOfActivations: 0,
  organization: { id: '9', type: 'Publisher' },
  licenseCategory: 'Standard',
  endUsers: [],
};
const POST = 'POST /v1/licenses';
const LOOK = 'GET /v1/licenses/code/abc123';
const create = (script: readonly Step[], options = {}) => {
  const one = bench(script, options);
  return { ...one, created: one.client.call(licenses.create, input) };
};

const UNCLEAR: readonly (readonly [string, Step])[] = [
  ['a reset', lost()],
  ['a time-out', lost({ timedOut: true })],
  ['a 408', { status: 408 }],
  ['a 500', { status: 500 }],
  ['a 502', { status: 502 }],
  ['a 503', { status: 503 }],
  ['a 504', { status: 504 }],
];

test.each(UNCLEAR)('%s after the licence was created: finds it, and returns it like a create', async (_, step) => {
  const { created, lines, clock } = create([step, { body: stored }]);
  expect(await created).toEqual({
    ...stored,
    books: [
      { id: '2', ean: 'e2', name: 'Two' },
      { id: '01', ean: 'e1', name: 'One' },
    ],
  });
  expect(lines()).toEqual([POST, LOOK]);
  expect(clock.waits).toEqual([250]);
});

test('a 304 after the licence was created: finds it, since the status does not say that nothing was done', async () => {
  const { created, lines } = create([{ status: 304 }, { body: stored }]);
  expect(await created).toMatchObject({ id: '7' });
  expect(lines()).toEqual([POST, LOOK]);
});

test('reports a conflict for a code of another licence, and sends nothing more', async () => {
  const { created, lines } = create([lost(), { body: { ...stored, name: 'Spring', maximumActivations: 6 } }]);
  const error = await failure(created);
  expect(error).toMatchObject({ kind: 'conflict', exitCode: 1 });
  expect(error.message).toContain('"abc123" exists already');
  expect(error.message).toContain('name is "Spring", not "Autumn"; maximumActivations is 6, not 5');
  expect(lines()).toEqual([POST, LOOK]);
});

test('leaves the outcome unknown if the code may not be read, and sends nothing more', async () => {
  const me = { body: { id: '1', email: 'a@b.example' } };
  const { created, lines } = create([lost(), { status: 403 }, me, { body: { licenses: [] } }]);
  const error = await failure(created);
  expect(error).toMatchObject({
    kind: 'outcome_unknown',
    exitCode: 1,
    message: expect.stringContaining('you may not see it'),
  });
  expect(lines()).toEqual([POST, LOOK, 'GET /v1/account', 'GET /v1/licenses?type=BOOKS&limit=100']);
});

test('counts a derived code as its own, although it may not be read', async () => {
  const me = { body: { id: '1', email: 'a@b.example' } };
  const one = bench([lost(), { status: 403 }, me, { body: { licenses: [] } }]);
  expect(await one.client.call(licenses.create, input, { ownsKey: true })).toBeUndefined();
  expect(one.lines().filter((line) => line === POST)).toHaveLength(1);
});

test('leaves the outcome unknown if the look-up fails: exit 1, with the command to check', async () => {
  const { created, lines } = create([lost()]);
  const error = await failure(created);
  expect(error).toMatchObject({ kind: 'outcome_unknown', exitCode: 1, method: 'POST', path: '/v1/licenses' });
  expect(error.hint).toContain('edu licenses get code:');
  expect(lines()).toEqual([POST, LOOK, LOOK, LOOK, LOOK]);
});

test('looks up the licence after the last attempt', async () => {
  const busy = create([{ status: 503 }, { status: 404 }, { status: 503 }, { status: 404 }], {
    maxWaitMs: 250,
  });
  expect(await failure(busy.created)).toMatchObject({
    kind: 'unavailable',
    exitCode: 7,
    hint: 'No licence with the code "abc123" exists, so it is safe to run the command again.',
  });
  expect(busy.lines()).toEqual([POST, LOOK, POST, LOOK, LOOK]);
  const done = create([lost(), { body: stored }], { retries: 0 });
  expect(await done.created).toMatchObject({ id: '7' });
  const late = create([lost(), { status: 404 }, { body: stored }], { retries: 0 });
  expect(await late.created).toMatchObject({ id: '7' });
  const off = create([lost(), { status: 404 }], { retries: 0 });
  expect(await failure(off.created)).toMatchObject({ kind: 'unreachable', exitCode: 7 });
  expect(off.lines()).toEqual([POST, LOOK, LOOK]);
});

test('looks up the licence after a success that cannot be read', async () => {
  for (const body of ['', '<html></html>', '{"id": "7', 'null', [], { ...stored, id: '' }]) {
    const { created, lines } = create([{ status: 200, body }, { body: stored }]);
    expect(await created).toMatchObject({ id: '7', code: 'abc123' });
    expect(lines()).toEqual([POST, LOOK]);
  }
  const late = create([{ body: '<html></html>' }, { status: 404 }, { body: stored }]);
  expect(await late.created).toMatchObject({ id: '7' });
  const page = create([{ body: '<html></html>' }, { status: 404 }]);
  expect(await failure(page.created)).toMatchObject({
    kind: 'invalid_response',
    hint: expect.stringMatching(/^No licence with the code "abc123" exists\. Check the base URL/),
  });
  expect(page.lines()).toEqual([POST, LOOK, LOOK]);
});

const person = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'Ada@x.example',
  language: 'EN',
  organization: { id: '9', type: 'School' },
  roles: ['r2', 'r1'],
} as const;
const user = { ...person, id: 'u1', email: 'ada@x.example', avatarUrl: null, roles: [{ id: 'r1' }, { id: 'r2' }] };

test('leaves a user unknown who is not found while the service may still be creating it', async () => {
  const { client, lines } = bench([lost({ timedOut: true }), { status: 404 }]);
  expect(await failure(client.call(users.create, { body: person }))).toMatchObject({ kind: 'outcome_unknown' });
  expect(lines().filter((line) => line.startsWith('POST'))).toHaveLength(1);
});

test.each([{ id: 'u1' }, '"u1"', 'u1', { userId: 'u1' }, { user: { id: 'u1' } }, ['u1']])(
  'looks up a user by e-mail when the response is %j, and mails one password',
  async (answer) => {
    const { client, lines } = bench([{ status: 504 }, { body: answer }, { body: user }]);
    expect(await client.call(users.create, { body: person })).toEqual(user);
    expect(lines()).toEqual(['POST /v1/users', 'GET /v1/users/userId/Ada%40x.example', 'GET /v1/users/u1']);
  },
);

test('sends a user again only if the look-up finds none', async () => {
  const absent = bench([lost(), { status: 404 }, { status: 404 }, { body: user }]);
  expect(await absent.client.call(users.create, { body: person })).toEqual(user);
  expect(absent.lines().filter((line) => line.startsWith('POST'))).toHaveLength(2);
  const unclear = bench([lost(), { body: { id: 'u1' } }, { status: 403 }, { body: { id: 'me' } }]);
  expect(await failure(unclear.client.call(users.create, { body: person }))).toMatchObject({ kind: 'outcome_unknown' });
  const gone = bench([lost(), { body: { id: 'u1' } }, { status: 404 }]);
  expect(await failure(gone.client.call(users.create, { body: person }))).toMatchObject({ kind: 'outcome_unknown' });
  expect(gone.lines().filter((line) => line.startsWith('POST'))).toHaveLength(1);
});

// The API document shows no shape of this response, and a second request would mail a second password.
test.each([{ key: 'u1', address: 'ada@x.example' }, [], null])(
  'leaves a user unknown when the look-up returns %j, which contains no ID',
  async (answer) => {
    const { client, lines } = bench([lost(), { body: answer }]);
    const error = await failure(client.call(users.create, { body: person }));
    expect(error).toMatchObject({ kind: 'outcome_unknown', exitCode: 1 });
    expect(error.hint).toContain('contains no ID of the user Ada@x.example');
    expect(lines()).toEqual(['POST /v1/users', 'GET /v1/users/userId/Ada%40x.example']);
  },
);

const book = {
  ean: '00978',
  title: 'B',
  year: 2026,
  stream: 'A1',
  subject: '3',
  type: 'Guide',
  language: 'DE',
} as const;
const shelf = (...found: object[]): Step => ({ body: { books: found } });
const shown = {
  id: '5',
  ean: '00978',
  title: 'B',
  year: 2026,
  level: 'A1',
  series: null,
  subject: { id: '3', translatedName: null },
  type: { name: 'Guide', translatedName: 'Guide' },
  organization: { id: '9', type: 'Publisher' },
};

test('looks up a book by EAN in its organization, with the field names of responses', async () => {
  const { client, lines } = bench([lost(), shelf({ ...shown, id: '4', ean: '978' }, shown)]);
  const body = { ...book, organization: { id: '9', type: 'Publisher' } } as const;
  expect(await client.call(books.create, { query: { language: 'FR' }, body })).toEqual(shown);
  expect(lines()[1]).toBe('GET /v1/books?organization=9&type=Publisher&language=FR&limit=100');
});

test("looks up a book without an organization in the caller's own", async () => {
  const me = { id: 'me', email: 'a@b.example' };
  const own = { ...me, organization: { id: '8', type: 'School' } };
  const answers = [{ status: 502 }, { body: me }, { body: own }, shelf(), shelf(), { body: shown }];
  const { client, lines, clock } = bench(answers);
  expect(await client.call(books.create, { body: book })).toEqual(shown);
  const list = 'GET /v1/books?organization=8&type=School&language=EN&limit=100';
  expect(lines().slice(1, 5)).toEqual(['GET /v1/account', 'GET /v1/users/me', list, list]);
  // Before the second look.
  expect(clock.waits).toContain(2000);
});

test.each([
  ['a lost response', lost(), true],
  ['a 503', { status: 503 }, true],
  ['a 429', { status: 429 }, false],
] as const)('warns of an earlier attempt when a deletion is refused after %s', async (_, first, isWarned) => {
  const one = bench([first, { status: 422, body: { message: 'no' } }]);
  const { kind, hint } = await failure(one.client.call(licenses.delete, { params: { id: '7' } }));
  expect(kind).toBe('refused');
  expect(hint?.includes('An earlier attempt got no response and may have succeeded') ?? false).toBe(isWarned);
});

test('a write by ID that is repeated returns the response, and a deletion that was done before its ID', async () => {
  const shownClass = { classId: '7', className: 'B', schoolId: 's1', subjectId: '1' };
  const update = bench([lost(), { body: shownClass }]);
  const changed = update.client.call(classes.update, { params: { id: '7' }, body: { name: 'B', subjectId: '1' } });
  expect(await changed).toMatchObject(shownClass);
  // It may have been carried out, but it is safe to run it again.
  const off = bench([lost()], { retries: 0 });
  const unknown = off.client.call(classes.update, { params: { id: '7' }, body: { name: 'B', subjectId: '1' } });
  expect(await failure(unknown)).toMatchObject({ kind: 'unreachable', exitCode: 7 });
  const removal = bench([lost(), { status: 404 }]);
  expect(await removal.client.call(classes.delete, { params: { id: '7' } })).toEqual({ classId: '7' });
  const page = bench([{ body: '<html></html>' }]);
  const { hint } = await failure(page.client.call(licenses.cancel, { params: { id: '7' } }));
  expect(hint).toContain('It is safe to run the command again.');
});
