/** Prompts on the terminal with inquirer. */
import type { Key } from 'node:readline';
import { createPromptModule } from 'inquirer';
import { type Asking, type Choice, choicesWith, interrupted, type Prompt } from './prompt.js';

/** Lists with more choices are searched by typing. */
const MAX_LISTED = 12;

/** Lines below the choices: a blank one, up to two about keys, and one to spare. */
const BELOW = 4;

/**
 * Reads the terminal again after Ctrl-Z and `fg`. Node's readline pauses the input at SIGCONT and leaves it to its user
 * to resume; nothing would be left to wait for, and the program would end with exit code 0.
 */
const resumeInput = (): unknown => setImmediate(() => process.stdin.resume());

/** Ends the program by SIGHUP, because `process.exit` aborts with a core dump once the terminal is gone. */
function hangUp(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}

/** @param fit breaks a question into lines */
export function inquirerPrompt(
  { signal, suspend, input = process.stdin, output = process.stderr }: Asking,
  fit: (message: string) => string,
): Prompt {
  // Ctrl-C and Ctrl-D in a prompt are interruptions.
  async function ask<T>(question: Readonly<Record<string, unknown> & { message: string }>): Promise<T> {
    const ended = new AbortController();
    // At Ctrl-D on an empty line, Node's readline closes without an answer, and nothing would be left to wait for.
    const onKey = (_: unknown, { ctrl, name }: Key): void => {
      if (ctrl === true && name === 'd') setImmediate(() => input.isPaused() && ended.abort());
    };
    const prompt = createPromptModule({ input, output, signal: AbortSignal.any([signal, ended.signal]) });
    process.on('SIGCONT', resumeInput);
    // Before readline's listener, which throws because it cannot change the mode of a closed terminal.
    input.on('keypress', onKey).prependListener('end', hangUp);
    try {
      const message = fit(question.message);
      // A list higher than the terminal would scroll its question away.
      const room = Math.max(1, (output.rows ?? 24) - message.split('\n').length - BELOW);
      const pageSize = Math.min(Number(question.pageSize ?? MAX_LISTED), room);
      const questions = [{ ...question, message, pageSize, name: 'answer' }];
      return (await suspend(() => prompt(questions as never))).answer as T;
    } catch (error) {
      if (error instanceof Error && /^(ExitPromptError|AbortPromptError|CancelPromptError)$/.test(error.name)) {
        throw interrupted();
      }
      throw error;
    } finally {
      process.off('SIGCONT', resumeInput);
      input.off('keypress', onKey).off('end', hangUp);
      // A resumed input would keep the program running.
      input.pause();
    }
  }

  /** Asks again if Enter came together with a letter: inquirer then takes a choice that was listed before it. */
  async function searched<T>(message: string, choices: readonly Choice<T>[]): Promise<T> {
    let found = choices;
    let initialValue = '';
    for (;;) {
      const value = await ask<T>({
        type: 'search',
        message: `${message} (type to search)`.replaceAll(') (', '; '),
        pageSize: 8,
        initialValue,
        source: (typed = '') => {
          initialValue = typed;
          found = choicesWith(choices, typed);
          return found;
        },
      });
      if (found.some((choice) => choice.value === value)) return value;
    }
  }

  async function searchedSeveral<T>(message: string, choices: readonly Choice<T>[], minCount: number): Promise<T[]> {
    const picked: T[] = [];
    for (;;) {
      const left: Choice<T | undefined>[] = choices.filter(({ value }) => !picked.includes(value));
      if (picked.length >= minCount) left.unshift({ name: 'No more', value: undefined });
      const answer = await searched(picked.length === 0 ? message : 'Another one', left);
      if (answer === undefined) return picked;
      picked.push(answer);
      if (picked.length === choices.length) return picked;
    }
  }

  return {
    confirm: (message) => ask({ type: 'confirm', message, default: false }),
    text: (question) => ask({ type: 'input', ...question }),
    secret: (question) => ask({ type: 'password', mask: '*', toggleMask: false, ...question }),
    select: (message, choices, preset) =>
      choices.length < MAX_LISTED
        ? ask({ type: 'select', message, choices, default: preset })
        : searched(message, choices),
    selectSeveral: (message, choices, minCount) =>
      choices.length < MAX_LISTED
        ? ask({ type: 'checkbox', message, choices, required: minCount > 0 })
        : searchedSeveral(message, choices, minCount),
  };
}
