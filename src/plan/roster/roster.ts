/** A roster: schools, people, classes and memberships of another system, independent of the file format. */

import type { Problem } from '../../core/errors.js';
import { getOrSet } from '../../core/maps.js';
import type { Reading } from '../../core/table/rows.js';

/** `bulk` contains everything, so absent people have left; `delta` contains only changes. */
export type RosterMode = 'bulk' | 'delta';

interface RosterItem {
  /** ID in the other system; for a plain list, a key made from the row. */
  readonly sourcedId: string;
  /** File and line: `users.csv line 7`. */
  readonly at: string;
  /** Marked for deletion, or not enabled. */
  readonly isGone: boolean;
}

export interface RosterSchool extends RosterItem {
  readonly name: string;
}

export interface RosterPerson extends RosterItem {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | undefined;
  readonly username: string | undefined;
  readonly identifier: string | undefined;
  /** In lower case: `student`, `teacher`. */
  readonly role: string;
  /** ID of the primary school. */
  readonly school: string | undefined;
  /** Number of further schools, which are ignored because a user of the service has one organization. */
  readonly otherSchools: number;
}

export interface RosterClass extends RosterItem {
  readonly title: string;
  readonly school: string;
  /** Name or code in the other system. */
  readonly subject: string | undefined;
}

export interface Membership {
  readonly class: string;
  readonly person: string;
  /** File and line, as of other items; may be blank if the roster contains the class and the person. */
  readonly at: string;
  readonly isGone: boolean;
}

export interface RosterFacts {
  /** `OneRoster 1.1`, `plain list`. */
  readonly format: string;
  /** A plain list, which has no dates. */
  readonly isPlain?: true;
  readonly files: readonly { readonly name: string; readonly rows: number; readonly mode: RosterMode }[];
  readonly modes: Readonly<Record<'people' | 'memberships', RosterMode>>;
  /** Errors that make the roster unusable. */
  readonly problems: readonly Problem[];
  /** Ignored data, with counts. */
  readonly notes: readonly string[];
}

export interface RosterOptions {
  /** Memberships that have not begun or have ended on this day are ignored. yyyy-MM-dd */
  readonly on: string;
  /** Flags for reading the files. */
  readonly reading: Reading | undefined;
}

export interface Roster extends RosterFacts {
  readonly schools: ReadonlyMap<string, RosterSchool>;
  readonly people: ReadonlyMap<string, RosterPerson>;
  readonly classes: ReadonlyMap<string, RosterClass>;
  readonly memberships: readonly Membership[];
}

/** Receives the items of a roster while it is read. Each school, person and class is passed once. */
export interface RosterItems {
  readonly school: (school: RosterSchool) => void;
  readonly person: (person: RosterPerson) => void;
  readonly class: (found: RosterClass) => void;
  readonly membership: (membership: Membership) => void;
}

/** Collects problems and counted notes while a roster is read. */
export class Findings {
  readonly problems: Problem[] = [];
  readonly #counts = new Map<string, { count: number; first: string }>();

  readonly problem = (where: string, message: string): void => {
    this.problems.push({ where, message });
  };

  note(what: string, where: string): void {
    getOrSet(this.#counts, what, () => ({ count: 0, first: where })).count++;
  }

  get notes(): readonly string[] {
    return [...this.#counts].map(([what, { count, first }]) =>
      count === 1 ? `${what}: ${first}` : `${what}: ${count} times, first ${first}`,
    );
  }
}
