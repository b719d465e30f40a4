/** Adds names to the IDs of users for `--with-names`. Each user is read once. */
import type { Context } from '../../cli/context.js';
import { users } from '../../contract/users.js';
import { EduError, type ErrorKind } from '../../core/errors.js';
import { isObject } from '../../core/json.js';

interface Names {
  readonly firstName: unknown;
  readonly lastName: unknown;
  readonly email: unknown;
}

const UNKNOWN: Names = { firstName: null, lastName: null, email: null };

const CONCURRENCY = 6;

const known = new WeakMap<Context, Map<string, Promise<Names>>>();

/** Errors for a user that is unknown or not visible, or a value that cannot be an ID. */
const UNSEEN: ReadonlySet<ErrorKind> = new Set(['not_found', 'forbidden', 'refused', 'usage']);

/** Null for a user that is not visible, such as an end user. */
function namesOf(id: string, context: Context): Promise<Names> {
  const names = known.get(context) ?? new Map<string, Promise<Names>>();
  known.set(context, names);
  let reading = names.get(id);
  if (reading === undefined) {
    reading = context
      .client()
      .then((client) => client.call(users.get, { params: { id } }, { signal: context.signal }))
      .then(({ firstName, lastName, email }): Names => ({ firstName, lastName, email }))
      .catch((error: unknown) => {
        if (error instanceof EduError && UNSEEN.has(error.kind)) return UNKNOWN;
        throw error;
      });
    names.set(id, reading);
  }
  return reading;
}

/** @param field the field with the user's ID */
export async function withPersonNames(
  items: readonly unknown[],
  field: string,
  context: Context,
): Promise<readonly unknown[]> {
  const named: unknown[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) {
      const whole = isObject(item) ? item : { [field]: item };
      const id = whole[field];
      named[index] = { ...whole, ...(typeof id === 'string' ? await namesOf(id, context) : UNKNOWN) };
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return named;
}
