/** `edu plan`: the steps from the actual to the wanted state. */
import { type Command, flag } from '../../cli/command.js';
import { LIMITS, limitProblems, OUT } from './flags.js';
import { STEP } from './shape.js';

export const planCommand: Command = {
  name: 'plan',
  summary: 'Show the changes that bring the service to a wanted state.',
  details:
    'WANT is a folder in the format of edu export, or one of its files: users, classes, licenses, schools, publishers, ' +
    'books, readers, as .csv, .ndjson or .json. Items are named by e-mail address, code, EAN or name instead of by ID. ' +
    'Only the given resources and columns are managed. Missing items are not removed, except users from a class whose ' +
    'list of users is given. Nothing is sent: edu apply carries out a plan.\n' +
    'Exit code 0 when there is nothing to do, 10 when there are changes, 3 when something cannot be done, 2 when the ' +
    'plan is unsafe or the input is wrong. Without --output it prints text, also in a pipe.\n' +
    'A plan is unsafe if it removes more than 10 % or changes more than 75 % of what an organization with 10 or more ' +
    'items has.',
  arguments: [{ name: 'want', description: 'folder or file with the wanted state' }],
  flags: [
    OUT,
    flag('--prune WHAT', 'delete absent classes, take absent roles from users, or absent users out of their classes', {
      kind: 'choice',
      choices: ['classes', 'roles', 'users'],
      many: true,
    }),
    ...LIMITS,
  ],
  examples: {
    'Start from the current state, then edit the files:': 'edu export --as-plan --to want',
    'Show the changes and save them as a plan:': 'edu plan want --out autumn.plan',
    'Print it as a comment for a pull request:': 'edu plan want -o markdown',
  },
  shape: STEP,
  prints: 'list',
  traits: ['result', 'pages', 'service'],
  check: limitProblems,
  run: async (values, context) => (await import('./run-plan.js')).runPlan(values, context),
};
