/** Users and end users (service-api-v1.md, "Users"). */
import { classes } from './classes.js';
import { PERSON } from './columns.js';
import { resource } from './resource.js';
import {
  dateToCheck,
  endUserFields,
  LANGUAGES,
  MAX_NAME_LENGTH,
  organizationQuery,
  organizationReference,
  requiredOrganization,
  roleReference,
} from './shared.js';
import { any, choice, get, list, number, post, put, shape, text, variant } from './vocabulary.js';

export const User = shape(
  'User',
  'a user of an organization',
  {
    id: text('user ID'),
    email: text('e-mail address'),
    firstName: text('first name'),
    lastName: text('last name'),
    language: choice(LANGUAGES, 'language', { open: true }),
    avatarUrl: text('address of the avatar image', { nullable: true }),
    organization: organizationReference,
    roles: list(roleReference, "the user's roles"),
  },
  { columns: PERSON },
);

/** Fields that `edu` adds to users who may be the same person. */
export const duplicateFields = {
  group: number('number of the group of users who may be the same person'),
  same: list(text('`e-mail` or `name`'), 'what the user shares with another one of the group'),
} as const;

export const EndUser = shape('EndUser', 'an end user', endUserFields, { columns: PERSON });

/** Only the update response contains the avatar. */
export const UpdatedEndUser = variant(EndUser, 'an end user as returned by update', {
  ...endUserFields,
  avatarUrl: text('address of the avatar image', { nullable: true }),
});

const params = { id: text('user ID', { required: true, refersTo: 'user' }) } as const;

const names = {
  firstName: text('first name', { required: true, maxLength: MAX_NAME_LENGTH }),
  lastName: text('last name', { required: true, maxLength: MAX_NAME_LENGTH }),
} as const;

const roleIds = list(text('role ID', { refersTo: 'role' }), "IDs of roles of the user's organization", {
  required: true,
});

export const users = {
  list: get('/v1/users', 'List the users of an organization.', {
    query: organizationQuery,
    list: { key: 'users', of: User, paged: true },
    errors: [400, 403],
  }),
  get: get('/v1/users/{id}', 'Show one user.', { params, returns: User, errors: [403, 404] }),
  /** The API document does not show the response: `{id}`, a string or another key. */
  findByEmail: get('/v1/users/userId/{email}', 'Find the ID of the user that has an e-mail address.', {
    params: { email: text('e-mail address', { required: true }) },
    returns: any('the ID of the user'),
    errors: [404],
  }),
  create: post('/v1/users', 'Create a user, who receives a password by e-mail.', {
    body: {
      ...names,
      email: text('e-mail address', { required: true, format: 'email' }),
      language: choice(LANGUAGES, 'language of the user and of the registration e-mail', { required: true }),
      organization: requiredOrganization,
      roles: roleIds,
    },
    returns: User,
    repeat: 'keyed',
    key: 'email',
    errors: [400, 403],
  }),
  createEndUser: post('/v1/users/enduser', 'Create an end user, who receives a password by e-mail.', {
    body: {
      ...names,
      email: text('e-mail address', { required: true, format: 'email' }),
      language: choice(LANGUAGES, 'language of the end user and of the e-mail', { required: true }),
    },
    returns: EndUser,
    errors: [400],
  }),
  update: put('/v1/users/{id}', 'Replace the names, the organization and the roles of a user.', {
    params,
    body: { ...names, organization: requiredOrganization, roles: roleIds },
    returns: User,
    errors: [400, 403, 404],
  }),
  updateEndUser: put('/v1/users/enduser/{id}', 'Change the names and the e-mail address of an end user.', {
    params,
    body: { ...names, email: text('e-mail address', { maxLength: MAX_NAME_LENGTH, format: 'email' }) },
    returns: UpdatedEndUser,
    errors: [403, 404],
  }),
  anonymize: put('/v1/users/{id}/anonymize', 'Anonymize a user for good.', {
    params,
    destroys: true,
    errors: [403, 404],
  }),
  /** An array, or an object with an array. The API document does not show which fields an item has besides the ID. */
  checkModified: get('/v1/users/checkModified', 'List the users that were changed on a day.', {
    query: { dateToCheck },
    list: { key: null, of: any('the ID of a user') },
  }),
  /** An array, or an object with an array. The API document does not show the items. */
  modifications: get('/v1/users/{id}/modifications', 'List what was modified of a user on a day.', {
    params,
    query: { dateToCheck },
    list: { key: null, of: any('a modification') },
  }),
  lastLogin: get('/v1/users/{id}/lastlogin', 'Show when a user last logged in.', {
    params,
    returns: any('last login on iPad, web and overall'),
  }),
};

const { createEndUser, updateEndUser, ...ofUsers } = users;

const byEmail = { field: 'email', noun: 'e-mail address', key: 'address', form: /@/, through: 'findByEmail' } as const;

/** The service finds end users by address only: no endpoint lists or returns them. */
export const endUser = resource({
  name: 'end-users',
  noun: ['end user', 'end users'],
  refersTo: 'endUser',
  endpoints: { create: createEndUser, update: updateEndUser, findByEmail: users.findByEmail },
  shape: EndUser,
  label: '{firstName} {lastName} <{email}>',
  search: [],
  natural: null,
  written: [byEmail],
  recognised: {
    by: 'nothing',
    advice: 'End users cannot be listed: ask whether the e-mail with the password has come before you run it again.',
  },
});

export const user = resource({
  name: 'users',
  noun: ['user', 'users'],
  refersTo: 'user',
  endpoints: ofUsers,
  shape: User,
  label: '{firstName} {lastName} <{email}>',
  search: ['firstName', 'lastName', 'email'],
  natural: 'email',
  written: [byEmail, { field: ['firstName', 'lastName'], noun: 'name' }],
  addedFields: duplicateFields,
  within: { flags: { in: 'organization', school: 'school', 'school-id': 'school' } },
  takesAnyId: classes.listForUser,
  recognised: { by: 'key', field: 'email', unique: false, through: ['findByEmail', 'get'] },
});
