/** Publishers (service-api-v1.md, "Publishers"). */
import { INSTITUTION } from './columns.js';
import { resource } from './resource.js';
import { MAX_NAME_LENGTH, roleReference } from './shared.js';
import { endpoint, list, shape, text } from './vocabulary.js';

export const Publisher = shape(
  'Publisher',
  'a publisher',
  {
    id: text('publisher ID'),
    name: text('name'),
    roles: list(roleReference, "the organization's roles"),
  },
  { columns: INSTITUTION },
);

const id = { id: text('publisher ID', { required: true, refersTo: 'publisher' }) } as const;
const body = { name: text('name', { required: true, maxLength: MAX_NAME_LENGTH }) } as const;

export const publishers = {
  list: endpoint({
    method: 'GET',
    path: '/v1/publishers',
    description: "List the publishers that the caller's organization owns.",
    list: { key: 'publishers', of: Publisher, paged: true },
    repeat: 'safe',
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/publishers/{id}',
    description: 'Show one publisher.',
    params: id,
    returns: Publisher,
    repeat: 'safe',
    errors: [403, 404],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/publishers',
    description: 'Create a publisher, owned by the calling distributor.',
    body,
    returns: Publisher,
    repeat: 'keyed',
    key: 'name',
    errors: [400],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/publishers/{id}',
    description: 'Rename a publisher.',
    params: id,
    body,
    returns: Publisher,
    repeat: 'safe',
    errors: [400, 403, 404],
  }),
};

export const publisher = resource({
  name: 'publishers',
  noun: ['publisher', 'publishers'],
  refersTo: 'publisher',
  endpoints: publishers,
  shape: Publisher,
  label: '{name}',
  search: ['name'],
  natural: 'name',
  written: [{ field: 'name', noun: 'name' }],
  recognised: { by: 'key', field: 'name', unique: true },
});
