/** Roles and what they permit (service-api-v1.md, "Roles"). */
import { ORGANIZATION_TYPES, permission } from './shared.js';
import { choice, endpoint, list, shape, text } from './vocabulary.js';

/** Only here does a role show its permissions; elsewhere it is `{id, name}`. */
export const Role = shape('Role', 'a role', {
  id: text('role id'),
  name: text('name'),
  permissions: list(permission, 'what the role permits'),
});

export const roles = {
  list: endpoint({
    method: 'GET',
    path: '/v1/roles',
    about: 'List the roles of an organization.',
    query: {
      organization: text('organization id', { required: true, ref: 'organization' }),
      type: choice(ORGANIZATION_TYPES, "the organization's type", { required: true }),
    },
    list: { key: 'roles', of: Role },
    repeat: 'safe',
    errors: [400, 403],
  }),
};
