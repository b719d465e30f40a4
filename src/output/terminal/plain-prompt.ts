/** Prompts without menus and cursor movement: numbered choices, answered by a line of text. */
import { numberedChoices } from './numbered-choices.js';
import { type Asking, type Choice, inLines, type Prompt, type TextQuestion } from './prompt.js';
import { hiddenLineFrom, lineFrom } from './typed-line.js';

export function plainPrompt({ signal, suspend, input = process.stdin, output = process.stderr }: Asking): Prompt {
  const shown = (message: string) => lineFrom(inLines(message, output), { signal, input, output });
  const hidden = (message: string) => hiddenLineFrom(message, { signal, input, output });

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

  function choose<T>(message: string, choices: readonly Choice<T>[]): Promise<T> {
    const { question, chosen } = numberedChoices(message, choices, 'Number');
    return until(() => shown(question()), chosen);
  }

  return {
    confirm: (message) =>
      until(
        () => shown(`${message} (y/N)`),
        (text) => {
          const answer = text.trim().toLowerCase();
          if (/^y(es)?$/.test(answer)) return { value: true };
          return /^(no?)?$/.test(answer) ? { value: false } : `Type y or n, not "${text}".`;
        },
      ),
    text: (question) => typed(question, shown),
    secret: (question) => typed(question, hidden),
    select: choose,
    choose,
    selectSeveral: (message, choices, minCount) => {
      const { question, chosen } = numberedChoices(message, choices, 'Numbers, separated by commas');
      return until(
        () => shown(question()),
        (text) => {
          const isNumbers = /^[\d\s,]*$/.test(text);
          const parts = isNumbers ? text.split(/[\s,]+/).filter(Boolean) : [text];
          const picked = parts.map((part) => chosen(part));
          const problem = picked.find((one) => typeof one === 'string');
          if (problem !== undefined) return problem;
          if (parts.length < minCount) return `Type at least ${minCount === 1 ? 'one number' : `${minCount} numbers`}.`;
          return { value: [...new Set(picked.flatMap((one) => (typeof one === 'string' ? [] : [one.value])))] };
        },
      );
    },
  };
}
