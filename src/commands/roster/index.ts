/** `edu roster …`: class lists of the school's own system. */
import type { Group } from '../../cli/command.js';
import { LIMITS, limitProblems, OUT } from '../plan/flags.js';
import { STEP } from '../plan/shape.js';
import { MAP_FILE, READ, ROSTER, RULES } from './flags.js';

export const rosterGroup: Group = {
  name: 'roster',
  details:
    'A roster is a plain list (CSV or .xlsx with school, class, first-name, last-name, email, role), or OneRoster 1.1 or ' +
    '1.2 CSV, in a folder or zip. Passwords, phone numbers and demographics are never read.',
  commands: [
    {
      name: 'check',
      summary: 'Show what is in a roster, and everything that is wrong with it.',
      details: 'Nothing is sent. Exit code 2 when something is wrong; each problem is named with its file and line.',
      arguments: [ROSTER],
      flags: READ,
      examples: [
        { about: 'Check a OneRoster archive:', line: 'edu roster check oneroster.zip' },
        {
          about: 'A list from another system:',
          line: 'edu roster check list.xlsx --map Schule=school --map Klasse=class --map Rufname=first-name',
        },
      ],
      prints: 'item',
      traits: ['result'],
      run: async (values, context) => (await import('./check.js')).checkRoster(values, context),
    },
    {
      name: 'match',
      summary: 'Find the schools, people and classes of a roster in the service.',
      details:
        'Writes roster-map.csv, which says which ID of the service belongs to which of the roster, and completes it. It ' +
        'is yours to keep and to edit: it holds when addresses change, and deltas need it. Matched are e-mail addresses, ' +
        'identifiers that are IDs of the service, and names of schools and classes; people of the same name are asked ' +
        'about on a terminal and named elsewhere. A row with "ignore" is left alone.',
      arguments: [ROSTER],
      flags: [...READ, MAP_FILE],
      examples: [{ about: 'Match a roster:', line: 'edu roster match oneroster' }],
      prints: 'item',
      run: async (values, context) => (await import('./match.js')).matchFiles(values, context),
    },
    {
      name: 'plan',
      summary: 'Show what it takes to make users and classes like a roster.',
      details:
        'Like edu plan, whose exit codes it has; edu apply carries the plan out. A bulk roster names everybody in its ' +
        'schools: who is absent leaves their classes, and nobody is ever deleted. A delta changes what it names, and ' +
        'nothing else. Also takes a folder in the format of edu plan.',
      arguments: [ROSTER],
      flags: [OUT, ...READ, MAP_FILE, ...RULES, ...LIMITS],
      examples: [
        {
          about: 'Plan the new school year:',
          line: 'edu roster plan oneroster --role-map teacher=Teacher --default-subject Mathematics --out autumn.plan',
        },
      ],
      shape: STEP,
      prints: 'list',
      traits: ['result', 'pages', 'service'],
      check: limitProblems,
      run: async (values, context) => (await import('./plan.js')).planRoster(values, context),
    },
  ],
};
