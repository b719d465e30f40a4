/** Classes of a school and the users in them (service-api-v1.md, "Classes"). */
import { resource } from './resource.js';
import { endpoint, list, shape, text, timestamp, variant } from './vocabulary.js';

export const Class = shape(
  'Class',
  'a class',
  {
    classId: text('class ID'),
    className: text('name; written as `name`'),
    classCode: text('code, made by the service'),
    subjectId: text('subject ID', { refersTo: 'subject' }),
    usersInClass: list(text('user ID', { refersTo: 'user' }), 'IDs of the users in the class', { nullable: true }),
  },
  {
    id: 'classId',
    columns: [
      { title: 'ID', from: 'classId', rank: 0 },
      { title: 'Name', from: 'className', rank: 1, minWidth: 16 },
      { title: 'Code', from: 'classCode', rank: 3 },
      { title: 'Users', from: 'usersInClass', count: true, rank: 2 },
      { title: 'Subject', from: 'subjectId', rank: 4 },
      { title: 'School', from: 'schoolId', rank: 5 },
      { title: 'Created', from: 'creationDate', rank: 7 },
      { title: 'Deactivated', from: 'deactivationDate', rank: 6 },
    ],
  },
);

/** The answer to a deletion: the document shows no more of it than "the Class". */
export const DeletedClass = variant(Class, 'a class that was deleted', {
  ...Class.fields,
  deactivationDate: text('when it was deactivated', { nullable: true }),
});

/** The update answer and a school's class list carry three fields more. */
export const ClassDetail = variant(Class, 'a class with its school and dates', {
  ...Class.fields,
  schoolId: text('school ID', { refersTo: 'school' }),
  creationDate: timestamp('when it was created', { format: "yyyy-MM-dd'T'HH:mm:ss.SSS" }),
  deactivationDate: text('when it was deactivated; null while active', { nullable: true }),
});

const classId = { id: text('class ID', { required: true, refersTo: 'class' }) } as const;

const membership = {
  userId: text('user ID', { required: true, refersTo: 'user' }),
  classId: text('class ID', { required: true, refersTo: 'class' }),
} as const;

export const classes = {
  /** A bare array, not paged. */
  list: endpoint({
    method: 'GET',
    path: '/v1/schools/{id}/classes',
    description: 'List the classes of a school.',
    params: { id: text('school ID', { required: true, refersTo: 'school' }) },
    list: { key: null, of: ClassDetail },
    repeat: 'safe',
    errors: [403, 404],
  }),
  listForUser: endpoint({
    method: 'GET',
    path: '/v1/classes/classesForUser/{id}',
    description: 'List the classes that a user is in.',
    params: { id: text('user ID', { required: true, refersTo: 'user' }) },
    list: { key: 'classes', of: Class },
    repeat: 'safe',
    errors: [400],
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/classes/{id}',
    description: 'Show one class.',
    params: classId,
    returns: Class,
    repeat: 'safe',
    errors: [400],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/classes',
    description: 'Create a class in a school.',
    body: {
      subjectId: text('subject ID', { required: true, refersTo: 'subject' }),
      schoolId: text('school ID', { required: true, refersTo: 'school' }),
      name: text('name', { required: true, readAs: 'className' }),
    },
    returns: Class,
    repeat: 'unkeyed',
    errors: [400],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/classes/{id}',
    description: 'Replace the data of a class.',
    params: classId,
    body: {
      subjectId: text('subject ID', { required: true, refersTo: 'subject' }),
      name: text('name', { required: true, readAs: 'className' }),
    },
    returns: ClassDetail,
    repeat: 'safe',
    errors: [400],
  }),
  delete: endpoint({
    method: 'PUT',
    path: '/v1/classes/delete/{id}',
    description: 'Mark a class as deleted and remove its users from it.',
    params: classId,
    returns: DeletedClass,
    repeat: 'safe',
    destroys: true,
    errors: [400],
  }),
  assign: endpoint({
    method: 'PUT',
    path: '/v1/assignClass/assignClassToUser',
    description: 'Put a user into a class.',
    body: membership,
    returns: Class,
    repeat: 'safe',
    errors: [400],
  }),
  unassign: endpoint({
    method: 'PUT',
    path: '/v1/unAssignClass/unAssignClassFromUser',
    description: 'Take a user out of a class.',
    body: membership,
    returns: Class,
    repeat: 'safe',
    errors: [400],
  }),
};

export const schoolClass = resource({
  name: 'classes',
  noun: ['class', 'classes'],
  refersTo: 'class',
  endpoints: classes,
  shape: ClassDetail,
  label: '{className}',
  search: ['className', 'classCode'],
  natural: 'classCode',
  written: [
    { field: 'classCode', noun: 'code' },
    { field: 'className', noun: 'name' },
  ],
  recognised: { by: 'equality', fields: ['name', 'subjectId'], distinct: true },
  undo: { by: 'delete' },
});
