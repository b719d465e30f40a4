/**
 * Reads the value of a flag or argument, from the command line or from a row of a file. Problems name the flag, the
 * value and the reason.
 */
import { textProblem } from '../contract/shared.js';
import { dayAfter, readDay } from '../core/day.js';
import type { Problem } from '../core/errors.js';
import { splitList } from '../core/list-text.js';
import { either } from '../core/plural.js';
import { didYouMean, isOneEdit } from '../core/suggest.js';
import { dateReader, formatsFor } from '../core/table/cell-forms.js';
import { forPeople } from '../output/sanitize.js';
import { type Argument, type Flag, namesFile, type Value } from './command.js';

export type Read = { readonly value: Value } | { readonly problem: Problem };

/** A user's text in a message: quoted, shortened, with control characters escaped. */
export const shown = (text: string): string => `"${forPeople(text.length > 60 ? `${text.slice(0, 57)}…` : text)}"`;

function idProblem(text: string): string | undefined {
  if (text.trim() === '') return 'is empty; give an ID';
  if (text === '.' || text === '..') return `is ${shown(text)}, which is not an ID`;
  return undefined;
}

function whole(text: string, flag: Flag): { readonly value: number } | string {
  if (!/^[+-]?\d+$/.test(text.trim())) return `must be a whole number, not ${shown(text)}`;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) return `is too large: ${shown(text)}`;
  if (flag.minimum !== undefined && value < flag.minimum) return `must be at least ${flag.minimum}, not ${value}`;
  return { value };
}

function chosen(text: string, flag: Flag): { readonly value: string | number } | string {
  const choices = flag.choices ?? [];
  const found =
    choices.find((choice) => String(choice) === text) ??
    choices.find((choice) => String(choice).toLowerCase() === text.trim().toLowerCase());
  if (found !== undefined) return { value: found };
  if (flag.open) return { value: text };
  const meant = didYouMean(text, choices.map(String));
  return `must be ${either(choices)}, not ${shown(text)}.${meant === undefined ? '' : ` ${meant}`}`;
}

/** The days that a text in another format or with a slip may mean: 31.07.2027, 30d, tomorow. */
function daysMeant(text: string): string {
  const near = ['today', 'tomorrow', 'yesterday', `+${text}`].filter((day) => isOneEdit(text, day) && readDay(day, 0));
  const meant = [...formatsFor(text).flatMap((format) => dateReader(format)(text) ?? []), ...near];
  return meant.length === 0 ? '' : `. Did you mean ${either(meant)}?`;
}

function readOne(flag: Flag, typed: string): { readonly value: string | number } | string {
  // Look-ups by name ignore the blanks around a value, and cells have none.
  const text = flag.target === undefined || namesFile(flag) ? typed : typed.trim();
  switch (flag.kind) {
    case 'whole':
      return whole(text, flag);
    case 'choice':
      return chosen(text, flag);
    case 'date':
      // Relative dates are kept: they are resolved when the command runs, or when the job was started.
      if (readDay(text, 0) === undefined)
        return `must be a valid date (yyyy-MM-dd, today, +30d), not ${shown(text)}${daysMeant(text)}`;
      return { value: text.trim().toLowerCase() };
    case 'period':
      if (dayAfter('2000-01-01', text) === undefined)
        return `must be a length of time such as 60d, 8w, 6m or 1y, not ${shown(text)}`;
      return { value: text.trim().toLowerCase() };
    case 'percent':
      if (!/^\s*(?:\d{1,2}(?:\.\d+)?|100(?:\.0+)?)%\s*$/.test(text))
        return `must be a percentage from 0% to 100%, not ${shown(text)}`;
      return { value: text.trim() };
    case 'email':
    case 'code': {
      const problem = textProblem(flag.kind, text);
      if (problem !== undefined) return `${problem}, not ${shown(text)}`;
      break;
    }
    case 'country':
      if (!/^[A-Za-z]{2}$/.test(text)) return `must be the two letters of ISO 3166-1, such as DE, not ${shown(text)}`;
      return { value: text.toUpperCase() };
    default:
      break;
  }
  if (flag.refersTo !== undefined) {
    const problem = idProblem(text);
    if (problem !== undefined) return problem;
  }
  if ((flag.required || flag.notEmpty || flag.many) && text.trim() === '') return 'must not be empty';
  // Node reads arguments as UTF-8, and replaces other bytes by U+FFFD.
  const isSent = flag.target && !flag.refersTo;
  if (!text.isWellFormed() || (namesFile(flag) ? text.includes('\0') : isSent && text.includes('\ufffd')))
    return `is not valid text: ${shown(text)}`;
  // A text has at least as many UTF-16 units as characters.
  if (flag.maxLength !== undefined && text.length > flag.maxLength) {
    const { length } = [...text];
    if (length > flag.maxLength) return `must have at most ${flag.maxLength} characters, not ${length}: ${shown(text)}`;
  }
  return { value: text };
}

/** Reads the value of a flag from its elements. @returns instead why it cannot be read, as the end of a sentence */
export function readElements(flag: Flag, texts: readonly string[]): { readonly value: Value } | string {
  const values: (string | number)[] = [];
  for (const text of texts) {
    // `--role ""` of an update means no roles at all. An empty element is an error, and so is an empty filter, such as that
    // of an unset variable: without it, the command would be about everything.
    if (flag.many && flag.target !== undefined && text === '' && texts.length === 1) continue;
    const read = readOne(flag, text);
    if (typeof read === 'string') return read;
    values.push(read.value);
  }
  if (flag.many || flag.repeat) return { value: values.map(String) };
  return { value: values.at(-1) ?? '' };
}

/** Reads the value of a flag. @param given the text, or all texts of a repeated flag */
export function readFlag(flag: Flag, given: string | boolean | readonly string[]): Read {
  const where = `--${flag.name}`;
  const texts = typeof given === 'object' ? given : [String(given)];
  if (flag.kind === 'switch') {
    const [text = ''] = texts;
    if (text === 'true' || text === 'false') return { value: text === 'true' };
    if (flag.variants?.includes(text)) return { value: text };
    const known = [...(flag.variants ?? []), 'true'].join(', ');
    return { problem: { where, message: `is on or off: it takes no value but ${known} or false` } };
  }
  const read = readElements(flag, flag.many ? texts.flatMap((text) => splitList(text, ',')) : texts);
  return typeof read === 'string' ? { problem: { where, message: read } } : read;
}

/** Reads an argument, which must not be empty. */
export function readArgument(argument: Argument, given: string | readonly string[]): Read {
  const texts = Array.isArray(given) ? given : [String(given)];
  const isId = argument.refersTo !== undefined || argument.name === 'id';
  for (const text of texts) {
    const emptyProblem = text.trim() === '' ? 'is empty' : undefined;
    const problem =
      (isId ? idProblem(text) : emptyProblem) ??
      (text.isWellFormed() ? undefined : `is not valid text: ${shown(text)}`);
    if (problem !== undefined) {
      const where = argument.name.toUpperCase();
      return { problem: { where, message: problem } };
    }
  }
  return { value: argument.many ? texts : (texts[0] ?? '') };
}
