/** Types of a wanted state of schools, publishers, users, classes, licences, books and readers. */
import { type Pair, PLANNABLE, type Plannable, type WantedFields } from './want-columns.js';

/** A user by ID or e-mail address. */
export type Person = string;

type Wanted<R extends Plannable> = WantedFields<R> & {
  /** File and line: `users.csv line 7`. */
  readonly at: string;
  readonly pairs?: readonly Pair[] | undefined;
};

export type WantedOrganization = Wanted<'publishers'> & Wanted<'schools'>;

export type WantedUser = Wanted<'users'> & {
  /** IDs or names of roles that are removed when `roles` lacks them. */
  readonly managedRoles?: readonly string[] | undefined;
  /** A user who does not exist is a conflict, because the row lacks what a create needs. */
  readonly knownOnly?: true | undefined;
  /** Its ID is that of `roster-map.csv`: the address may be another user's. */
  readonly isMapped?: boolean | undefined;
  /** Remove the user from all classes of the organization. */
  readonly leaves?: true | undefined;
};

/** A class with exactly its `users`. */
export type WantedClass = Wanted<'classes'> & {
  /** Ignore the row if no school that was read has the class, or if an earlier row has it. */
  readonly optional?: true | undefined;
  /** The subject of a class without `subject` that does not exist yet. */
  readonly newSubject?: string | undefined;
  /** These users are in it, possibly among others. */
  readonly add?: readonly Person[] | undefined;
  /** These users are not in it, unless `add` has them. */
  readonly remove?: readonly Person[] | undefined;
  /** Nobody is removed from it. */
  readonly addsOnly?: true | undefined;
  /**
   * Of the users of its school, those in the wanted state are in it only if `add` has them; others stay. A list of them
   * for each class would grow with users × classes.
   */
  readonly keepsLeavers?: true | undefined;
};

export type WantedLicense = Wanted<'licenses'> & {
  /** As `endUsers`, but other holders are not a conflict. */
  readonly addEndUsers?: readonly Person[] | undefined;
};

export type WantedPublication = Wanted<'books'> & Wanted<'readers'>;

export interface Want {
  readonly publishers: readonly WantedOrganization[];
  readonly schools: readonly WantedOrganization[];
  readonly users: readonly WantedUser[];
  readonly classes: readonly WantedClass[];
  readonly licenses: readonly WantedLicense[];
  readonly books: readonly WantedPublication[];
  readonly readers: readonly WantedPublication[];
}

/** A wanted state that manages nothing. */
export const NOTHING_WANTED = Object.fromEntries(PLANNABLE.map((resource) => [resource, []])) as unknown as Want;
