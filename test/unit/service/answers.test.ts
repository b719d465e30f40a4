/**
 * Every endpoint's response, compared with its row of the contract. The IDs are those of the demo data (seeds/cast.ts).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/contract/index.js';
import type { Endpoint } from '../../../src/contract/vocabulary.js';
import type { Method } from '../../../src/core/http.js';
import { answerProblems } from '../../support/answer-problems.js';
import { type Bundled, bundled, type Call, closeBundled, FORM_TYPE, formOf } from '../../support/bundled-service.js';

const rows = Object.entries(contract as Record<string, Record<string, Endpoint>>).flatMap(([resource, endpoints]) =>
  Object.entries(endpoints).map(([name, endpoint]) => [`${resource}.${name}`, endpoint] as const),
);

const PDF = Buffer.from('%PDF-1.7\n%%EOF\n');
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);
const D1 = { id: 'd1', type: 'Distributor' };
const book = { ean: '0978', title: 'T', year: 7, subject: '0001', type: 'Guide', language: 'DE' };
const reader = { title: 'T', subject: '0002', language: 'FR' };
const licence = {
  name: 'L',
  maximumActivations: 5,
  type: 'Books',
  books: ['B1'],
  expiration: { type: 'Days', days: 365 },
};
const person = { firstName: 'F', lastName: 'L' };
const form = (fields: Readonly<Record<string, string>>, files: Readonly<Record<string, Buffer>>): Call => ({
  headers: { 'content-type': FORM_TYPE },
  body: formOf([
    ...Object.entries(fields).map(([name, value]) => ({ name, value })),
    ...Object.entries(files).map(([name, value]) => ({ name, value, filename: 'file', type: 'application/pdf' })),
  ]),
});

describe('responses', () => {
  let service: Bundled;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    service = await bundled();
    const made = async (name: string, path: string, json: unknown, key = 'id', method: Method = 'POST') => {
      const answer = await service.call(method, path, { json });
      expect(answer.status, `${path} ${answer.text}`).toBe(200);
      ids[name] = answer.json[key];
    };
    await made('licence', '/v1/licenses', licence);
    for (const name of ['unused', 'unwanted']) await made(name, '/v1/licenses', licence);
    await made('subscription', '/v1/subscriptions', { maximumActivations: 5, expirationDate: '2099-12-31' });
    for (const name of ['class', 'lastClass'])
      await made(name, '/v1/classes', { subjectId: '0001', schoolId: 's1', name: 'C' }, 'classId');
    await made('school', '/v1/schools', { name: 'S', country: 'DE', city: 'C' });
    await made('publisher', '/v1/publishers', { name: 'P' });
    const account = { ...person, language: 'EN', organization: D1, roles: [] };
    await made('user', '/v1/users', { ...account, email: 'one@x.test' });
    await made('leaver', '/v1/users', { ...account, email: 'two@x.test' });
    await made('endUser', '/v1/users/enduser', { ...person, language: 'EN', email: 'three@x.test' });
    const file = await service.call('POST', '/v1/files', form({ fileType: 'Document' }, { file: PDF }));
    ids.file = file.json.id;
    const material = await service.call('POST', '/v1/readers', form(reader, { pdfFile: PDF }));
    ids.reader = material.json.id;
    const created = await service.call('POST', '/v1/books', form({ ...book, year: '7' }, {}));
    ids.book = created.json.id;
    await service.call('PUT', '/v1/licenses/assignLicense', {
      json: { userId: ids.user, licenseId: ids.licence },
    });
    const membership = { userId: ids.leaver, classId: ids.class };
    await service.call('PUT', '/v1/assignClass/assignClassToUser', { json: membership });
    await service.call('PUT', `/v1/users/${ids.user}`, {
      json: { ...person, lastName: 'New', organization: D1, roles: ['d1-viewer'] },
    });
  });
  afterAll(closeBundled);

  const day = '2026-11-20';
  const calls: Readonly<Record<string, () => readonly [path: string, call?: Call]>> = {
    'account.show': () => ['/v1/account'],
    'books.list': () => ['/v1/books?organization=d1&type=Distributor&language=EN'],
    'books.get': () => [`/v1/books/${ids.book}?language=RU`],
    'books.editor': () => [`/v1/books/${ids.book}/editor?language=RU`],
    'books.licenses': () => ['/v1/books/B1/licenses?limit=100'],
    'books.subjects': () => ['/v1/books/subjects?language=IT'],
    'books.types': () => ['/v1/books/types?language=PT'],
    'books.create': () => [
      '/v1/books?language=ES',
      form(
        { ...book, year: '8', secondSubject: '0003', 'settings.indexPageNumber': '3', 'organization.id': 'p1' },
        { pdfFile: PDF, coverFile: PNG },
      ),
    ],
    'books.update': () => [
      `/v1/books/${ids.book}`,
      { json: { ...book, stream: '5', settings: { indexPageNumber: 2 } } },
    ],
    'classes.list': () => ['/v1/schools/s1/classes'],
    'classes.listForUser': () => [`/v1/classes/classesForUser/${ids.leaver}`],
    'classes.get': () => [`/v1/classes/${ids.class}`],
    'classes.create': () => ['/v1/classes', { json: { subjectId: '0001', schoolId: 's1', name: 'D' } }],
    'classes.update': () => [`/v1/classes/${ids.class}`, { json: { subjectId: '0002', name: 'E' } }],
    'classes.assign': () => ['/v1/assignClass/assignClassToUser', { json: { userId: ids.user, classId: ids.class } }],
    'classes.unassign': () => [
      '/v1/unAssignClass/unAssignClassFromUser',
      { json: { userId: ids.user, classId: ids.class } },
    ],
    'classes.delete': () => [`/v1/classes/delete/${ids.lastClass}`],
    'files.upload': () => ['/v1/files', form({ fileType: 'Image' }, { file: PNG })],
    'licenses.list': () => ['/v1/licenses?type=BOOKS&limit=100'],
    'licenses.get': () => [`/v1/licenses/${ids.licence}`],
    'licenses.getByCode': () => ['/v1/licenses/code/welcome1'],
    'licenses.activations': () => [`/v1/licenses/${ids.licence}/activations`],
    'licenses.create': () => ['/v1/licenses', { json: { ...licence, code: '0099' } }],
    'licenses.update': () => [
      `/v1/licenses/${ids.licence}`,
      { json: { ...licence, expiration: { type: 'Date', date: '2030-02-28' } } },
    ],
    'licenses.assign': () => ['/v1/licenses/assignLicense', { json: { userId: ids.endUser, licenseId: ids.licence } }],
    'licenses.cancel': () => [`/v1/licenses/${ids.unwanted}/cancel`],
    'licenses.delete': () => [`/v1/licenses/${ids.unused}`],
    'publishers.list': () => ['/v1/publishers'],
    'publishers.get': () => [`/v1/publishers/${ids.publisher}`],
    'publishers.create': () => ['/v1/publishers', { json: { name: 'Q' } }],
    'publishers.update': () => [`/v1/publishers/${ids.publisher}`, { json: { name: 'R' } }],
    'readers.list': () => ['/v1/readers?language=NL'],
    'readers.get': () => [`/v1/readers/${ids.reader}?language=NL`],
    'readers.editor': () => [`/v1/readers/${ids.reader}/editor?language=NL`],
    'readers.create': () => ['/v1/readers?language=DE', form({ ...reader, pdfDownloadable: 'true' }, { pdfFile: PDF })],
    'readers.createFromFile': () => ['/v1/readers', { json: { ...reader, fileId: ids.file } }],
    'readers.update': () => [`/v1/readers/${ids.reader}?language=DE`, { json: { ...reader, fileId: ids.file } }],
    'roles.list': () => ['/v1/roles?organization=s1&type=School'],
    'schools.list': () => ['/v1/schools'],
    'schools.get': () => [`/v1/schools/${ids.school}`],
    'schools.create': () => ['/v1/schools', { json: { name: 'T', country: 'NL', city: 'U' } }],
    'schools.update': () => [`/v1/schools/${ids.school}`, { json: { name: 'V', country: 'NL', city: 'U' } }],
    'subscriptions.list': () => ['/v1/subscriptions'],
    'subscriptions.get': () => [`/v1/subscriptions/${ids.subscription}`],
    'subscriptions.create': () => [
      '/v1/subscriptions',
      { json: { maximumActivations: 1, expirationDate: '2026-11-21' } },
    ],
    'subscriptions.update': () => [`/v1/subscriptions/${ids.subscription}`, { json: { maximumActivations: 9 } }],
    'subscriptions.assign': () => [
      '/v1/subscriptions/assignSubscription',
      { json: { userId: ids.user, subscriptionId: ids.subscription } },
    ],
    'users.list': () => ['/v1/users?organization=d1&type=Distributor&limit=100'],
    'users.get': () => [`/v1/users/${ids.user}`],
    'users.findByEmail': () => ['/v1/users/userId/ONE%40x.test'],
    'users.create': () => [
      '/v1/users',
      {
        json: {
          ...person,
          email: 'four@x.test',
          language: 'RU',
          organization: { id: 's1', type: 'School' },
          roles: ['s1-teacher'],
        },
      },
    ],
    'users.createEndUser': () => ['/v1/users/enduser', { json: { ...person, email: 'five@x.test', language: 'RU' } }],
    'users.update': () => [
      `/v1/users/${ids.user}`,
      { json: { ...person, organization: { id: 's1', type: 'School' }, roles: [] } },
    ],
    'users.updateEndUser': () => [`/v1/users/enduser/${ids.endUser}`, { json: { ...person, email: 'six@x.test' } }],
    'users.anonymize': () => [`/v1/users/${ids.leaver}/anonymize`],
    'users.checkModified': () => [`/v1/users/checkModified?dateToCheck=${day}`],
    'users.modifications': () => [`/v1/users/${ids.user}/modifications?dateToCheck=${day}`],
    'users.lastLogin': () => [`/v1/users/${ids.user}/lastlogin`],
  };

  it('are tested for every endpoint', () => {
    expect(Object.keys(calls).sort()).toEqual(rows.map(([name]) => name).sort());
  });

  it.each(rows)('of %s have the fields and types of the contract, and no others', async (name, endpoint) => {
    const [path, call] = calls[name]?.() ?? [''];
    const answer = await service.call(endpoint.method, path, call);
    expect(answer.status, answer.text).toBe(name === 'licenses.delete' ? 204 : 200);
    expect(answerProblems(endpoint, answer.json)).toEqual([]);
    expect(service.errors).toEqual([]);
  });

  it.each(rows.filter(([, { list }]) => list !== undefined))(
    'of %s are not empty, so that there is something to check',
    async (name, endpoint) => {
      const [path, call] = calls[name]?.() ?? [''];
      const { json } = await service.call(endpoint.method, path, call);
      const items = endpoint.list?.key == null ? json : json[endpoint.list.key];
      // The user's only class was deleted, so the user has none.
      if (name !== 'classes.listForUser') expect(items.length).toBeGreaterThan(0);
    },
  );
});
