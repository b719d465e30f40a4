/** Roles and their permissions (service-api-v1.md, "Roles"). */
import { ID } from './columns.js';
import { resource } from './resource.js';
import { organizationQuery, permission } from './shared.js';
import { get, list, shape, text } from './vocabulary.js';

/** Other responses contain a role without permissions, as `{id, name}`. */
export const Role = shape(
  'Role',
  'a role',
  { id: text('role ID'), name: text('name'), permissions: list(permission, 'what the role permits') },
  {
    columns: [
      ID,
      { title: 'Name', from: 'name', rank: 1, minWidth: 12 },
      { title: 'Permissions', from: 'permissions', rank: 2, minWidth: 16 },
    ],
  },
);

export const roles = {
  list: get('/v1/roles', 'List the roles of an organization.', {
    query: organizationQuery,
    list: { key: 'roles', of: Role },
    errors: [400, 403],
  }),
};

export const role = resource({
  name: 'roles',
  noun: ['role', 'roles'],
  refersTo: 'role',
  endpoints: roles,
  shape: Role,
  label: '{name}',
  search: ['name'],
  natural: null,
  written: [{ field: 'name', noun: 'name' }],
  within: { flags: { organization: 'organization' }, of: 'user' },
});
