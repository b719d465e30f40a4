/** GET roles (service-api-v1.md, "Roles"). */
import { organizationOfQuery } from '../access.js';
import type { Handlers } from '../handler-types.js';
import { asShown, blankIsNull } from '../import-overrides.js';
import type { Role } from '../store/records.js';

export const roleAnswer = ({ id, name, permissions, shown }: Role) =>
  asShown({ id, name: blankIsNull(name), permissions: [...permissions] }, shown);

export const roles: Handlers<'roles'> = {
  list: {
    run({ core, caller, query }) {
      const organization = organizationOfQuery(core, caller, query);
      const found = core.store.roles.all({ organizationId: organization.id });
      return { roles: found.filter(({ unlisted }) => unlisted !== true).map(roleAnswer) };
    },
  },
};
