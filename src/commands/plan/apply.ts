/** `edu apply`: carries out a plan. */
import { type Command, flag } from '../../cli/command.js';
import { APPLIED } from './shape.js';

export const applyCommand: Command = {
  name: 'apply',
  summary: 'Carry out a plan, each step exactly once.',
  details:
    'On a terminal, shows the plan and asks for the first letters of its hash; elsewhere, pass the hash with --confirm. ' +
    '--yes does not replace it. Reads each item again before its step: skips a step whose item has changed since the ' +
    'plan (stale), and a step that needs one that was not done.\n' +
    'Run the same command again to finish an interrupted plan. The receipt contains the outcome and the ID of each step; ' +
    'edu undo plans the reversal from it. Exit code 3 when a step was not done.',
  arguments: [{ name: 'plan', description: 'file that edu plan wrote' }],
  flags: [
    flag('--confirm HASH', 'hash of the plan, at least its first 8 letters'),
    flag('--receipt FILE', 'write the receipt to FILE (default: PLAN.receipt)', { kind: 'file' }),
    flag('--concurrency N', 'number of steps to send at the same time (default 8)', { kind: 'whole', minimum: 1 }),
    flag('--rate N/s', 'maximum steps per second'),
  ],
  examples: {
    'Apply a reviewed plan in a script:': 'edu apply autumn.plan --confirm 3f9a21c0',
    'Apply a plan on a terminal, which asks for its hash:': 'edu apply autumn.plan',
  },
  shape: APPLIED,
  prints: 'item',
  endsItself: true,
  run: async (values, context) => (await import('./run-apply.js')).runApply(values, context),
};
