/** Adds names to the IDs of users for `--with-names`. Each user is read once. */
import type { Context } from '../../cli/context.js';
import type { personNames } from '../../contract/shared.js';
import { users } from '../../contract/users.js';
import { isKind } from '../../core/errors.js';
import { forEachConcurrently } from '../../core/for-each.js';
import { isObject } from '../../core/json.js';
import { getOrSet } from '../../core/maps.js';

type Names = Readonly<Record<keyof typeof personNames, unknown>>;

const UNKNOWN: Names = { firstName: null, lastName: null, email: null };

const CONCURRENCY = 6;

const known = new WeakMap<Context, Map<string, Promise<Names>>>();

/** Null for a user that is not visible, such as an end user. */
function namesOf(id: string, context: Context): Promise<Names> {
  const names = getOrSet(known, context, () => new Map());
  return getOrSet(names, id, async () => {
    const { call } = await context.client();
    try {
      const { firstName, lastName, email } = await call(users.get, { params: { id } }, { signal: context.signal });
      return { firstName, lastName, email };
    } catch (error) {
      // A user that is unknown or not visible, or a value that cannot be an ID.
      if (isKind(error, 'not_found', 'forbidden', 'refused', 'usage')) return UNKNOWN;
      throw error;
    }
  });
}

/** @param field the field with the user's ID */
export async function withPersonNames(
  items: readonly unknown[],
  field: string,
  context: Context,
): Promise<readonly unknown[]> {
  const named: unknown[] = [];
  await forEachConcurrently(items.entries(), CONCURRENCY, async ([index, item]) => {
    const whole = isObject(item) ? item : { [field]: item };
    const id = whole[field];
    named[index] = { ...whole, ...(typeof id === 'string' ? await namesOf(id, context) : UNKNOWN) };
  });
  return named;
}
