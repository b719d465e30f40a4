/**
 * Requests of `edu schools …`, `publishers …` and `classes …` (service-api-v1.md, "Schools", "Publishers", "Classes").
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

const SCHOOL = { id: '0301', name: 'Lyceum North', country: 'NL', city: 'Utrecht', roles: [] };
const SCHOOL_READS = { 'GET /v1/schools/0301': says(SCHOOL), 'PUT /v1/schools/0301': says(SCHOOL) };

export const schools: WireCases = {
  'schools list': {
    argv: ['schools', 'list'],
    answers: { 'GET /v1/schools': page('schools', [SCHOOL]) },
    sent: [sends('GET /v1/schools', { limit: '100' })],
  },
  'schools get': {
    argv: ['school', 'get', HOSTILE_ID],
    answers: { '*': says(SCHOOL) },
    sent: [sends(`GET /v1/schools/${HOSTILE_SENT}`)],
  },
  'schools create': {
    argv: ['schools', 'create', '--name', '東京 学校', '--country', 'jp', '--city', 'Tōkyō'],
    answers: { 'POST /v1/schools': says(SCHOOL) },
    sent: [sendsJson('POST /v1/schools', { name: '東京 学校', country: 'JP', city: 'Tōkyō' })],
  },
  'schools update keeps what is not given': {
    argv: ['schools', 'update', '0301', '--city', 'Delft'],
    answers: SCHOOL_READS,
    sent: [
      sends('GET /v1/schools/0301'),
      sendsJson('PUT /v1/schools/0301', { name: 'Lyceum North', country: 'NL', city: 'Delft' }),
    ],
  },
  'schools classes': {
    argv: ['schools', 'classes', HOSTILE_ID],
    answers: { '*': says([]) },
    sent: [sends(`GET /v1/schools/${HOSTILE_SENT}/classes`)],
  },
};

const PUBLISHER = { id: '0201', name: 'Meridian Press', roles: [] };

export const publishers: WireCases = {
  'publishers list': {
    argv: ['publishers', 'list'],
    answers: { 'GET /v1/publishers': page('publishers', [PUBLISHER]) },
    sent: [sends('GET /v1/publishers', { limit: '100' })],
  },
  'publishers get': {
    argv: ['publisher', 'get', HOSTILE_ID],
    answers: { '*': says(PUBLISHER) },
    sent: [sends(`GET /v1/publishers/${HOSTILE_SENT}`)],
  },
  'publishers create': {
    argv: ['publishers', 'create', '--name', '=SUM(A1)'],
    answers: { 'POST /v1/publishers': says(PUBLISHER) },
    sent: [sendsJson('POST /v1/publishers', { name: '=SUM(A1)' })],
  },
  'publishers update': {
    argv: ['publishers', 'update', HOSTILE_ID, '--name', 'Boreal'],
    answers: { '*': says(PUBLISHER) },
    sent: [
      sends(`GET /v1/publishers/${HOSTILE_SENT}`),
      sendsJson(`PUT /v1/publishers/${HOSTILE_SENT}`, { name: 'Boreal' }),
    ],
  },
};

const CLASS = { classId: 'c1', className: '7b', classCode: 'k7b', subjectId: 's1', usersInClass: ['u10'] };
const DETAIL = { ...CLASS, schoolId: '0301', creationDate: '2026-09-01T08:00:00.000', deactivationDate: null };
const CLASS_READS = { 'GET /v1/classes/c1': says(CLASS), 'PUT /v1/classes/c1': says(DETAIL) };
const BY_MAIL = 'GET /v1/users/userId/anna%40school.example';
const ASSIGN = 'PUT /v1/assignClass/assignClassToUser';
const UNASSIGN = 'PUT /v1/unAssignClass/unAssignClassFromUser';

export const classes: WireCases = {
  'classes list of a school': {
    argv: ['classes', 'list', '--school', HOSTILE_ID],
    answers: { '*': says([DETAIL]) },
    sent: [sends(`GET /v1/schools/${HOSTILE_SENT}/classes`)],
  },
  'classes list of a user': {
    argv: ['class', 'list', '--user', HOSTILE_ID],
    answers: { '*': says({ classes: [CLASS] }) },
    sent: [sends(`GET /v1/classes/classesForUser/${HOSTILE_SENT}`)],
  },
  "classes list of the caller's own school": {
    argv: ['classes', 'list'],
    answers: {
      ...CALLER,
      'GET /v1/users/u1': says({ id: 'u1', organization: { id: '0301', type: 'School' } }),
      'GET /v1/schools/0301/classes': says([DETAIL]),
    },
    sent: [...FINDS_CALLER, sends('GET /v1/schools/0301/classes')],
  },
  'classes get': {
    argv: ['classes', 'get', HOSTILE_ID],
    answers: { '*': says(CLASS) },
    sent: [sends(`GET /v1/classes/${HOSTILE_SENT}`)],
  },
  'classes create': {
    argv: ['classes', 'create', '--name', '7b', '--school-id', '0301', '--subject-id', 's1'],
    answers: {
      'GET /v1/schools/0301/classes': says([{ ...DETAIL, className: '8c' }]),
      'POST /v1/classes': says({ ...CLASS, usersInClass: null }),
    },
    sent: [
      sends('GET /v1/schools/0301/classes'),
      sendsJson('POST /v1/classes', { subjectId: 's1', schoolId: '0301', name: '7b' }),
    ],
  },
  'classes update sends className as name': {
    argv: ['classes', 'update', 'c1', '--subject-id', 's2'],
    answers: CLASS_READS,
    sent: [sends('GET /v1/classes/c1'), sendsJson('PUT /v1/classes/c1', { subjectId: 's2', name: '7b' })],
  },
  'classes delete several': {
    argv: ['classes', 'delete', 'c1', HOSTILE_ID, '--yes'],
    answers: { '*': says(CLASS) },
    sent: [
      sends(`GET /v1/classes/${HOSTILE_SENT}`),
      sends('PUT /v1/classes/delete/c1'),
      sends(`PUT /v1/classes/delete/${HOSTILE_SENT}`),
    ],
  },
  'classes assign several users, by id and by e-mail address': {
    argv: ['classes', 'assign', 'c/1', '007', 'anna@school.example'],
    answers: { [BY_MAIL]: says({ id: 'u10' }), [ASSIGN]: says(CLASS) },
    sent: [
      sends(BY_MAIL),
      sendsJson(ASSIGN, { userId: '007', classId: 'c/1' }),
      sendsJson(ASSIGN, { userId: 'u10', classId: 'c/1' }),
    ],
  },
  'classes unassign several users': {
    argv: ['classes', 'unassign', 'c1', 'u10', 'anna@school.example'],
    answers: { [BY_MAIL]: says({ id: 'u11' }), [UNASSIGN]: says(CLASS) },
    sent: [
      sends(BY_MAIL),
      sendsJson(UNASSIGN, { userId: 'u10', classId: 'c1' }),
      sendsJson(UNASSIGN, { userId: 'u11', classId: 'c1' }),
    ],
  },
  'classes move assigns, then unassigns': {
    argv: ['classes', 'move', 'u10', '--from-class', 'c1', '--to-class', 'c2'],
    answers: { [ASSIGN]: says(CLASS), [UNASSIGN]: says(CLASS) },
    sent: [sendsJson(ASSIGN, { userId: 'u10', classId: 'c2' }), sendsJson(UNASSIGN, { userId: 'u10', classId: 'c1' })],
  },
  'classes move only unassigns a user who is in the new class': {
    argv: ['classes', 'move', 'u10', '--from-class', 'c1', '--to-class', 'c2'],
    answers: { 'GET /v1/classes/c2': says({ ...CLASS, usersInClass: ['u10'] }), [UNASSIGN]: says(CLASS) },
    sent: [sendsJson(UNASSIGN, { userId: 'u10', classId: 'c1' })],
  },
};
