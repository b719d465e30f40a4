/** `edu roles …` */
import type { Group } from '../../cli/command.js';
import { role } from '../../contract/roles.js';
import { listOf } from '../kinds/of-resource.js';

export const group: Group = {
  name: 'roles',
  commands: [
    listOf(role, {
      examples: {
        'List the roles of your organization:': 'edu roles list',
        'List the roles of a school with their permissions:': 'edu roles list --organization s1 --json',
      },
    }),
  ],
};
