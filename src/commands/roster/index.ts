/** `edu roster …`: class lists from a school's own system. */
import type { Argument, Group } from '../../cli/command.js';
import { READING_FLAGS } from '../../cli/reading-flags.js';
import { plainCommand } from '../kinds/define.js';
import { LIMITS, OUT, SIGN, SKIP_INVALID, signProblems } from '../plan/flags.js';
import { STEP } from '../plan/plan-shape.js';
import { FAILED, ROSTER_FLAGS, RULES } from './roster-flags.js';

const ROSTER: Argument = {
  name: 'roster',
  description: 'folder, zip archive or table (CSV, .xlsx, JSON)',
  names: 'file',
};

export const group: Group = {
  name: 'roster',
  details:
    'A roster is a plain list (CSV or .xlsx with school, class, first-name, last-name, email, role), or the CSV files of ' +
    'OneRoster 1.1 or 1.2, Microsoft School Data Sync V1 or V2.1, or Clever, in a folder or zip. Passwords, phone numbers ' +
    'and demographics are never read.',
  commands: [
    plainCommand({
      name: 'check',
      summary: 'Show the contents of a roster and its problems.',
      details:
        'Sends nothing. Each problem is listed with its file and line; the exit code is 2 if there are any. With the flags ' +
        'of edu roster plan, reports everything that it would refuse in the roster.',
      arguments: [ROSTER],
      flags: [...READING_FLAGS, ...ROSTER_FLAGS, FAILED, ...RULES],
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
      flags: [...READING_FLAGS, ...ROSTER_FLAGS, SKIP_INVALID],
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
        'that it contains. The exit code is 3 if --skip-invalid leaves out rows. A folder in the format of edu plan works as well.',
      arguments: [ROSTER],
      flags: [OUT, ...READING_FLAGS, ...ROSTER_FLAGS, SKIP_INVALID, FAILED, ...RULES, ...LIMITS, SIGN],
      examples: {
        'Plan the new school year:':
          'edu roster plan oneroster --role-map teacher=Teacher --default-subject Mathematics --out autumn.plan',
        'Plan without the rows that have problems, which are written to a folder:':
          'edu roster plan oneroster --skip-invalid --failed to-correct --out today.plan',
      },
      shape: STEP,
      prints: 'list',
      traits: ['result', 'pages', 'service'],
      check: signProblems,
      run: async (values, context) => (await import('./run-roster.js')).planRoster(values, context),
    }),
  ],
};
