/** Requests of `edu licenses …` (service-api-v1.md, "Licences"). */
import { HOSTILE_ID, HOSTILE_SENT, page, says, sends, sendsJson, type WireCases } from './case.js';

/** Tells whether the text of a write is an ID, because it may be a name. */
const HOSTILE_GET = `GET /v1/licenses/${HOSTILE_SENT}`;

const LICENCE = {
  id: 'l1',
  name: 'Autumn',
  code: 'autumn001',
  type: 'Books',
  books: [
    { id: 'b1', ean: '0000000000123', title: 'Algebra 7' },
    { id: 'b2', ean: '0000000000124', title: 'Algebra 8' },
  ],
  expiration: { type: 'Days', days: 365, date: null },
  maximumActivations: 30,
  numberOfActivations: 0,
  organization: { id: 'd1', type: 'Distributor' },
  licenseCategory: 'Regular',
  endUsers: [],
};
const WRITTEN = { ...LICENCE, books: [{ id: 'b1', ean: '0000000000123', name: 'Algebra 7' }] };
const UNTIL = { ...LICENCE, expiration: { type: 'Date', days: null, date: '2030-07-31' } };
const STAFF = { ...LICENCE, id: 'l2', type: 'Teacher', books: [], expiration: null };
const BARE_TEACHER = { ...STAFF, expiration: { type: null, days: null, date: null } };
const ASSIGNED = {
  user: { id: 'u10', email: 'anna@school.example', firstName: 'Anna', lastName: 'Smit', language: 'NL' },
  activatedLicensesIds: ['l1'],
};

const FOUND = { 'GET /v1/licenses/code/autumn001': says(LICENCE) };
const READS = { 'GET /v1/licenses/l1': says(LICENCE), 'PUT /v1/licenses/l1': says(WRITTEN) };
const KEPT = {
  name: 'Autumn',
  maximumActivations: 30,
  type: 'Books',
  books: ['b1', 'b2'],
  expiration: { type: 'Days', days: 365 },
};
const NEW = ['licenses', 'create', '--name', 'Autumn', '--maximum-activations', '30'];

const RESET = '--reset-license-category';
const update = (...flags: string[]) => ['licenses', 'update', 'l1', ...flags];
const updates = (body: unknown) => [sends('GET /v1/licenses/l1'), sendsJson('PUT /v1/licenses/l1', body)];

