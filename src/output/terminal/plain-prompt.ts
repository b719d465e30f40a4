/** Prompts without menus and cursor movement: numbered choices, answered by a line of text. */
import { createInterface } from 'node:readline/promises';
import { type Asking, type Choice, interrupted, type Prompt, type TextQuestion } from './prompt.js';

const CTRL_C = '\x03';
const CTRL_D = '\x04';

export function plainPrompt({ signal, suspend, input = process.stdin, output = process.stderr }: Asking): Prompt {
  /** Reads a line that the terminal shows and edits. @throws EduError `interrupted` at the end of the input */
  async function lineFrom(message: string): Promise<string> {
    output.write(`${message} `);
    const lines = createInterface({ input, terminal: false });
    const ended = new Promise<never>((_, reject) => lines.once('close', () => reject(interrupted())));
    try {
      return await Promise.race([lines.question('', { signal }), ended]);
    } catch (error) {
      output.write('\n');
      throw signal.aborted ? interrupted() : error;
    } finally {
      ended.catch(() => {});
      lines.close();
      // A resumed input would keep the program running.
      input.pause();
    }
  }

  /** Reads a line that the terminal does not show. */
  async function hiddenLineFrom(message: string): Promise<string> {
    output.write(`${message} (not shown) `);
    input.setRawMode?.(true);
    try {
      return await new Promise<string>((resolve, reject) => {
        let typed = '';
        const end = (done: () => void): void => {
          input.off('data', read);
          signal.removeEventListener('abort', abort);
          done();
        };
        const abort = (): void => end(() => reject(interrupted()));
        const read = (chunk: Buffer | string): void => {
          for (const key of String(chunk)) {
            if (key === '\r' || key === '\n') end(() => resolve(typed));
            else if (key === CTRL_C || key === CTRL_D) abort();
            else if (key === '\b' || key === '\x7f') typed = [...typed].slice(0, -1).join('');
            else typed += key;
          }
        };
        signal.addEventListener('abort', abort, { once: true });
        input.on('data', read).resume();
        if (signal.aborted) abort();
      });
    } finally {
      input.setRawMode?.(false);
      input.pause();
      output.write('\n');
    }
  }

  /** Asks until the answer is valid. @param parse returns the value, or the problem with the answer */
  async function until<T>(read: () => Promise<string>, parse: (text: string) => { value: T } | string): Promise<T> {
    return suspend(async () => {
      for (;;) {
        const parsed = parse(await read());
        if (typeof parsed !== 'string') return parsed.value;
        output.write(`${parsed}\n`);
      }
    });
  }

  const typed = (question: TextQuestion, read: (message: string) => Promise<string>): Promise<string> => {
    const message = question.default === undefined ? question.message : `${question.message} (${question.default})`;
    return until(
      () => read(message),
      (text) => {
        const value = text === '' ? (question.default ?? '') : text;
        const valid = question.validate?.(value) ?? true;
        return valid === true ? { value } : valid;
      },
    );
  };

  function numbered<T>(message: string, choices: readonly Choice<T>[]): string {
    return [message, ...choices.map(({ name }, index) => `  ${index + 1}) ${name}`), ''].join('\n');
  }

  function chosen<T>(text: string, choices: readonly Choice<T>[]): { value: T } | string {
    const choice = /^\d+$/.test(text.trim()) ? choices[Number(text) - 1] : undefined;
    return choice ?? `Type a number from 1 to ${choices.length}, not "${text}".`;
  }

  const choose = <T>(message: string, choices: readonly Choice<T>[]): Promise<T> =>
    until(
      () => lineFrom(`${numbered(message, choices)}Number:`),
      (text) => chosen(text, choices),
    );

  return {
    confirm: (message) =>
      until(
        () => lineFrom(`${message} (y/N)`),
        (text) => {
          const answer = text.trim().toLowerCase();
          if (/^y(es)?$/.test(answer)) return { value: true };
          return /^(no?)?$/.test(answer) ? { value: false } : `Type y or n, not "${text}".`;
        },
      ),
    text: (question) => typed(question, lineFrom),
    secret: (question) => typed(question, hiddenLineFrom),
    select: choose,
    choose,
    selectSeveral: (message, choices, minCount) =>
      until(
        () => lineFrom(`${numbered(message, choices)}Numbers, separated by commas:`),
        (text) => {
          const parts = text.split(/[\s,]+/).filter(Boolean);
          const picked = parts.map((part) => chosen(part, choices));
          const problem = picked.find((one) => typeof one === 'string');
          if (problem !== undefined) return problem;
          if (parts.length < minCount) return `Type at least ${minCount === 1 ? 'one number' : `${minCount} numbers`}.`;
          return { value: [...new Set(picked.flatMap((one) => (typeof one === 'string' ? [] : [one.value])))] };
        },
      ),
  };
}
