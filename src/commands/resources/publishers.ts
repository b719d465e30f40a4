/** `edu publishers …` */
import type { Group } from '../../cli/command.js';
import { publisher } from '../../contract/publishers.js';
import { createOf, getOf, listOf, updateOf } from '../kinds/of-resource.js';

export const group: Group = {
  name: 'publishers',
  commands: [
    listOf(publisher, {
      examples: {
        'List the publishers:': 'edu publishers list',
        'List them as JSON, one object per line:': 'edu publishers list -o ndjson',
      },
    }),
    getOf(publisher, {
      examples: {
        'Show a publisher:': 'edu publishers get p1',
      },
    }),
    createOf(publisher, {
      summary: 'Create a publisher. Only distributors can.',
      examples: {
        'Create a publisher:': 'edu publishers create --name "Meridian Press"',
      },
    }),
    updateOf(publisher, {
      examples: {
        'Rename a publisher:': 'edu publishers update p1 --name "Northern Lights"',
      },
    }),
  ],
};
