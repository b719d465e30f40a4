/** A service that returns IDs as numbers, although the API document says that they are strings. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { home, run, temporaryFolder } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';

const OWN = { id: 1, type: 'Distributor' };
const school = { id: 11, name: 'Nord', country: 'DE', city: 'Kiel', roles: [] };
const person = (id: number, email: string) => ({ id, email, firstName: 'A', lastName: 'B', roles: [{ id: 7 }] });
const mia = { ...person(5, 'mia@s.example'), organization: { id: 11, type: 'School' } };
const tom = { ...person(6, 'tom@s.example'), organization: { id: 11, type: 'School' } };
const schoolClass = { classId: 3, className: '5a', subjectId: 9, usersInClass: [5, 6] };
const licence = { id: 4, name: 'L', code: 'l4', type: 'Teacher', maximumActivations: 9, numberOfActivations: 0 };
const list = (name: string, ...items: unknown[]) => ({ body: { [name]: items, paging: {} } });

let service: Awaited<ReturnType<typeof scriptedService>>;
const edu = (line: string, input = '') => run(line.split(' '), { env: { ...home(), ...service.env }, input });
const written = () => service.sent.flatMap(({ line, json }) => (line.startsWith('GET') ? [] : [[line, json]]));

beforeEach(async () => {
  service = await scriptedService({
    'GET /v1/account': { body: { ...person(2, 'me@d.example') } },
    'GET /v1/users/2': { body: { ...person(2, 'me@d.example'), organization: OWN } },
    'GET /v1/users/5': { body: mia },
    'GET /v1/users': list('users', mia, tom),
    'PUT /v1/users/5': { body: mia },
    'GET /v1/schools/11': { body: school },
    'GET /v1/schools': list('schools', school),
    'GET /v1/publishers': list('publishers'),
    'GET /v1/books/subjects': list('subjects', { id: 9, translatedName: 'Art' }),
    'GET /v1/classes/3': { body: schoolClass },
    'GET /v1/schools/11/classes': { body: [{ ...schoolClass, schoolId: 11, deactivationDate: null }] },
    'PUT /v1/unAssignClass/unAssignClassFromUser': { body: schoolClass },
    'GET /v1/licenses': list('licenses', { ...licence, organization: { id: 11, type: 'School' } }),
    'POST /v1/licenses': { body: licence },
    '*': { status: 404, body: {} },
  });
});

test('names the organization of the caller', async () => {
  expect(await edu('whoami --query organization.id')).toMatchObject({ code: 0, stdout: '1\n' });
});

test('refuses to anonymize the caller', async () => {
  expect(await edu('users anonymize 2 --yes')).toMatchObject({ code: 2 });
  expect(written()).toEqual([]);
});

test('filters by organization', async () => {
  expect(await edu('licenses list --type BOOKS --organization 11 -o ids')).toMatchObject({ code: 0, stdout: '4\n' });
});

test('sends IDs back as strings', async () => {
  expect(await edu('users update 5 --first-name C')).toMatchObject({ code: 0 });
  expect(written()).toEqual([
    ['PUT /v1/users/5', { firstName: 'C', lastName: 'B', roles: ['7'], organization: { id: '11', type: 'School' } }],
  ]);
});

test('writes the IDs of created items to the results of a job', async () => {
  const results = join(temporaryFolder(), 'results.csv');
  const row = 'name,type,maximumActivations,code\nL,Teacher,9,l4\n';
  expect(await edu(`licenses create --from - --results ${results}`, row)).toMatchObject({ code: 0 });
  expect(readFileSync(results, 'utf8')).toContain('1,created,4,l4,');
});

test('removes members of a class', async () => {
  const ran = await edu('classes sync 3 --school 11 --from - --yes', 'email\nmia@s.example\n');
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('1 step: 1 done') });
  expect(written()).toEqual([['PUT /v1/unAssignClass/unAssignClassFromUser', { classId: '3', userId: '6' }]]);
});
