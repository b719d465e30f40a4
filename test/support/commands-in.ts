/** The commands that a hint names. */
import { replaceCommands } from '../../src/cli/hints.js';

export function commandsIn(hint: string): readonly string[] {
  const found: string[] = [];
  replaceCommands(hint, (command) => {
    found.push(command);
    return command;
  });
  return found;
}
