/** Prompts without menus and cursor movement: numbered choices, answered by a line of text. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { type Asking, type Choice, choicesWith, interrupted, type Prompt, type TextQuestion } from './prompt.js';

/** Swallows what readline would show of a hidden line, which it edits itself. */
const nowhere = () => new Writable({ write: (_, __, done) => done() });

/** Reads a line. @param isHidden the terminal does not show it @throws EduError `interrupted` at the end of the input */
async function lineFrom(message: string, isHidden: boolean, asking: Asking): Promise<string> {
  const { signal, input = process.stdin, output = process.stderr } = asking;
  output.write(`${message} ${isHidden ? '(not shown) ' : ''}`);
  const lines = createInterface({ input, terminal: isHidden, ...(isHidden ? { output: nowhere() } : {}) });
  const ended = new Promise<never>((_, reject) => lines.once('close', () => reject(interrupted())));
  try {
    const line = await Promise.race([lines.question('', { signal }), ended]);
    if (isHidden) output.write('\n');
    return line;
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

/** Longer lists are shown in part, by a part of the name. */
const MAX_LISTED = 12;

/**
 * Chooses by number. Of many choices, a part of the name lists those that contain it, with their numbers; a number that
 * was not listed may be a part of a name, too.
 */
function numberedChoices<T>(message: string, choices: readonly Choice<T>[], counted: string) {
  const isLong = choices.length > MAX_LISTED;
  const numbered = choices.map((choice, index) => ({ ...choice, typed: `${index + 1}` }));
  const listed = new Map<string, Choice<T>>();
  const list = (some: typeof numbered): string[] =>
    some.map(({ typed, ...choice }) => {
      listed.set(typed, choice);
      return `  ${typed}) ${choice.name}`;
    });
  return {
    head: [message, ...(isLong ? [`  ${choices.length} choices`] : list(numbered)), ''].join('\n'),
    ask: isLong ? `${counted}, or a part of the name:` : `${counted}:`,
    /** @returns the choice of a number, or what to show instead */
    chosen(text: string): { value: T } | string {
      const typed = text.trim();
      const choice = listed.get(typed);
      if (choice !== undefined) return choice;
      if (!isLong) return `Type a number from 1 to ${choices.length}, not "${text}".`;
      const found = typed === '' ? [] : choicesWith(numbered, typed);
      if (found.length === 0) return `No choice contains "${text}".`;
      const more = found.length - MAX_LISTED;
      const rest = more > 0 ? [`  and ${more} more: type more of the name`] : [];
      return [...list(found.slice(0, MAX_LISTED)), ...rest].join('\n');
    },
  };
}

/** @param fit breaks a question into lines */
export function plainPrompt(asking: Asking, fit: (message: string) => string): Prompt {
  const { suspend, output = process.stderr } = asking;
  const shown = (message: string) => lineFrom(message, false, asking);
  const hidden = (message: string) => lineFrom(message, true, asking);

  /** Asks until the answer is valid. @param parse returns the value, or the problem with the answer */
  async function until<T>(
    read: () => Promise<string>,
    parse: (text: string) => { value: T } | string,
    head = '',
  ): Promise<T> {
    return suspend(async () => {
      if (head !== '') output.write(head);
      for (;;) {
        const parsed = parse(await read());
        if (typeof parsed !== 'string') return parsed.value;
        output.write(`${parsed}\n`);
      }
    });
  }

  const typed = (question: TextQuestion, read: (message: string) => Promise<string>): Promise<string> => {
    const { default: preset } = question;
    const message = fit(question.message) + (preset === undefined ? '' : ` (${preset})`);
    return until(
      () => read(message),
      (text) => {
        const value = text === '' ? (preset ?? '') : text;
        const valid = question.validate?.(value) ?? true;
        return valid === true ? { value } : valid;
      },
    );
  };

  return {
    confirm: (message) =>
      until(
        () => shown(`${fit(message)} (y/N)`),
        (text) => {
          const answer = text.trim().toLowerCase();
          if (/^y(es)?$/.test(answer)) return { value: true };
          return /^(no?)?$/.test(answer) ? { value: false } : `Type y or n, not "${text}".`;
        },
      ),
    text: (question) => typed(question, shown),
    secret: (question) => typed(question, hidden),
    select: (message, choices, preset) => {
      const usual = choices.find(({ value }) => preset !== undefined && value === preset);
      const counted = usual === undefined ? 'Number' : `Number (${choices.indexOf(usual) + 1})`;
      const { head, ask, chosen } = numberedChoices(fit(message), choices, counted);
      return until(
        () => shown(ask),
        (text) => (text.trim() === '' ? usual : undefined) ?? chosen(text),
        head,
      );
    },
    selectSeveral: (message, choices, minCount) => {
      const { head, ask, chosen } = numberedChoices(fit(message), choices, 'Numbers, separated by commas');
      return until(
        () => shown(ask),
        (text) => {
          const isNumbers = /^[\d\s,]*$/.test(text);
          const parts = isNumbers ? text.split(/[\s,]+/).filter(Boolean) : [text];
          const picked = parts.map((part) => chosen(part));
          const problem = picked.find((one) => typeof one === 'string');
          if (problem !== undefined) return problem;
          if (parts.length < minCount) return `Type at least ${minCount === 1 ? 'one number' : `${minCount} numbers`}.`;
          return { value: [...new Set(picked.flatMap((one) => (typeof one === 'string' ? [] : [one.value])))] };
        },
        head,
      );
    },
  };
}
