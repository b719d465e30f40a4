/**
 * Single creates without a key that may have been carried out: the error names equal items, and nothing is sent again.
 */
import { expect, test } from 'vitest';
import { classes } from '../../../../src/contract/classes.js';
import { files } from '../../../../src/contract/files.js';
import { readers } from '../../../../src/contract/readers.js';
import { subscriptions } from '../../../../src/contract/subscriptions.js';
import { users } from '../../../../src/contract/users.js';
import type { Sent, Step } from '../../../support/scripted-send.js';
import { bench, failure, lost } from '../support.js';

const newClass = { body: { subjectId: '0001', schoolId: 's 1', name: 'Élan' } } as const;
/** Classes as in a school's list. */
const shownClass = (classId: string, more: Readonly<Record<string, unknown>> = {}) => ({
  classId,
  className: 'Élan',
  classCode: 'x1',
  subjectId: '0001',
  usersInClass: null,
  schoolId: 's 1',
  creationDate: '2026-11-20T09:30:00.000',
  deactivationDate: null,
  ...more,
});

const LIST = 'GET /v1/schools/s%201/classes';
const UNCLEAR: readonly (readonly [string, Step])[] = [
  ['a reset', lost()],
  ['a time-out', lost({ timedOut: true })],
  ['a 500', { status: 500 }],
];

const written = (lines: readonly string[]): number => lines.filter((line) => !line.startsWith('GET')).length;

test.each(UNCLEAR)('names an equal class with its creation date: %s', async (_, step) => {
  const others = [
    shownClass('c1', { className: 'Elan' }),
    shownClass('c2', { subjectId: '0002' }),
    { ...shownClass('c3'), className: undefined },
  ];
  const { client, lines, clock } = bench([step, { body: [...others, shownClass('c17')] }]);
  const error = await failure(client.call(classes.create, newClass));
  expect(error).toMatchObject({
    kind: 'outcome_unknown',
    exitCode: 1,
    message: expect.stringContaining('may have been carried out'),
    hint:
      'The class c17 is equal to it: it was created by this command, or existed before. ' +
      "Check with `edu classes list --school 's 1'` before you run it again, which could create a second class.",
    details: [{ where: 'class c17 (created 2026-11-20T09:30:00.000)', message: 'is equal to it' }],
  });
  expect(lines()).toEqual(['POST /v1/classes', LIST]);
  expect(clock.waits).toEqual([2000]);
});

test.each([
  ['the only active one is it', [shownClass('c3', { deactivationDate: '2026-01-01' }), shownClass('c17')], 'c17'],
  ['one of two may be it', [shownClass('c3'), shownClass('c17')], undefined],
  ['none is it', [], undefined],
])('of equal classes none existed before: %s', async (_, body, classId) => {
  const { client, lines } = bench([lost(), { body }]);
  const created = client.call(classes.create, newClass, { ownsKey: true });
  if (classId === undefined) expect((await failure(created)).kind).toBe('outcome_unknown');
  else expect(await created).toMatchObject({ classId });
  expect(lines()).toEqual(['POST /v1/classes', LIST]);
});

test('names all of several equal items', async () => {
  const items = Array.from({ length: 7 }, (_, index) => shownClass(`c${index}`, { creationDate: null }));
  const { client, lines } = bench([lost(), { body: items }]);
  const error = await failure(client.call(classes.create, newClass));
  expect(error.hint).toContain('This command may have created one of these 7 equal classes. Check with');
  expect(error.details.map(({ where }) => where)).toEqual(items.map(({ classId }) => `class ${classId}`));
  expect(written(lines())).toBe(1);
});

test('is still unknown without an equal item', async () => {
  const { client, lines } = bench([lost(), { body: [] }]);
  const error = await failure(client.call(classes.create, newClass));
  expect(error).toMatchObject({
    kind: 'outcome_unknown',
    hint: expect.stringContaining('The list shows no equal class so far. Check with `edu classes list'),
    details: [],
  });
  expect(written(lines())).toBe(1);
});

