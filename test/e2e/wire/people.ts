/**
 * Requests of `edu users …`, `end-users …`, `roles …` and `account …` (service-api-v1.md, "Users", "Roles", "Account").
 */
import {
  CALLER,
  FINDS_CALLER,
  HOSTILE_ID,
  HOSTILE_SENT,
  page,
  says,
  sends,
  sendsJson,
  type WireCases,
} from './case.js';

const USER = {
  id: 'u10',
  email: 'anna@school.example',
  firstName: 'Anna',
  lastName: 'Smit',
  language: 'NL',
  avatarUrl: null,
  organization: { id: '0301', type: 'School' },
  roles: [
    { id: 'r1', name: 'Teacher' },
    { id: 'r2', name: 'Manager' },
  ],
};
const READS = { 'GET /v1/users/u10': says(USER), 'PUT /v1/users/u10': says(USER) };
const KEPT = {
  firstName: 'Anna',
  lastName: 'Smit',
  organization: { id: '0301', type: 'School' },
  roles: ['r1', 'r2'],
};
const BY_MAIL = 'GET /v1/users/userId/anna%40school.example';
const NEW_USER = ['users', 'create', '--first-name', 'Mia', '--last-name', 'Brandt', '--email', 'mia@press.example'];
const MIA = { firstName: 'Mia', lastName: 'Brandt', email: 'mia@press.example' };

const update = (...flags: string[]) => ['users', 'update', 'u10', ...flags];
const updates = (body: unknown) => [sends('GET /v1/users/u10'), sendsJson('PUT /v1/users/u10', body)];

export const users: WireCases = {
  'users list of an organization': {
    argv: ['users', 'list', '--organization', '0301', '--organization-type', 'School'],
    answers: { 'GET /v1/users': page('users', [USER]) },
    sent: [sends('GET /v1/users', { organization: '0301', type: 'School', limit: '100' })],
  },
  "users list of the caller's own organization": {
    argv: ['users', 'list'],
    answers: { ...CALLER, 'GET /v1/users': page('users', [USER]) },
    sent: [...FINDS_CALLER, sends('GET /v1/users', { organization: 'd1', type: 'Distributor', limit: '100' })],
  },
  'users get by id': {
    argv: ['users', 'get', HOSTILE_ID],
    answers: { '*': says(USER) },
    sent: [sends(`GET /v1/users/${HOSTILE_SENT}`)],
  },
  'users get by e-mail address, when the answer is a bare string': {
    argv: ['users', 'get', 'anna@school.example'],
    answers: { ...READS, [BY_MAIL]: { body: '"u10"', headers: { 'content-type': 'application/json' } } },
    sent: [sends(BY_MAIL), sends('GET /v1/users/u10')],
  },
  'users find sends the address as one path segment': {
    argv: ['users', 'find', 'ann a/b?c#d+e%f@ümlaut.example'],
    answers: { '*': says({ id: 'u10' }) },
    sent: [sends('GET /v1/users/userId/ann%20a%2Fb%3Fc%23d%2Be%25f%40%C3%BCmlaut.example')],
  },
  "users create in the caller's own organization, in English, without roles": {
    argv: NEW_USER,
    answers: { ...CALLER, 'POST /v1/users': says(USER) },
    sent: [
      ...FINDS_CALLER,
      sendsJson('POST /v1/users', {
        ...MIA,
        language: 'EN',
        organization: { id: 'd1', type: 'Distributor' },
        roles: [],
      }),
    ],
  },
  'users create in another organization, with roles': {
    argv: [
      ...NEW_USER,
      ...['--organization', '0301', '--organization-type', 'School', '--role', 'r1,r2', '--role', 'r3'],
      ...['--language', 'DE'],
    ],
    answers: { 'POST /v1/users': says(USER) },
    sent: [
      sendsJson('POST /v1/users', {
        ...MIA,
        language: 'DE',
        organization: { id: '0301', type: 'School' },
        roles: ['r1', 'r2', 'r3'],
      }),
    ],
  },
  'users update sends role ids and the organization unchanged, and neither e-mail address nor language': {
    argv: update('--last-name', 'Jansen'),
    answers: READS,
    sent: updates({ ...KEPT, lastName: 'Jansen' }),
  },
  'users update adds and removes roles': {
    argv: update('--add-role', 'r3', '--remove-role', 'r1'),
    answers: READS,
    sent: updates({ ...KEPT, roles: ['r2', 'r3'] }),
  },
  'users update moves a user to another organization': {
    argv: update('--organization', '0302', '--organization-type', 'School', '--role', 'r7'),
    answers: READS,
    sent: updates({ ...KEPT, organization: { id: '0302', type: 'School' }, roles: ['r7'] }),
  },
  'users update does not move a user to the organization of the environment': {
    argv: update('--first-name', 'Anne'),
    env: { EDU_ORGANIZATION: '0201', EDU_ORGANIZATION_TYPE: 'Publisher' },
    answers: READS,
    sent: updates({ ...KEPT, firstName: 'Anne' }),
  },
  'users update does not move a user by the type of the present organization': {
    argv: update('--first-name', 'Anne', '--organization-type', 'School'),
    env: { EDU_ORGANIZATION: '0201' },
    answers: READS,
    sent: updates({ ...KEPT, firstName: 'Anne' }),
  },
  'users anonymize several, looked up before the first is anonymized': {
    argv: ['users', 'anonymize', HOSTILE_ID, 'anna@school.example', '--yes'],
    answers: {
      'GET /v1/account': says({ id: 'u1' }),
      [BY_MAIL]: says({ id: 'u10' }),
      [`GET /v1/users/${HOSTILE_SENT}`]: says({ id: HOSTILE_ID }),
      '*': { body: '' },
    },
    sent: [
      sends(`GET /v1/users/${HOSTILE_SENT}`),
      sends(BY_MAIL),
      sends('GET /v1/account'),
      sends(`PUT /v1/users/${HOSTILE_SENT}/anonymize`),
      sends('PUT /v1/users/u10/anonymize'),
    ],
  },
  'users modified leaves the day to the service': {
    argv: ['users', 'modified'],
    answers: { 'GET /v1/users/checkModified': says(['u10']) },
    sent: [sends('GET /v1/users/checkModified')],
  },
  'users modified on a day': {
    argv: ['users', 'modified', '--date', '2026-09-01'],
    answers: { 'GET /v1/users/checkModified': says({ users: ['u10'] }) },
    sent: [sends('GET /v1/users/checkModified', { dateToCheck: '2026-09-01' })],
  },
  'users modifications on a day': {
    argv: ['users', 'modifications', HOSTILE_ID, '--date', '2024-02-29'],
    answers: { '*': says([{ field: 'roles' }]) },
    sent: [sends(`GET /v1/users/${HOSTILE_SENT}/modifications`, { dateToCheck: '2024-02-29' })],
  },
  'users last-login': {
    argv: ['users', 'last-login', HOSTILE_ID],
    answers: { '*': says({ web: '2026-01-01', iPad: null, overall: '2026-01-01' }) },
    sent: [sends(`GET /v1/users/${HOSTILE_SENT}/lastlogin`)],
  },
};

