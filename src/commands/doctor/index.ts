/** `edu doctor`: looks for what keeps the program from working, and says what to do about each. */
import type { Command } from '../../cli/command.js';
import { FINDING } from './shape.js';

export const doctor: Command = {
  name: 'doctor',
  summary: 'Look for what keeps edu from working, and say what to do.',
  details:
    'Looks at Node, settings, folders, proxy, terminal, the connection to the service, its clock, the access token and ' +
    'what you may do. Exits with 0 when there is no problem, else with the code of the first one.',
  examples: [
    { about: 'What is wrong here?', line: 'edu doctor' },
    { about: 'For a bug report:', line: 'edu doctor --json' },
  ],
  shape: FINDING,
  prints: 'list',
  run: async (_, context) => (await import('./run-doctor.js')).examine(context),
};
