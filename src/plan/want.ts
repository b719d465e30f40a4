/**
 * Types of a wanted state of schools, publishers, users, classes, licences, books and readers. A missing field is not
 * managed. Items are identified by e-mail address, code, EAN or name, or by ID.
 */

/** The resources of a wanted state, in the order in which they are planned. */
export const PLANNABLE = ['publishers', 'schools', 'users', 'classes', 'licenses', 'books', 'readers'] as const;
export type Plannable = (typeof PLANNABLE)[number];

interface Wanted {
  /** File and line: `users.csv line 7`. */
  readonly at: string;
  /** Matches by ID instead of by key. */
  readonly id?: string | undefined;
}

/** A user by ID or e-mail address. */
export type Person = string;

/** A publisher or school; country and city are of schools. */
export interface WantedOrganization extends Wanted {
  readonly name?: string | undefined;
  readonly country?: string | undefined;
  readonly city?: string | undefined;
}

export interface WantedUser extends Wanted {
  readonly email?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly language?: string | undefined;
  /** ID or name of a school or publisher. */
  readonly organization?: string | undefined;
  /** IDs or names of roles. Other roles stay, unless roles are pruned or listed in `managedRoles`. */
  readonly roles?: readonly string[] | undefined;
  /** IDs or names of roles that are removed when `roles` lacks them. */
  readonly managedRoles?: readonly string[] | undefined;
  /** Remove the user from all classes of the organization. */
  readonly leaves?: true | undefined;
}

export interface WantedClass extends Wanted {
  readonly name?: string | undefined;
  /** ID or name. */
  readonly school?: string | undefined;
  /** ID or name; without one, a class is matched by school and name if that is unique. */
  readonly subject?: string | undefined;
  /** Ignore the row if no school that was read has the class. */
  readonly optional?: true | undefined;
  /** Exactly these users are in the class. */
  readonly users?: readonly Person[] | undefined;
  /** These users are in it, possibly among others. */
  readonly add?: readonly Person[] | undefined;
  /** These users are not in it. */
  readonly remove?: readonly Person[] | undefined;
}

export interface WantedExpiration {
  readonly type: string;
  readonly days?: number | undefined;
  /** yyyy-MM-dd */
  readonly date?: string | undefined;
}

export interface WantedLicense extends Wanted {
  readonly code?: string | undefined;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  /** IDs or EANs. */
  readonly books?: readonly string[] | undefined;
  readonly expiration?: WantedExpiration | undefined;
  readonly maximumActivations?: number | undefined;
  /** ID or name of a school or publisher. */
  readonly organization?: string | undefined;
  /** ID, sent with an update; never a reason for one, because the service does not return it. */
  readonly licenseCategory?: string | undefined;
  /** Users who hold it. Others keep it: the service cannot take a licence away. */
  readonly endUsers?: readonly Person[] | undefined;
  /** As `endUsers`, but other holders are not a conflict. */
  readonly addEndUsers?: readonly Person[] | undefined;
  /** Delete it, or cancel it if it has activations. */
  readonly remove?: true | undefined;
}

export interface WantedPublication extends Wanted {
  readonly ean?: string | undefined;
  readonly title?: string | undefined;
  /** ID or name. */
  readonly subject?: string | undefined;
  /** Language of the content; required for a change because the service does not return it. */
  readonly language?: string | undefined;
  readonly settings?: Readonly<Partial<Record<'indexPageNumber' | 'pageNumberOffset', number>>> | undefined;
  /** Of a book, as the next two. */
  readonly year?: number | undefined;
  readonly level?: string | undefined;
  readonly series?: string | undefined;
  /** ID or name; the service does not return it, so a change without it would drop it. */
  readonly secondSubject?: string | undefined;
  /** Of a reader. */
  readonly pdfDownloadable?: boolean | undefined;
}

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
export const NOTHING_WANTED: Want = {
  publishers: [],
  schools: [],
  users: [],
  classes: [],
  licenses: [],
  books: [],
  readers: [],
};
