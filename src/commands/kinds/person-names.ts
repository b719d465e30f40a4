/** Names beside the IDs of users, for `--with-names`: read from the service once for each user. */
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

/** Users that are read at a time. */
const MAX_AT_ONCE = 6;

const known = new WeakMap<Context, Map<string, Promise<Names>>>();

/** Errors for an unknown user, one who is not shown, or a value that cannot be an ID. */
const UNSEEN: ReadonlySet<ErrorKind> = new Set(['not_found', 'forbidden', 'refused', 'usage']);

/** The names of a user; null for those of one that the caller may not see, such as an end user. */
function namesOf(id: string, context: Context): Promise<Names> {
  const names = known.get(context) ?? new Map<string, Promise<Names>>();
  known.set(context, names);
  let asked = names.get(id);
  if (asked === undefined) {
    asked = context
      .client()
      .then((client) => client.call(users.get, { params: { id } }, { signal: context.signal }))
      .then(({ firstName, lastName, email }): Names => ({ firstName, lastName, email }))
      .catch((error: unknown) => {
        if (error instanceof EduError && UNSEEN.has(error.kind)) return UNKNOWN;
        throw error;
      });
    names.set(id, asked);
  }
  return asked;
}

/**
 * The items with the names of the users that they are about.
 * @param field the field that holds the user's ID
 */
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
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, worker));
  return named;
}
