/** `edu undo`: a plan that reverses an applied one. */
import type { Command } from '../../cli/command.js';
import { OUT } from './flags.js';
import { STEP } from './shape.js';

export const undoCommand: Command = {
  name: 'undo',
  summary: 'Write a plan that undoes an applied plan.',
  details:
    'Reads the receipt of a plan and writes a plan with the inverse of each step that was done. Apply it with edu apply. ' +
    'Steps that the service cannot reverse are shown with the reason: created users, schools and publishers, assigned ' +
    'licences, deleted classes. Exit codes as those of edu plan.',
  arguments: [{ name: 'receipt', description: 'file that edu apply wrote' }],
  flags: [OUT],
  examples: {
    'Show what can be undone and save the plan:': 'edu undo autumn.plan.receipt --out undo.plan',
  },
  shape: STEP,
  prints: 'list',
  traits: ['result'],
  run: async (values, context) => (await import('./run-undo.js')).runUndo(values, context),
};
