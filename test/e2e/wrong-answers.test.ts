/** Answers with members of another kind: nothing is decided by them. */
import { expect, test } from 'vitest';
import { run } from '../support/run.js';
import { type Answers, scriptedService } from '../support/scripted-service.js';
import { settleAtOnce, skipWaits } from '../support/skip-waits.js';
import { AUTUMN } from './output-answers.js';

skipWaits();
settleAtOnce();

const LICENCE = {
  ...AUTUMN,
  id: 'l1',
  code: 'abc',
  books: [{ id: 'b1', ean: '1', title: 'A' }],
  maximumActivations: 5,
  numberOfActivations: 1,
  organization: { id: 's1', type: 'School' },
};
const USER = { id: 'u1', email: 'mia@s1.example', firstName: 'Mia', lastName: 'Ott', roles: [{ id: 'r1', name: 'A' }] };
const CLASS = { classId: 'c1', className: '7b', classCode: 'k', subjectId: '1', usersInClass: ['u1'] };
const ORGANIZATION = { id: 's1', type: 'School' };

/** Runs a command against a service of one licence, user and class. @returns the result and the writes */
async function edu(line: string, answers: Answers, input = '') {
  const { env, sent } = await scriptedService({
    'GET /v1/account': { body: { id: 'u1', email: 'mia@s1.example', roles: [], permissions: [] } },
    'GET /v1/users/u1': { body: { ...USER, organization: ORGANIZATION } },
    'GET /v1/users': { body: { users: [{ ...USER, organization: ORGANIZATION }] } },
    'GET /v1/licenses/l1': { body: LICENCE },
    'GET /v1/licenses/code/abc': { body: LICENCE },
    'GET /v1/licenses': ({ query }) => ({ body: { licenses: query.type === 'BOOKS' ? [LICENCE] : [] } }),
    'GET /v1/classes/c1': { body: CLASS },
    'GET /v1/schools/s1': { body: { id: 's1', name: 'Gym' } },
    'GET /v1/schools': { body: { schools: [{ id: 's1', name: 'Gym', country: 'DE', city: 'Bonn', roles: [] }] } },
    'GET /v1/publishers': { body: { publishers: [] } },
    'GET /v1/schools/s1/classes': { body: [CLASS] },
    'GET /v1/books/subjects': { body: { subjects: [{ id: '1', translatedName: 'Biology' }] } },
    ...answers,
  });
  const ran = await run(line.split(' '), { env, input });
  return { ...ran, writes: sent.filter((one) => !one.line.startsWith('GET ')), lines: sent.map((one) => one.line) };
}

const LISTED = { ...USER, organization: ORGANIZATION };

test.each<[string, Answers, string]>([
  [
    'a member that is an object',
    { 'GET /v1/schools/s1/classes': { body: [{ ...CLASS, usersInClass: [{}] }] } },
    'usersInClass.0 {}',
  ],
  [
    'members that are a text',
    { 'GET /v1/schools/s1/classes': { body: [{ ...CLASS, usersInClass: 'u1' }] } },
    'usersInClass "u1"',
  ],
  [
    'no member',
    { 'GET /v1/schools/s1/classes': { body: [{ ...CLASS, usersInClass: [null] }] } },
    'usersInClass.0 null',
  ],
  [
    'a role without an ID',
    { 'GET /v1/users': { body: { users: [{ ...LISTED, roles: [{ name: 'A' }] }] } } },
    'roles.0.id null',
  ],
  ['an address that is an object', { 'GET /v1/users': { body: { users: [{ ...LISTED, email: {} }] } } }, 'email {}'],
])('a class is not made equal to a list if the service shows %s', async (_, answers, what) => {
  const { code, stderr, writes } = await edu(
    'classes sync 7b --school s1 --from - --yes',
    answers,
    'email\nmia@s1.example\n',
  );
  expect([code, writes]).toEqual([1, []]);
  expect(stderr).toContain(`the service returned an item with the invalid ${what}`);
});

test.each<[unknown, string]>([
  [{}, 'the invalid usersInClass {}'],
  [[['u1']], 'the invalid usersInClass.0 ["u1"]'],
])('a licence is not given to the class with the members %j', async (usersInClass, what) => {
  for (const line of ['licenses sync l1 --class c1 --yes', 'licenses assign l1 --class c1']) {
    const { code, stderr, writes } = await edu(line, { 'GET /v1/classes/c1': { body: { ...CLASS, usersInClass } } });
    expect([code, writes, stderr]).toEqual([1, [], expect.stringContaining(`an item with ${what}`)]);
  }
});

test.each<unknown>(['<html>', { error: 'down' }, [CLASS, null]])(
  'a class is not created where the list of classes is %j',
  async (body) => {
    const answers = { 'GET /v1/schools/s1/classes': { body } };
    const bulk = await edu('classes create --from - --school s1 --subject 1', answers, 'name\n7b\n');
    expect([bulk.code, bulk.writes]).toEqual([3, []]);
    const single = await edu('classes create --name 7b --school s1 --subject 1', answers);
    expect([single.code, single.writes]).toEqual([1, []]);
  },
);

test.each<unknown>(['d1', [], { id: ['d1'] }, { id: 'd1' }])(
  'rows are not sent for the organization %j',
  async (organization) => {
    const line = 'licenses create --count 2 --type Teacher --name A --maximum-activations 1';
    const { code, stderr, writes } = await edu(line, { 'GET /v1/users/u1': { body: { ...USER, organization } } });
    expect([code, writes, stderr]).toEqual([1, [], expect.stringContaining('does not name your organization')]);
  },
);

test('what a deletion returns is no ID', async () => {
  const { code, stdout } = await edu('licenses delete l1 --yes --quiet', { 'DELETE /v1/licenses/l1': { body: '7' } });
  expect([code, stdout]).toEqual([0, 'l1\n']);
});

test('people and labels of another kind are not shown', async () => {
  const odd = { 'GET /v1/licenses/l1': { body: { ...LICENCE, name: {}, endUsers: 'u1' } } };
  const activations = { activations: [{ creationDate: null, expirationDate: null, user: 'u1' }] };
  const named = await edu('licenses activations l1 --with-names --json', {
    ...odd,
    'GET /v1/licenses/l1/activations': { body: activations },
  });
  expect([named.code, named.stderr, JSON.parse(named.stdout)[0].lastName]).toEqual([0, '', 'Ott']);
  const { stderr } = await edu('licenses update l1 --name A --dry-run', odd);
  expect(stderr).toContain('no category of licence l1 "(abc)"');
});

test('a list asks for nothing by an ID that an item does not have', async () => {
  const answers = { 'GET /v1/licenses': { body: { licenses: [{ name: 'A', numberOfActivations: 1 }] } } };
  const { code, stderr, lines } = await edu('licenses list --type BOOKS --user u1', answers);
  expect([code, lines.filter((line) => line.includes('undefined'))]).toEqual([0, []]);
  expect(stderr).toContain('Whether the user holds licence without an ID is not known');
  const blank = await edu('licenses list --type BOOKS -o ids', {
    'GET /v1/licenses': { body: { licenses: [{ id: ' ' }] } },
  });
  expect([blank.code, blank.stdout]).toEqual([1, '']);
});
