/** `edu plan`, `edu apply` and `edu undo`. */
import { type Command, exclusive, flag, OUTPUT_FILE } from '../../cli/command.js';
import { DRY_RUN } from '../../cli/global-flags.js';
import { IGNORE_UNKNOWN_FLAG, READING_FLAGS } from '../../cli/reading-flags.js';
import { PRUNABLE } from '../../plan/steps.js';
import { plainCommand } from '../kinds/define.js';
import { LIMITS, OUT, SIGN, SKIP_INVALID, signProblems } from './flags.js';
import { APPLIED, STEP } from './plan-shape.js';

export const planCommand = plainCommand({
  name: 'plan',
  summary: 'Show the changes that bring the service to a wanted state.',
  details:
    'WANT is a folder in the format of edu export, or one of its files: users, classes, licenses, schools, publishers, ' +
    'books, readers, as .csv, .xlsx, .ndjson or .json. Items are named by e-mail address, code, EAN or name instead of by ID. ' +
    'Only the given resources and columns are managed. Missing items are not removed, except users from a class whose ' +
    'list of users is given. --prune removes more, and reports schools and publishers, which cannot be removed. Nothing is sent: edu apply carries out a plan.\n' +
    'Exit code 0 when there is nothing to do, 10 when there are changes, 3 when something cannot be done, 2 when the ' +
    'plan is unsafe or the input is wrong. With --skip-invalid it is 3 if rows are left out. Without --output it prints ' +
    'text, also in a pipe.\n' +
    'A plan is unsafe if it removes more than 10% or changes more than 75% of what an organization with 10 or more ' +
    'items has, or if it removes every user of a class. Users leave a class only after all others were added to it.',
  arguments: [{ name: 'want', description: 'folder or file with the wanted state', names: 'file' }],
  flags: [
    OUT,
    flag('--prune WHAT', 'delete absent classes, take absent roles from users, or absent users out of their classes', {
      kind: 'choice',
      choices: PRUNABLE,
      many: true,
    }),
    ...READING_FLAGS,
    IGNORE_UNKNOWN_FLAG,
    SKIP_INVALID,
    ...LIMITS,
    flag('--organization ID', 'organization of items without one, by ID or name; refuses changes outside of it', {
      refersTo: 'organization',
      notEmpty: true,
    }),
    SIGN,
  ],
  examples: {
    'Start from the current state, then edit the files:': 'edu export --as-plan --to want',
    'Show the changes and save them as a plan:': 'edu plan want --out autumn.plan',
    'Print it as a comment for a pull request:': 'edu plan want -o markdown',
  },
  shape: STEP,
  prints: 'list',
  traits: ['result', 'pages', 'service'],
  // A row that is left out may name what would be removed.
  check: (values) => [...signProblems(values), ...exclusive('skip-invalid', 'prune')(values)],
  run: async (values, context) => (await import('./run-plan.js')).runPlan(values, context),
});

export const applyCommand: Command = plainCommand({
  name: 'apply',
  summary: 'Carry out a plan, each step exactly once.',
  details:
    'Shows what the steps will do, with the names that the service has now, whatever the file says. On a terminal, asks ' +
    'for the first letters of the hash of the plan; elsewhere, pass it with --confirm. --yes does not replace it. Skips a ' +
    'step whose item has changed since the plan (stale), and a step that needs one that was not done. Checks the same ' +
    'limits as edu plan.\n' +
    'Run the same command again to finish an interrupted plan: its progress stays in the state folder until edu jobs ' +
    'prune deletes it. The receipt contains the outcome and the ID of each step; ' +
    'edu undo plans the reversal from it. Exit code 3 when a step was not done.',
  arguments: [{ name: 'plan', description: 'file that edu plan wrote', names: 'file' }],
  flags: [
    flag('--confirm HASH', 'hash of the plan, at least its first 8 letters'),
    flag('--receipt FILE', 'write the receipt to FILE (default: PLAN.receipt)', { kind: 'file', ...OUTPUT_FILE }),
    flag('--concurrency N', 'number of steps to send at the same time (default 8)', { kind: 'whole', minimum: 1 }),
    flag('--rate N/s', 'maximum steps per second'),
    ...LIMITS,
    flag('--signed-by KEY', 'refuse a plan unless the key in EDU_PLAN_KEY has the ID KEY and signed it'),
    DRY_RUN,
  ],
  examples: {
    'Apply a reviewed plan in a script:': 'edu apply autumn.plan --confirm 3f9a21c0',
    'Show its requests and send none:': 'edu apply autumn.plan --dry-run',
    'Refuse a plan that was changed after it was signed:':
      'edu apply autumn.plan --confirm 3f9a21c0 --signed-by 1c5e0d7a',
    'Apply a plan on a terminal, which asks for its hash:': 'edu apply autumn.plan',
  },
  shape: APPLIED,
  prints: 'item',
  endsItself: true,
  run: async (values, context) => (await import('./run-apply.js')).runApply(applyCommand, values, context),
});

export const undoCommand = plainCommand({
  name: 'undo',
  summary: 'Write a plan that undoes an applied plan.',
  details:
    'Reads the receipt of a plan and writes a plan with the inverse of each step that was done. Apply it with edu apply. ' +
    'Steps that the service cannot reverse are shown with the reason: created users, schools and publishers, assigned ' +
    'licences, deleted classes. Exit codes as those of edu plan. Without RECEIPT, offers the last receipts and jobs of ' +
    'this machine; a job is undone by edu jobs undo.',
  arguments: [{ name: 'receipt', description: 'file that edu apply wrote', names: 'file', optional: true }],
  flags: [OUT, SIGN],
  check: signProblems,
  examples: {
    'Show what can be undone and save the plan:': 'edu undo autumn.plan.receipt --out undo.plan',
  },
  shape: STEP,
  prints: 'list',
  traits: ['result', 'service'],
  run: async (values, context, commands) => (await import('./run-plan.js')).runUndo(values, context, commands),
});
