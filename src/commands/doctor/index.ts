/** `edu doctor`: diagnoses problems, each with advice. */
import type { Command } from '../../cli/command.js';
import { shape, text } from '../../contract/vocabulary.js';

const FINDING = shape('Finding', 'a check', {
  check: text('name of the check'),
  status: text('ok, warning, problem, or skipped'),
  found: text('result'),
  advice: text('next step', { nullable: true }),
});

export const doctor: Command = {
  name: 'doctor',
  summary: 'Diagnose problems with the installation, settings, connection and login.',
  details:
    'Checks Node, settings, folders, proxy, terminal, the connection to the service, its clock, the access token and your ' +
    'permissions. The exit code is 0 without problems, otherwise that of the first problem.',
  examples: {
    'Check everything:': 'edu doctor',
    'Print the results for a bug report:': 'edu doctor --json',
  },
  shape: FINDING,
  prints: 'list',
  run: async (_, context) => (await import('./run-doctor.js')).examine(FINDING, context),
};
