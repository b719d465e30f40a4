/** `edu publishers …` */
import type { Group } from '../../cli/command.js';
import { publisher } from '../../contract/publishers.js';
import { createOf, getOf, listOf, updateOf } from '../kinds/of-resource.js';

export const publishersGroup: Group = {
  name: 'publishers',
  commands: [
    listOf(publisher, {
      summary: 'List the publishers that your organization owns.',
      examples: [
        { about: 'List the publishers:', line: 'edu publishers list' },
        { about: 'List them as JSON, one object per line:', line: 'edu publishers list -o ndjson' },
      ],
    }),
    getOf(publisher, {
      summary: 'Show a publisher.',
      examples: [
        { about: 'Show a publisher:', line: 'edu publishers get p1' },
        { about: 'Show the result as JSON:', line: 'edu publishers get p1 --json' },
      ],
    }),
    createOf(publisher, {
      summary: 'Create a publisher. Only distributors can.',
      examples: [
        { about: 'Create a publisher:', line: 'edu publishers create --name "Meridian Press"' },
        {
          about: 'Show the request without sending it:',
          line: 'edu publishers create --name "Zenith Press" --dry-run',
        },
      ],
    }),
    updateOf(publisher, {
      summary: 'Rename a publisher.',
      examples: [
        { about: 'Rename a publisher:', line: 'edu publishers update p1 --name "Northern Lights"' },
        { about: 'Show the request without sending it:', line: 'edu publishers update p1 --name Boreal --dry-run' },
      ],
    }),
  ],
};
