/** Adds names to the IDs of users for `--with-names`. Each user is read once. */
import type { Context } from '../../cli/context.js';
import { idIn } from '../../client/references/id-in.js';
import type { personNames } from '../../contract/shared.js';
import { users } from '../../contract/users.js';
import { isKind } from '../../core/errors.js';
import { forEachConcurrently } from '../../core/for-each.js';
import { asId, isObject, type JsonObject } from '../../core/json.js';
import { getOrSet } from '../../core/maps.js';
import { plural } from '../../core/plural.js';

type Names = Readonly<Record<keyof typeof personNames, unknown>>;

const UNKNOWN: Names = { firstName: null, lastName: null, email: null };

const CONCURRENCY = 6;

const namesIn = ({ firstName = null, lastName = null, email = null }: JsonObject): Names => ({
  firstName,
  lastName,
  email,
});

/** Errors for a user or licence that is unknown or not visible, or for a value that cannot be an ID. */
const isUnseen = (error: unknown): boolean => isKind(error, 'not_found', 'forbidden', 'refused', 'usage');

export type Namer = ReturnType<typeof createNamer>;

/** @param readPeople reads people whose names are needed, since no endpoint returns an end user by ID; called at most once */
export function createNamer(context: Context, readPeople: () => Promise<unknown> = async () => []) {
  const names = new Map<string, Promise<Names>>();
  let people: Promise<ReadonlyMap<unknown, Names>> | undefined;
  /** By ID; an item without one stands for itself. */
  const asked = new Set<unknown>();
  const unnamed = new Set<unknown>();

  async function peopleById(): Promise<ReadonlyMap<unknown, Names>> {
    const found: unknown = await readPeople().catch((error: unknown) => {
      if (isUnseen(error)) return [];
      throw error;
    });
    return new Map(
      [found]
        .flat()
        .filter(isObject)
        .map((person) => [asId(person.id), namesIn(person)]),
    );
  }

  async function read(id: string): Promise<Names> {
    people ??= peopleById();
    const known = (await people).get(id);
    if (known !== undefined) return known;
    const { call } = await context.client();
    try {
      return namesIn(await call(users.get, { params: { id } }, { signal: context.signal }));
    } catch (error) {
      if (isUnseen(error)) return UNKNOWN;
      throw error;
    }
  }

  return {
    /** @param field the field with the user's ID */
    async add(items: readonly unknown[], field: string): Promise<readonly unknown[]> {
      const named: unknown[] = [];
      await forEachConcurrently(items.entries(), CONCURRENCY, async ([index, item]) => {
        const whole = isObject(item) ? item : { [field]: item };
        const id = field in whole ? asId(whole[field]) : idIn(item);
        const found = id === undefined ? UNKNOWN : await getOrSet(names, id, () => read(id));
        asked.add(id ?? item);
        if (Object.values(found).every((name) => name === null)) unnamed.add(id ?? item);
        named[index] = { ...whole, ...found };
      });
      return named;
    },
    /** How many could not be named, as a warning. */
    notes(): readonly string[] {
      if (unnamed.size === 0) return [];
      const users = plural(asked.size, 'user');
      return [
        `${unnamed.size} of ${users} could not be named: end users are shown only by the licences that they hold.`,
      ];
    },
  };
}
