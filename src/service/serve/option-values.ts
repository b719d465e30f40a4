/** Reads what users give as options, faults and expectations: objects, lines of words, durations. */
import { any, type Fields, type InputFields } from '../../contract/vocabulary.js';
import { parseDuration } from '../../core/duration.js';
import { METHODS } from '../../core/http.js';
import { isObject } from '../../core/json.js';
import type { FieldProblem } from '../error-answer.js';
import { check } from '../validation.js';

export class OptionError extends TypeError {
  override readonly name = 'OptionError';
  /** What to write instead. */
  readonly hint: string;
  constructor(message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
  }
}

/** The error for a value that an option does not take. */
export const badOption = (name: string, value: unknown, hint: string): OptionError =>
  new OptionError(`${name} ${JSON.stringify(value) ?? String(value)} cannot be used`, hint);

/**
 * Checks an object as the service checks a body, and also refuses unknown members.
 * @param name of the object, for errors
 * @param fromText true if numbers may be texts, because the object was a line
 * @throws OptionError that names all problems
 */
export function readGiven<F extends Fields>(
  name: string,
  fields: F,
  given: unknown,
  hint: string,
  fromText = false,
): InputFields<F> {
  if (!isObject(given)) throw badOption(name, given, hint);
  const problems: FieldProblem[] = [];
  const values = check(fields, given, { problems, warnings: [], isStrict: true }, fromText);
  if (problems.length === 0) return values as InputFields<F>;
  const reasons = problems.map(({ field, message }) => `${field} ${message}`).join('; ');
  throw new OptionError(`${name} cannot be used: ${reasons}`, hint);
}

/** @throws OptionError for an unknown option, with the most similar one */
export function requireKnown(options: unknown, known: readonly string[]): void {
  const fields = Object.fromEntries(known.map((one) => [one, any('its reader checks it')]));
  readGiven('the options', fields, options, `Give some of ${known.join(', ')}.`);
}

const kebabToCamel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Splits a line such as `POST /v1/licenses 503 retry-after=1` into named parts.
 * @param other returns the name and value of a word that is no method, path, status or `name=value`
 * @throws OptionError for a part that is given twice
 */
export function partsOf(
  line: string,
  other: (word: string) => readonly [name: string, value: unknown],
): ReadonlyMap<string, unknown> {
  const parts = new Map<string, unknown>();
  for (const word of line.split(/\s+/).filter((part) => part !== '')) {
    const [, key, value = ''] = /^([^/=]+)=(.*)$/s.exec(word) ?? [];
    const isMethod = METHODS.some((method) => method === word.toUpperCase());
    const [name, given] = word.startsWith('/')
      ? ['path', word]
      : key !== undefined
        ? [kebabToCamel(key), value]
        : /^\d+$/.test(word)
          ? ['status', word]
          : isMethod
            ? ['method', word.toUpperCase()]
            : other(word);
    if (parts.has(name)) throw new OptionError(`"${name}" is given twice in "${line}"`, 'Give it once.');
    parts.set(name, given);
  }
  return parts;
}

/** Reads a text such as `90s`, or a number of milliseconds; undefined for anything else. */
export function readDuration(value: unknown): number | undefined {
  if (typeof value === 'string') return parseDuration(value);
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined;
}

/** Like `readDuration`. @throws OptionError for anything else */
export function requireDuration(name: string, value: unknown): number {
  const found = readDuration(value);
  if (found !== undefined) return found;
  throw badOption(name, value, 'Write 90s, 2h or 3d, or give milliseconds.');
}
