/** GET roles (service-api-v1.md, "Roles"). */
import { organizationOfQuery } from '../access.js';
import type { Handlers } from '../received.js';

export const roles: Handlers<'roles'> = {
  list: {
    run({ core, caller, query }) {
      const organization = organizationOfQuery(core, caller, query);
      const found = core.store.roles.all({ organizationId: organization.id });
      return {
        roles: found.map(({ id, name, permissions }) => ({
          id,
          name,
          permissions: permissions.map(({ resource, operation }) => ({ resource, operation })),
        })),
      };
    },
  },
};
