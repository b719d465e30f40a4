/** Creates the prompt of a terminal. */
import type { Asking, Prompt } from './prompt.js';

/** @param plain numbered choices and whole lines instead of menus, without moving the cursor */
export async function createPrompt(asking: Asking, plain: boolean): Promise<Prompt> {
  if (plain) return (await import('./plain-prompt.js')).plainPrompt(asking);
  return (await import('./inquirer.js')).inquirerPrompt(asking);
}
