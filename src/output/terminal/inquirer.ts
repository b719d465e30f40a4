/** The prompt on a real terminal. The only file that knows inquirer; imported when the first question is asked. */
import { checkbox, confirm, input, password, search, select } from '@inquirer/prompts';
import { EduError } from '../../core/errors.js';
import type { Choice, Prompt, TextQuestion } from './prompt.js';

/** From this many choices on, the list is searched by typing instead of walked. */
const MANY = 12;

/** What a search for several offers beside the choices, to end it. */
const NO_MORE = Symbol('no more');

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

  /** Shorter lists show whole; what is searched shows some. */
  const pageSize = MANY;

  const searched = <T>(message: string, choices: readonly Choice<T>[]): Promise<T> =>
    asked(
      search<T>(
        {
          message: `${message} (type to search)`,
          pageSize: 8,
          source: (typed) => {
            const word = (typed ?? '').toLowerCase();
            return options(choices.filter(({ name }) => name.toLowerCase().includes(word)));
          },
        },
        where,
      ),
    );

  /** One after the other, until the person says that there are no more. */
  async function searchedSeveral<T>(message: string, choices: readonly Choice<T>[], least: number): Promise<T[]> {
    const picked: T[] = [];
    for (;;) {
      const left: Choice<T | typeof NO_MORE>[] = choices.filter(({ value }) => !picked.includes(value));
      if (picked.length >= least) left.unshift({ name: 'No more', value: NO_MORE });
      const answer = await searched<T | typeof NO_MORE>(picked.length === 0 ? message : 'Another one', left);
      if (answer === NO_MORE) return picked;
      picked.push(answer);
      if (picked.length === choices.length) return picked;
    }
  }

  return {
    confirm: (message) => asked(confirm({ message, default: false }, where)),
    text: (question) => asked(input(text(question), where)),
    secret: ({ message, validate }) =>
      asked(password({ message, mask: '*', ...(validate === undefined ? {} : { validate }) }, where)),
    select: <T>(message: string, choices: readonly Choice<T>[]) =>
      choices.length < MANY
        ? asked(select<T>({ message, choices: options(choices), pageSize }, where))
        : searched(message, choices),
    selectSeveral: <T>(message: string, choices: readonly Choice<T>[], least: number) =>
      choices.length < MANY
        ? asked(checkbox<T>({ message, choices: options(choices), pageSize, required: least > 0 }, where))
        : searchedSeveral(message, choices, least),
  };
}
