/** commander as the bundle has it: without subcommands that are programs of their own, for which it loads child_process. */
import { replacing } from './replacing.mjs';

export const commanderInPart = () =>
  replacing('commander', {
    'node:child_process': "exports.spawn = () => { throw new Error('programs are not part of this build'); };",
  });
