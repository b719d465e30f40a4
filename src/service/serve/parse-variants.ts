/** Reads variants from words and objects, or chooses them by a random seed. */
import { any, choice, type Fields, integer } from '../../contract/vocabulary.js';
import { isObject } from '../../core/json.js';
import { seededRandom } from '../seeds/random.js';
import { CHOICES, type Choices, defaultVariants, MAX_LIMIT, READINGS, type Variants } from '../variants.js';
import { OptionError, partsOf, readGiven, requireDuration } from './option-values.js';

/** Variants as the user gives them: `encryption` and `cursorLife` are durations. */
export type VariantsGiven = { readonly [N in keyof Choices]?: Choices[N] } & {
  readonly defaultLimit?: number;
  readonly maxLimit?: number;
  readonly cursorLife?: string | number;
  readonly encryption?: string | number;
  readonly strictInput?: boolean;
};

const HINT = 'Write it like created-status=201.';

const limit = integer('items on a page', { minimum: 1, maximum: MAX_LIMIT });
const duration = any('a duration');

const FIELDS: Fields = {
  ...Object.fromEntries(
    Object.entries({ ...CHOICES, ...READINGS }).map(([name, all]) => [name, choice(all, 'behaviour left open')]),
  ),
  defaultLimit: limit,
  maxLimit: limit,
  cursorLife: duration,
  encryption: duration,
  strictInput: choice(['true', 'false'], 'unknown input is refused'),
};

/** @param fromText true if numbers are texts @throws OptionError */
export function readVariants(given: unknown, fromText = false): Partial<Variants> {
  const strict = isObject(given) && given.strictInput !== undefined ? { strictInput: String(given.strictInput) } : {};
  const whole = isObject(given) ? { ...given, ...strict } : given;
  const { cursorLife, encryption, strictInput, ...rest } = readGiven('the variants', FIELDS, whole, HINT, fromText);
  return {
    ...rest,
    ...(cursorLife !== undefined && { cursorLifeMs: requireDuration('cursorLife', cursorLife) }),
    ...(encryption !== undefined && {
      encryptionMs: encryption === 'never' ? null : requireDuration('encryption', encryption),
    }),
    ...(strictInput !== undefined && { strictInput: strictInput === 'true' }),
  };
}

/** Parses a word such as `created-status=201`. @throws OptionError */
export function parseVariant(word: string): Partial<Variants> {
  const parts = partsOf(word, () => {
    throw new OptionError(`${JSON.stringify(word)} is not a variant`, HINT);
  });
  return readVariants(Object.fromEntries(parts), true);
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
