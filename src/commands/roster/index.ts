/** `edu roster …`: class lists of the school's own system. */
import type { Group } from '../../cli/command.js';
import { READ, ROSTER } from './flags.js';

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
  ],
};
