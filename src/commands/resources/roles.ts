/** `edu roles …` */
import type { Group } from '../../cli/command.js';
import { ORGANIZATION_FLAGS, organizationFor } from '../../cli/organization-flags.js';
import { Role, roles } from '../../contract/roles.js';
import { listCommand } from '../kinds/define.js';

export const rolesGroup: Group = {
  name: 'roles',
  commands: [
    listCommand({
      name: 'list',
      noun: 'roles',
      summary: 'List the roles of your organization, or of one that it owns.',
      flags: ORGANIZATION_FLAGS,
      examples: [
        { about: 'List the roles of your organization:', line: 'edu roles list' },
        {
          about: 'What may each role of a school do?',
          line: 'edu roles list --organization s1 --organization-type School --json',
        },
      ],
      shape: Role,
      sources: async (values, context) => {
        const { id, type } = await organizationFor(values, context);
        return [{ endpoint: roles.list, input: { query: { organization: id, type } } }];
      },
    }),
  ],
};
