/** Creates the prompt of a terminal. */
import { wrapped } from '../error-report.js';
import { DEFAULT_WIDTH } from '../width.js';
import type { Asking, Prompt } from './prompt.js';

/** Room for the sign before a question, and `(y/N)` behind it. */
const AROUND = 10;

/** Breaks a question between words. Further lines are indented, so that a name in it cannot look like another line. */
const fitted = (message: string, columns: number): string =>
  message
    .split('\n')
    .map((line) => wrapped(line, columns - AROUND - 2).join('\n  '))
    .join('\n');

/**
 * @param plain numbered choices and whole lines instead of menus, without moving the cursor
 * @param color whether menus may be coloured
 * @param columns of the terminal, for questions on several lines
 */
export async function createPrompt(
  asking: Asking,
  plain: boolean,
  color: boolean,
  columns = DEFAULT_WIDTH,
): Promise<Prompt> {
  const fit = (message: string): string => fitted(message, columns);
  if (plain) return (await import('./plain-prompt.js')).plainPrompt(asking, fit);
  // inquirer asks only the environment.
  if (!color) process.env.NO_COLOR = '1';
  return (await import('./inquirer.js')).inquirerPrompt(asking, fit);
}
