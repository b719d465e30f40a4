/** Schools (service-api-v1.md, "Schools"). A school's classes are in classes.ts. */
import { INSTITUTION } from './columns.js';
import { resource } from './resource.js';
import { MAX_NAME_LENGTH, roleReference } from './shared.js';
import { get, list, post, put, shape, text } from './vocabulary.js';

export const School = shape(
  'School',
  'a school',
  {
    id: text('school ID'),
    name: text('name'),
    country: text('country, ISO 3166-1 alpha-2'),
    city: text('city'),
    roles: list(roleReference, "the organization's roles"),
  },
  { columns: INSTITUTION },
);

const params = { id: text('school ID', { required: true, refersTo: 'school' }) } as const;

const body = {
  name: text('name', { required: true, maxLength: MAX_NAME_LENGTH }),
  country: text('country, two letters of ISO 3166-1', { required: true, format: 'ISO 3166-1 alpha-2' }),
  city: text('city', { required: true }),
} as const;

export const schools = {
  list: get('/v1/schools', "List the schools that the caller's organization owns.", {
    list: { key: 'schools', of: School, paged: true, scope: 'that your organization owns' },
  }),
  get: get('/v1/schools/{id}', 'Show one school.', { params, returns: School, errors: [403, 404] }),
  create: post('/v1/schools', 'Create a school, owned by the calling distributor.', {
    body,
    returns: School,
    repeat: 'keyed',
    key: 'name',
    errors: [400],
  }),
  update: put('/v1/schools/{id}', 'Replace the data of a school.', {
    params,
    body,
    returns: School,
    errors: [400, 403, 404],
  }),
};

export const school = resource({
  name: 'schools',
  noun: ['school', 'schools'],
  refersTo: 'school',
  organizationType: 'School',
  endpoints: schools,
  shape: School,
  label: '{name}',
  search: ['name', 'city'],
  natural: 'name',
  written: [{ field: 'name', noun: 'name' }],
  recognised: { by: 'key', field: 'name', unique: true },
});
