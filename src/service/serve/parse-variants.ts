/** Parses variants from words and JSON, or chooses them by a random seed. */
import { isObject } from '../../core/json.js';
import { seededRandom } from '../seeds/random.js';
import { CHOICES, type Choices, defaultVariants, MAX_LIMIT, READINGS, type Variants } from '../variants.js';
import { OptionError, readDuration } from './option-values.js';

/** Variants as the user gives them: `encryption` and `cursorLife` are durations. */
export type VariantsGiven = { readonly [N in keyof Choices]?: Choices[N] } & {
  readonly defaultLimit?: number;
  readonly maxLimit?: number;
  readonly cursorLife?: string | number;
  readonly encryption?: string | number;
  readonly strictInput?: boolean;
};

const bad = (message: string): OptionError => new OptionError(message, 'Write it like created-status=201.');

const badValue = (name: string, value: unknown, expected: string): OptionError =>
  bad(`${JSON.stringify(value)} is not a value of ${name}: expected ${expected}`);

function durationOf(name: string, value: unknown): number {
  const found = readDuration(value);
  if (found === undefined || found === 0) throw badValue(name, value, 'a duration such as 90s or 5m');
  return found;
}

function limitOf(name: string, value: unknown): number {
  const limit = Number(value);
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw badValue(name, value, `a whole number from 1 to ${MAX_LIMIT}`);
}

function readVariant(name: string, value: unknown): Partial<Variants> {
  if (name === 'cursorLife') return { cursorLifeMs: durationOf(name, value) };
  if (name === 'encryption') return { encryptionMs: value === 'never' ? null : durationOf(name, value) };
  if (name === 'defaultLimit' || name === 'maxLimit') return { [name]: limitOf(name, value) };
  if (name === 'strictInput') {
    if (!['true', 'false'].includes(String(value))) throw badValue(name, value, 'true, false');
    return { strictInput: String(value) === 'true' };
  }
  const known = { ...CHOICES, ...READINGS };
  if (!Object.hasOwn(known, name)) {
    const names = [...Object.keys(known), 'defaultLimit', 'maxLimit', 'cursorLife', 'encryption', 'strictInput'];
    throw bad(`there is no variant ${JSON.stringify(name)}: expected ${names.join(', ')}`);
  }
  const choices: readonly (string | number)[] = known[name as keyof Choices];
  const found = choices.find((choice) => String(choice) === String(value));
  if (found === undefined) throw badValue(name, value, choices.join(', '));
  return { [name]: found };
}

/** @throws OptionError */
export function readVariants(given: unknown): Partial<Variants> {
  if (!isObject(given)) {
    throw bad(`variants must be an object such as {"createdStatus": 201}, not ${JSON.stringify(given)}`);
  }
  return Object.assign({}, ...Object.entries(given).map(([name, value]) => readVariant(name, value)));
}

/** Parses a word such as `created-status=201`. @throws OptionError */
export function parseVariant(word: string): Partial<Variants> {
  const at = word.indexOf('=');
  if (at < 1) throw bad(`${JSON.stringify(word)} is not a variant: expected one such as created-status=201`);
  const name = word.slice(0, at).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return readVariant(name, word.slice(at + 1));
}

/** Chooses each variant at random, the same for the same seed. */
export function strangeVariants(seed: number): Variants {
  const { pick } = seededRandom(seed);
  return {
    ...defaultVariants(),
    ...(Object.fromEntries(Object.entries(CHOICES).map(([name, all]) => [name, pick<unknown>(all)])) as Choices),
    defaultLimit: pick([1, 7, 50]),
    maxLimit: pick([3, 20, MAX_LIMIT]),
    cursorLifeMs: pick([60_000, 5 * 60_000]),
    encryptionMs: pick([1_000, 60_000, null]),
  };
}
