/** `edu apply`: carries out a plan. */
import type { Command } from '../../cli/command.js';
import { APPLIED } from './shape.js';

export const applyCommand: Command = {
  name: 'apply',
  summary: 'Carry out a plan, each step exactly once.',
  details:
    'On a terminal the plan is shown and the first letters of its hash are asked for; elsewhere --confirm gives the ' +
    'hash. --yes does not stand for it. Before each step its item is read again: a step whose item has changed since ' +
    'the plan is stale and is left out, and so is a step that needs one that was not done.\n' +
    'A plan that was interrupted is finished by the same line. The receipt holds the outcome and the id of each step; ' +
    'edu undo makes a plan of it that takes back what can be taken back. Exit code 3 when a step was not done.',
  arguments: [{ name: 'plan', description: 'file that edu plan wrote' }],
  flags: [
    { name: 'confirm', value: 'HASH', kind: 'text', description: 'hash of the plan, at least its first 8 letters' },
    {
      name: 'receipt',
      value: 'FILE',
      kind: 'file',
      description: 'write the receipt to FILE',
      note: 'default: PLAN.receipt',
    },
    {
      name: 'concurrency',
      value: 'N',
      kind: 'whole',
      minimum: 1,
      description: 'number of steps to send at the same time',
      note: 'default 8',
    },
    { name: 'rate', value: 'N/s', kind: 'text', description: 'maximum steps per second' },
  ],
  examples: [
    { description: 'Apply a reviewed plan in a script:', line: 'edu apply autumn.plan --confirm 3f9a21c0' },
    { description: 'Apply a plan on a terminal, which asks for its hash:', line: 'edu apply autumn.plan' },
  ],
  shape: APPLIED,
  prints: 'item',
  endsItself: true,
  run: async (values, context) => (await import('./run-apply.js')).runApply(values, context),
};
