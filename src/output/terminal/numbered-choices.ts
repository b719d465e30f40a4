/** Choices that are answered with a number. */
import type { Choice } from './prompt.js';

/** Longer lists are shown in part, by a part of the name. */
const MAX_LISTED = 12;

const includes = (choice: Choice<unknown> | undefined, word: string): boolean =>
  choice?.name.toLowerCase().includes(word) === true;

/** Chooses by number. Of many choices, a part of the name lists those that contain it, with their numbers. */
export function numberedChoices<T>(message: string, choices: readonly Choice<T>[], counted: string) {
  const isLong = choices.length > MAX_LISTED;
  const numbered = choices.map(({ name }, index) => `  ${index + 1}) ${name}`);
  const ask = isLong ? `${counted}, or a part of the name:` : `${counted}:`;
  const listed = isLong ? [`  ${choices.length} choices`] : numbered;
  let list = [message, ...listed, ''].join('\n');
  return {
    /** The question; with the list of choices the first time. */
    question(): string {
      const shown = list;
      list = '';
      return `${shown}${ask}`;
    },
    /** @returns the choice of a number, or what to show instead */
    chosen(text: string): { value: T } | string {
      const typed = text.trim();
      const choice = /^\d+$/.test(typed) ? choices[Number(typed) - 1] : undefined;
      if (choice !== undefined) return choice;
      const word = typed.toLowerCase();
      const found = isLong && word !== '' ? numbered.filter((_, index) => includes(choices[index], word)) : [];
      if (found.length === 0) return `Type a number from 1 to ${choices.length}, not "${text}".`;
      const more = found.length - MAX_LISTED;
      return [...found.slice(0, MAX_LISTED), ...(more > 0 ? [`  and ${more} more: type more of the name`] : [])].join(
        '\n',
      );
    },
  };
}
