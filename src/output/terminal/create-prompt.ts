/** Creates the prompt of a terminal. */
import { wrapped } from '../error-report.js';
import { DEFAULT_WIDTH } from '../width.js';
import type { Asking, Prompt } from './prompt.js';

/** Room for the sign before a question, and `(y/N)` behind it. */
const AROUND = 10;

/**
 * @param plain numbered choices and whole lines instead of menus, without moving the cursor
 * @param columns of the terminal, for questions on several lines
 */
export async function createPrompt(asking: Asking, plain: boolean, columns = DEFAULT_WIDTH): Promise<Prompt> {
  const prompt = plain
    ? (await import('./plain-prompt.js')).plainPrompt(asking)
    : (await import('./inquirer.js')).inquirerPrompt(asking);
  // Further lines are indented, so that a name in a question cannot look like another line.
  const fitted = (message: string): string =>
    message
      .split('\n')
      .map((line) => wrapped(line, columns - AROUND - 2).join('\n  '))
      .join('\n');
  return {
    confirm: (message) => prompt.confirm(fitted(message)),
    text: (question) => prompt.text({ ...question, message: fitted(question.message) }),
    secret: (question) => prompt.secret({ ...question, message: fitted(question.message) }),
    select: (message, choices) => prompt.select(fitted(message), choices),
    choose: (message, choices) => prompt.choose(fitted(message), choices),
    selectSeveral: (message, choices, minCount) => prompt.selectSeveral(fitted(message), choices, minCount),
  };
}
