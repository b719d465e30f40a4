/** `edu version`: the same as `edu --version`. */
import type { Command } from '../../cli/command.js';
import { version as current } from '../../core/version.js';

export const version: Command = {
  name: 'version',
  summary: 'Show the version.',
  examples: {
    'Show the installed version:': 'edu version',
    'Print the major version only:': 'edu version | cut -d. -f1',
  },
  prints: 'nothing',
  run: async (_, { io }) => io.stdout.write(`${current()}\n`),
};
