/** `edu roster …`: class lists from a school's own system. */
import { READING_FLAGS } from '../../cli/bulk-flags.js';
import { type Argument, type Flag, flag, type Group } from '../../cli/command.js';
import { plainCommand } from '../kinds/define.js';
import { LIMITS, limitProblems, OUT } from '../plan/flags.js';
import { STEP } from '../plan/plan-shape.js';

const ROSTER: Argument = { name: 'roster', description: 'folder, zip archive, CSV or .xlsx file' };

const READ: readonly Flag[] = [
  ...READING_FLAGS.filter(({ name }) => name === 'map' || name === 'sheet').map(({ trait, group, ...one }) => one),
  flag('--on DATE', 'leave out memberships that have ended or not begun on DATE (default today)', { kind: 'date' }),
];

const MAP_FILE: Flag = flag(
  '--roster-map FILE',
  'file that maps IDs of the roster to IDs of the service (default roster-map.csv beside the roster)',
  { notEmpty: true },
);

/** Flags that turn a roster into a wanted state. */
const RULES: readonly Flag[] = [
  flag(
    '--role-map ROLE=NAME',
    'role of the service for a role of the roster; ROLE= for none (other roles are not changed)',
    { many: true },
  ),
  flag('--take-roles', 'remove roles in --role-map from people who lack them in the roster'),
  flag('--email TEMPLATE', "address for people without one, such as '{username}@school.example' (default: skip them)", {
    notEmpty: true,
  }),
  flag('--subject-map SUBJECT=NAME', 'subject of the service for a subject of the roster', { many: true }),
  flag('--default-subject NAME', 'subject of new classes without one', { notEmpty: true }),
  flag(
    '--leavers WHAT',
    'unassign people who are no longer in the roster from their classes, or keep them (default unassign)',
    { kind: 'choice', choices: ['unassign', 'keep'] },
  ),
];

export const group: Group = {
  name: 'roster',
  details:
    'A roster is a plain list (CSV or .xlsx with school, class, first-name, last-name, email, role), or OneRoster 1.1 or ' +
    '1.2 CSV, in a folder or zip. Passwords, phone numbers and demographics are never read.',
  commands: [
    plainCommand({
      name: 'check',
      summary: 'Show the contents of a roster and its problems.',
      details: 'Sends nothing. Each problem is listed with its file and line; the exit code is 2 if there are any.',
      arguments: [ROSTER],
      flags: READ,
      examples: {
        'Check a OneRoster archive:': 'edu roster check oneroster.zip',
        'Check a list with other headers:':
          'edu roster check list.xlsx --map Schule=school --map Klasse=class --map Rufname=first-name',
      },
      prints: 'item',
      traits: ['result'],
      run: async (values, context) => (await import('./run-roster.js')).checkRoster(values, context),
    }),
    plainCommand({
      name: 'match',
      summary: 'Find the schools, people and classes of a roster in the service.',
      details:
        'Writes roster-map.csv, which maps IDs of the roster to IDs of the service, or adds to it. Keep the file, and edit it ' +
        'if needed: matches stay valid when addresses change, and deltas need it. Matches people by e-mail address or by an ' +
        'identifier that is an ID of the service, schools and classes by name. On a terminal, asks about people of the same ' +
        'name; elsewhere, lists them. Rows with "ignore" are excluded.',
      arguments: [ROSTER],
      flags: [...READ, MAP_FILE],
      examples: {
        'Match a roster:': 'edu roster match oneroster',
      },
      prints: 'item',
      run: async (values, context) => (await import('./run-roster.js')).matchFiles(values, context),
    }),
    plainCommand({
      name: 'plan',
      summary: 'Show the changes that bring users and classes in line with a roster.',
      details:
        'Works like edu plan and has its exit codes; apply the plan with edu apply. With a bulk roster, users of its schools ' +
        'who are absent from it leave their classes; no user is ever deleted. A delta changes only the people and classes ' +
        'that it contains. A folder in the format of edu plan works as well.',
      arguments: [ROSTER],
      flags: [OUT, ...READ, MAP_FILE, ...RULES, ...LIMITS],
      examples: {
        'Plan the new school year:':
          'edu roster plan oneroster --role-map teacher=Teacher --default-subject Mathematics --out autumn.plan',
      },
      shape: STEP,
      prints: 'list',
      traits: ['result', 'pages', 'service'],
      check: limitProblems,
      run: async (values, context) => (await import('./run-roster.js')).planRoster(values, context),
    }),
  ],
};
