/** Publishers (service-api-v1.md, "Publishers"). */
import { INSTITUTION } from './columns.js';
import { resource } from './resource.js';
import { MAX_NAME_LENGTH, roleReference } from './shared.js';
import { get, list, post, put, shape, text } from './vocabulary.js';

export const Publisher = shape(
  'Publisher',
  'a publisher',
  { id: text('publisher ID'), name: text('name'), roles: list(roleReference, "the organization's roles") },
  { columns: INSTITUTION },
);

const params = { id: text('publisher ID', { required: true, refersTo: 'publisher' }) } as const;
const body = { name: text('name', { required: true, maxLength: MAX_NAME_LENGTH }) } as const;

export const publishers = {
  list: get('/v1/publishers', "List the publishers that the caller's organization owns.", {
    list: { key: 'publishers', of: Publisher, paged: true, scope: 'that your organization owns' },
  }),
  get: get('/v1/publishers/{id}', 'Show one publisher.', { params, returns: Publisher, errors: [403, 404] }),
  create: post('/v1/publishers', 'Create a publisher, owned by the calling distributor.', {
    body,
    returns: Publisher,
    repeat: 'keyed',
    key: 'name',
    errors: [400],
  }),
  update: put('/v1/publishers/{id}', 'Rename a publisher.', {
    params,
    body,
    returns: Publisher,
    errors: [400, 403, 404],
  }),
};

export const publisher = resource({
  name: 'publishers',
  noun: ['publisher', 'publishers'],
  refersTo: 'publisher',
  organizationType: 'Publisher',
  endpoints: publishers,
  shape: Publisher,
  label: '{name}',
  search: ['name'],
  natural: 'name',
  written: [{ field: 'name', noun: 'name' }],
  recognised: { by: 'key', field: 'name', unique: true },
});
