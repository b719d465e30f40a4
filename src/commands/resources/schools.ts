/** `edu schools …` */
import type { Group } from '../../cli/command.js';
import { classes, schoolClass } from '../../contract/classes.js';
import { school } from '../../contract/schools.js';
import { createOf, getOf, listOf, listUnder, updateOf } from '../kinds/of-resource.js';

export const group: Group = {
  name: 'schools',
  commands: [
    listOf(school, {
      examples: {
        'List the schools:': 'edu schools list',
        'Write IDs, names and cities to a spreadsheet:': 'edu schools list -o csv --fields id,name,city',
      },
    }),
    getOf(school, {
      examples: {
        'Show a school:': 'edu schools get s1',
      },
    }),
    createOf(school, {
      summary: 'Create a school. Only distributors can.',
      examples: {
        'Create a school:': 'edu schools create --name "Lyceum North" --country NL --city Utrecht',
      },
    }),
    updateOf(school, {
      examples: {
        'Rename a school:': 'edu schools update s1 --name "Lyceum South"',
      },
    }),
    listUnder(school, schoolClass, classes.list, {
      name: 'classes',
      summary: 'List the classes of a school.',
      examples: {
        'List the classes of a school:': 'edu schools classes s1',
        'List active classes only:': 'edu schools classes s1 --query "[?deactivationDate==null].className"',
      },
    }),
  ],
};