const END_USER = { id: 'e1', email: null, firstName: 'Lea', lastName: 'Moreau', language: 'FR' };
const LEA = ['--first-name', 'Lea', '--last-name', 'Moreau'];

export const endUsers: WireCases = {
  'end-users create': {
    argv: ['end-users', 'create', ...LEA, '--email', 'lea@home.example', '--language', 'FR'],
    answers: { 'POST /v1/users/enduser': says(END_USER) },
    sent: [
      sendsJson('POST /v1/users/enduser', {
        firstName: 'Lea',
        lastName: 'Moreau',
        email: 'lea@home.example',
        language: 'FR',
      }),
    ],
  },
  'end-users update': {
    argv: ['end-users', 'update', HOSTILE_ID, ...LEA],
    answers: { '*': says({ ...END_USER, avatarUrl: null }) },
    sent: [sendsJson(`PUT /v1/users/enduser/${HOSTILE_SENT}`, { firstName: 'Lea', lastName: 'Moreau' })],
  },
};

const ROLE = { id: 'r1', name: 'Teacher', permissions: [{ resource: 'Book', operation: 'Create' }] };

export const rolesAndAccount: WireCases = {
  'roles list of an organization': {
    argv: ['roles', 'list', '--organization', '0301', '--organization-type', 'School'],
    answers: { 'GET /v1/roles': says({ roles: [ROLE] }) },
    sent: [sends('GET /v1/roles', { organization: '0301', type: 'School' })],
  },
  'account show asks for the account and for its organization': {
    argv: ['account', 'show'],
    answers: CALLER,
    sent: FINDS_CALLER,
  },
  'whoami is account show': { argv: ['whoami'], answers: CALLER, sent: FINDS_CALLER },
};
