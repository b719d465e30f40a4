/** Roles and their permissions (service-api-v1.md, "Roles"). */
import { ID } from './columns.js';
import { resource } from './resource.js';
import { ORGANIZATION_TYPES, permission } from './shared.js';
import { choice, endpoint, list, shape, text } from './vocabulary.js';

/** Other responses contain a role without permissions, as `{id, name}`. */
export const Role = shape(
  'Role',
  'a role',
  {
    id: text('role ID'),
    name: text('name'),
    permissions: list(permission, 'what the role permits'),
  },
  {
    columns: [
      ID,
      { title: 'Name', from: 'name', rank: 1, minWidth: 12 },
      { title: 'Permissions', from: 'permissions', rank: 2, minWidth: 16 },
    ],
  },
);

export const roles = {
  list: endpoint({
    method: 'GET',
    path: '/v1/roles',
    description: 'List the roles of an organization.',
    query: {
      organization: text('organization ID', { required: true, refersTo: 'organization' }),
      type: choice(ORGANIZATION_TYPES, "the organization's type", { required: true }),
    },
    list: { key: 'roles', of: Role },
    repeat: 'safe',
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
});