test('compares readers by title, subject, organization and download, over all pages', async () => {
  const reader = (id: string, more: Readonly<Record<string, unknown>> = {}) => ({
    id,
    ean: `9${id}`,
    title: 'Fractions',
    subject: { id: '0001', translatedName: 'Mathematics' },
    organization: { id: 'd1', type: 'Distributor' },
    pdfDownloadable: true,
    ...more,
  });
  const pages = (sent: Sent): Step => {
    if (sent.method !== 'GET') return lost();
    if (sent.path.includes('cursor=')) return { body: { readers: [reader('r4')], paging: { nextCursor: null } } };
    const items = [
      reader('r1', { title: 'Fractions 2' }),
      reader('r2', { subject: { id: '0002' } }),
      reader('r3', { pdfDownloadable: false }),
    ];
    return { body: { readers: items, paging: { nextCursor: 'next' } } };
  };
  const body = { title: 'Fractions', subject: '0001', language: 'DE', pdfDownloadable: true, fileId: 'f1' } as const;
  const { client, lines } = bench(pages);
  const error = await failure(client.call(readers.createFromFile, { query: { language: 'FR' }, body }));
  expect(error.hint).toContain('The reader r4 is equal to it');
  expect(lines()).toEqual([
    'PUT /v1/readers?language=FR',
    'GET /v1/readers?language=FR&limit=100',
    'GET /v1/readers?language=FR&limit=100&cursor=next',
  ]);
});

test('compares subscriptions by their two fields; one of another organization is in no list', async () => {
  const answers = ({ method, path }: Sent): Step => {
    if (method === 'POST') return { status: 500 };
    if (path === '/v1/account') return { body: { id: 'u1', email: 'a@b.example' } };
    if (path === '/v1/users/u1') return { body: { id: 'u1', organization: { id: 'd1', type: 'Distributor' } } };
    const one = { id: 'a1', code: 'x', maximumActivations: 4, numberOfActivations: 0, expirationDate: '2031-01-31' };
    const items = [
      one,
      { ...one, id: 'a2', maximumActivations: 5 },
      { ...one, id: 'a3', expirationDate: '2031-02-01' },
    ];
    return { body: { subscriptions: items, paging: { nextCursor: null } } };
  };
  const body = { maximumActivations: 4, expirationDate: '2031-01-31' } as const;
  const create = async (more: object = {}) => {
    const { client, lines } = bench(answers);
    const error = await failure(client.call(subscriptions.create, { body: { ...body, ...more } }));
    return { error, lines: lines() };
  };
  expect((await create()).error.hint).toContain('The subscription a1 is equal to it');
  expect((await create({ organization: { id: 'd1', type: 'Distributor' } })).error.hint).toContain('a1 is equal to it');
  const other = await create({ organization: { id: 's1', type: 'School' } });
  expect(other.error).toMatchObject({
    kind: 'outcome_unknown',
    hint: expect.stringContaining('edu subscriptions list'),
  });
  expect(other.error.hint).toContain('shows only those of your organization: ask the organization s1 before');
  expect(other.error.hint).not.toContain('a1');
  expect(other.lines).toEqual(['POST /v1/subscriptions', 'GET /v1/account', 'GET /v1/users/u1']);
});

test('sends no look-up for end users and files, which no list shows', async () => {
  const person = { firstName: 'A', lastName: 'B', email: 'a@b.example', language: 'EN' } as const;
  const one = bench([lost()]);
  expect((await failure(one.client.call(users.createEndUser, { body: person }))).hint).toContain('cannot be listed');
  expect(one.lines()).toEqual(['POST /v1/users/enduser']);
  const file = {
    filename: 'a.pdf',
    contentType: 'application/pdf',
    size: 1,
    open: async function* () {
      yield Buffer.from('x');
    },
  };
  const two = bench([lost()]);
  const sent = two.client.call(files.upload, { body: { file, fileType: 'Document' } });
  expect((await failure(sent)).hint).toContain('cannot be listed');
  expect(two.lines()).toEqual(['POST /v1/files']);
});

test('names equal items after a success that cannot be read', async () => {
  const { client, lines } = bench([{ body: '{"classId": "c17", "class' }, { body: [shownClass('c17')] }]);
  const error = await failure(client.call(classes.create, newClass));
  expect(error).toMatchObject({
    kind: 'invalid_response',
    hint: expect.stringContaining('It was probably carried out. The class c17'),
  });
  expect(lines()).toEqual(['POST /v1/classes', LIST]);
});
