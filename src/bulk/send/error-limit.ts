/** Ends a job after `--max-errors` failed rows, or when the first rows are all rejected with the same error. */
import { usageError } from '../../core/errors.js';
import { isFailed, type Outcome } from '../job/states.js';

/** The value of `--max-errors`: the number of failed rows that ends a job of a number of rows. */
export type MaxErrors = (rows: number) => number;

/** Why failed rows ended a job. */
export type Stopped =
  | { readonly by: 'max-errors' }
  /** The first rows of the run were all rejected with the same error. */
  | { readonly by: 'alike'; readonly rows: number; readonly error: string };

/** Number of first rows that stop the job if all are rejected with the same error. */
const ALIKE_ROWS = 20;

/** Reads `--max-errors`. @throws a usage error */
export function maxErrorsOf(text: string): MaxErrors {
  const given = text.trim();
  if (given === 'none') return () => Number.POSITIVE_INFINITY;
  const [, digits, percent] = /^(\d{1,9}(?:\.\d+)?)(%?)$/.exec(given) ?? [];
  const number = Number(digits);
  if (percent === '%' && number > 0 && number <= 100) return (rows) => Math.max(1, Math.ceil((rows * number) / 100));
  if (percent === '' && Number.isInteger(number) && number >= 1) return () => number;
  throw usageError(`--max-errors ${JSON.stringify(text)} must be a number of rows, a share such as 5%, or none.`);
}

/** Replaces the parts of an error that differ between rows: quoted values, IDs and codes. */
const withoutValues = (error: string): string =>
  error.replace(/"[^"]*"/g, '""').replace(/[\p{L}\p{N}@._%+-]+/gu, (word) => (/\p{N}/u.test(word) ? '#' : word));

/**
 * Returns a function that counts the failed rows of a run, and returns why the job ends with an outcome.
 * @param limit undefined: the job ends only if its first rows are all rejected alike
 * @param rows number of rows of the job
 */
export function errorLimit(limit: MaxErrors | undefined, rows: number): (outcome: Outcome) => Stopped | undefined {
  let settled = 0;
  let failed = 0;
  let first: string | undefined;
  let isAlike = limit === undefined;
  const max = limit?.(rows) ?? Number.POSITIVE_INFINITY;
  return ({ state, error = '' }) => {
    settled++;
    if (isFailed(state)) failed++;
    if (failed >= max) return { by: 'max-errors' };
    if (!isAlike || settled > ALIKE_ROWS) return undefined;
    const reason = withoutValues(error);
    first ??= reason;
    isAlike = state === 'rejected' && reason === first;
    return isAlike && settled === ALIKE_ROWS ? { by: 'alike', rows: ALIKE_ROWS, error } : undefined;
  };
}
