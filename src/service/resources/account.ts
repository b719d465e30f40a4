/** GET account (service-api-v1.md, "Account"). */
import type { Handlers } from '../received.js';
import { roleReferences } from './people.js';

export const account: Handlers<'account'> = {
  show: {
    run: ({ caller: { user, roles, permissions } }) => ({
      id: user.id,
      email: user.email ?? '',
      firstName: user.firstName,
      lastName: user.lastName,
      avatar: user.avatarUrl,
      roles: roleReferences(roles),
      permissions: permissions.map(({ resource, operation }) => ({ resource, operation })),
    }),
  },
};
