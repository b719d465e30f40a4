/** The prompt on a real terminal. The only file that knows inquirer; imported when the first question is asked. */
import { checkbox, confirm, input, password, search, select } from '@inquirer/prompts';
import { EduError } from '../errors.js';
import type { Choice, Prompt, TextQuestion } from './prompt.js';

/** From this many choices on, the list is searched by typing instead of walked. */
const MANY = 12;

/**
 * Asks on stderr.
 * @param signal ends the question when the program is interrupted
 */
export function inquirerPrompt(signal: AbortSignal): Prompt {
  const where = { output: process.stderr, signal };

  // Ctrl-C inside a question is an interruption like any other: nothing was sent.
  async function asked<T>(question: Promise<T>): Promise<T> {
    try {
      return await question;
    } catch (error) {
      if (error instanceof Error && /^(ExitPromptError|AbortPromptError|CancelPromptError)$/.test(error.name)) {
        throw new EduError('interrupted', 'Interrupted. Nothing was sent.');
      }
      throw error;
    }
  }

  const options = <T>(choices: readonly Choice<T>[]) =>
    choices.map(({ name, value, description }) => ({
      name,
      value,
      ...(description === undefined ? {} : { description }),
    }));

  const text = ({ message, default: fallback, validate }: TextQuestion) => ({
    message,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(validate === undefined ? {} : { validate }),
  });

  return {
    confirm: (message) => asked(confirm({ message, default: false }, where)),
    text: (question) => asked(input(text(question), where)),
    secret: ({ message, validate }) =>
      asked(password({ message, mask: '*', ...(validate === undefined ? {} : { validate }) }, where)),
    select: <T>(message: string, choices: readonly Choice<T>[]) =>
      choices.length < MANY
        ? asked(select<T>({ message, choices: options(choices) }, where))
        : asked(
            search<T>(
              {
                message: `${message} (type to search)`,
                source: (typed) => {
                  const word = (typed ?? '').toLowerCase();
                  return options(choices.filter(({ name }) => name.toLowerCase().includes(word)));
                },
              },
              where,
            ),
          ),
    selectSeveral: <T>(message: string, choices: readonly Choice<T>[], least: number) =>
      asked(checkbox<T>({ message, choices: options(choices), required: least > 0 }, where)),
  };
}