export const licences: WireCases = {
  'licenses list reads both types': {
    argv: ['licenses', 'list'],
    answers: { 'GET /v1/licenses': page('licenses', []) },
    sent: [
      sends('GET /v1/licenses', { type: 'BOOKS', limit: '100' }),
      sends('GET /v1/licenses', { type: 'TEACHER', limit: '100' }),
    ],
  },
  'licenses list keeps the type on every page': {
    argv: ['licenses', 'list', '--type', 'BOOKS'],
    answers: {
      'GET /v1/licenses': ({ query }) =>
        query.cursor === undefined ? page('licenses', [], 'c%2F=') : page('licenses', [LICENCE]),
    },
    sent: [
      sends('GET /v1/licenses', { type: 'BOOKS', limit: '100' }),
      sends('GET /v1/licenses', { type: 'BOOKS', limit: '100', cursor: 'c%2F=' }),
    ],
  },
  'licenses list --limit takes the rest from the second type': {
    argv: ['licenses', 'list', '--limit', '3'],
    answers: {
      'GET /v1/licenses': ({ query }) => page('licenses', query.type === 'BOOKS' ? [LICENCE] : [STAFF]),
    },
    sent: [
      sends('GET /v1/licenses', { type: 'BOOKS', limit: '3' }),
      sends('GET /v1/licenses', { type: 'TEACHER', limit: '2' }),
    ],
  },
  'licenses get by id': {
    argv: ['licenses', 'get', HOSTILE_ID],
    answers: { '*': says(LICENCE) },
    sent: [sends(`GET /v1/licenses/${HOSTILE_SENT}`)],
  },
  'licenses get by code': {
    argv: ['license', 'get', 'code:autumn001'],
    answers: FOUND,
    sent: [sends('GET /v1/licenses/code/autumn001')],
  },
  'licenses activations by code looks the id up': {
    argv: ['licenses', 'activations', 'code:autumn001'],
    answers: { ...FOUND, 'GET /v1/licenses/l1/activations': says({ activations: [] }) },
    sent: [sends('GET /v1/licenses/code/autumn001'), sends('GET /v1/licenses/l1/activations')],
  },
  'licenses summary reads both types': {
    argv: ['licenses', 'summary'],
    answers: { 'GET /v1/licenses': page('licenses', []) },
    sent: [
      sends('GET /v1/licenses', { type: 'BOOKS', limit: '100' }),
      sends('GET /v1/licenses', { type: 'TEACHER', limit: '100' }),
    ],
  },
  'users licenses reads both types, and activations where the names may not be all': {
    argv: ['users', 'licenses', 'u10'],
    answers: {
      'GET /v1/licenses': page('licenses', [{ ...LICENCE, numberOfActivations: 1 }]),
      'GET /v1/licenses/l1/activations': says({ activations: [] }),
      'GET /v1/users/u10': says({ id: 'u10' }),
    },
    sent: [
      sends('GET /v1/users/u10'),
      sends('GET /v1/licenses', { type: 'BOOKS', limit: '100' }),
      sends('GET /v1/licenses/l1/activations'),
      sends('GET /v1/licenses', { type: 'TEACHER', limit: '100' }),
    ],
  },
  'licenses create for books, by days': {
    argv: [...NEW, '--type', 'Books', '--book', '0007,b2', '--book', 'b3', '--days', '365', '--code', 'autumn001'],
    answers: { 'POST /v1/licenses': says(WRITTEN) },
    sent: [
      sendsJson('POST /v1/licenses', {
        name: 'Autumn',
        maximumActivations: 30,
        type: 'Books',
        books: ['0007', 'b2', 'b3'],
        expiration: { type: 'Days', days: 365 },
        code: 'autumn001',
      }),
    ],
  },
  'licenses create for books, until a day, for another organization': {
    argv: [
      ...[...NEW, '--type', 'books', '--book', 'b1', '--until', '2030-07-31', '--code', '000123'],
      ...['--license-category', 'k1', '--organization', '0201', '--organization-type', 'Publisher'],
    ],
    answers: { 'POST /v1/licenses': { status: 201, body: WRITTEN } },
    sent: [
      sendsJson('POST /v1/licenses', {
        name: 'Autumn',
        maximumActivations: 30,
        type: 'Books',
        books: ['b1'],
        expiration: { type: 'Date', date: '2030-07-31' },
        code: '000123',
        licenseCategory: 'k1',
        organization: { id: '0201', type: 'Publisher' },
      }),
    ],
  },
  'licenses create makes a code: 16 of the 32 signs, by the bytes 0 to 15 of the tests': {
    argv: [...NEW, '--type', 'Teacher'],
    answers: { 'POST /v1/licenses': says(STAFF) },
    sent: [
      sendsJson('POST /v1/licenses', {
        name: 'Autumn',
        maximumActivations: 30,
        type: 'Teacher',
        code: 'abcdefghijkmnpqr',
      }),
    ],
  },
  'licenses update sends book ids, no blank part of the expiration and no category': {
    argv: update('--maximum-activations', '60', RESET),
    answers: READS,
    sent: updates({ ...KEPT, maximumActivations: 60 }),
  },
  'licenses update keeps a last day': {
    argv: update('--name', 'Winter', RESET),
    answers: { ...READS, 'GET /v1/licenses/l1': says(UNTIL) },
    sent: updates({ ...KEPT, name: 'Winter', expiration: { type: 'Date', date: '2030-07-31' } }),
  },
  'licenses update of a licence for teachers sends no books and no expiration': {
    argv: ['licenses', 'update', 'l2', '--name', 'Staff 2', RESET],
    answers: { 'GET /v1/licenses/l2': says(STAFF), 'PUT /v1/licenses/l2': says(STAFF) },
    sent: [
      sends('GET /v1/licenses/l2'),
      sendsJson('PUT /v1/licenses/l2', { name: 'Staff 2', maximumActivations: 30, type: 'Teacher' }),
    ],
  },
  'licenses update of a licence for teachers whose expiration is blank': {
    argv: ['licenses', 'update', 'l2', '--name', 'Staff 2', RESET],
    answers: { 'GET /v1/licenses/l2': says(BARE_TEACHER), 'PUT /v1/licenses/l2': says(STAFF) },
    sent: [
      sends('GET /v1/licenses/l2'),
      sendsJson('PUT /v1/licenses/l2', { name: 'Staff 2', maximumActivations: 30, type: 'Teacher' }),
    ],
  },
  'licenses update by code reads by code and writes by id': {
    argv: ['licenses', 'update', 'code:autumn001', '--name', 'Winter', RESET],
    answers: { ...READS, ...FOUND },
    sent: [sends('GET /v1/licenses/code/autumn001'), sendsJson('PUT /v1/licenses/l1', { ...KEPT, name: 'Winter' })],
  },
  'licenses cancel several, looked up before the first is cancelled': {
    argv: ['licenses', 'cancel', HOSTILE_ID, 'code:autumn001', '--yes'],
    answers: { ...FOUND, [HOSTILE_GET]: says({ id: HOSTILE_ID }), '*': { body: '' } },
    sent: [
      sends(HOSTILE_GET),
      sends('GET /v1/licenses/code/autumn001'),
      sends(`PUT /v1/licenses/${HOSTILE_SENT}/cancel`),
      sends('PUT /v1/licenses/l1/cancel'),
    ],
  },
  'licenses delete several': {
    argv: ['licenses', 'delete', 'l5', HOSTILE_ID, '-y'],
    answers: { [HOSTILE_GET]: says({ id: HOSTILE_ID }), '*': { status: 204, body: '' } },
    sent: [sends(HOSTILE_GET), sends('DELETE /v1/licenses/l5'), sends(`DELETE /v1/licenses/${HOSTILE_SENT}`)],
  },
  'licenses assign to several users, by id and by e-mail address': {
    argv: ['licenses', 'assign', 'l1', 'u10', 'anna+7/a@school.example'],
    answers: {
      'GET /v1/users/userId/anna%2B7%2Fa%40school.example': says({ id: 'u11' }),
      'PUT /v1/licenses/assignLicense': says(ASSIGNED),
    },
    sent: [
      sends('GET /v1/users/userId/anna%2B7%2Fa%40school.example'),
      sendsJson('PUT /v1/licenses/assignLicense', { userId: 'u10', licenseId: 'l1' }),
      sendsJson('PUT /v1/licenses/assignLicense', { userId: 'u11', licenseId: 'l1' }),
    ],
  },
};
