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
        { description: 'List the publishers:', line: 'edu publishers list' },
        { description: 'List them as JSON, one object per line:', line: 'edu publishers list -o ndjson' },
      ],
    }),
    getOf(publisher, {
      summary: 'Show a publisher.',
      examples: [
        { description: 'Show a publisher:', line: 'edu publishers get p1' },
        { description: 'Show the result as JSON:', line: 'edu publishers get p1 --json' },
      ],
    }),
    createOf(publisher, {
      summary: 'Create a publisher. Only distributors can.',
      examples: [
        { description: 'Create a publisher:', line: 'edu publishers create --name "Meridian Press"' },
        {
          description: 'Show the request without sending it:',
          line: 'edu publishers create --name "Zenith Press" --dry-run',
        },
      ],
    }),
    updateOf(publisher, {
      summary: 'Rename a publisher.',
      examples: [
        { description: 'Rename a publisher:', line: 'edu publishers update p1 --name "Northern Lights"' },
        {
          description: 'Show the request without sending it:',
          line: 'edu publishers update p1 --name Boreal --dry-run',
        },
      ],
    }),
  ],
};
