/** A roster: schools, people, classes and memberships of another system, independent of the file format. */
import type { Problem } from '../../core/errors.js';
import { getOrSet } from '../../core/maps.js';
import type { Reading } from '../../core/table/rows.js';
import { problemAt } from '../problem-at.js';

/** `bulk` contains everything, so absent people have left; `delta` contains only changes. */
export type RosterMode = 'bulk' | 'delta';

/**
 * - `gone`: marked for deletion, or not enabled.
 * - `out`: neither changed nor taken for absent, such as a class whose terms have ended.
 * - `invalid`: the row has a problem, so it says nothing; otherwise as `out`.
 */
export type RosterState = 'active' | 'gone' | 'out' | 'invalid';

interface RosterItem {
  /** ID in the other system; for a plain list, a key made from the row. */
  readonly sourcedId: string;
  /** File and line: `users.csv line 7`. */
  readonly at: string;
  readonly state: RosterState;
}

/** Whether the other system has an item, not marked for deletion. */
export const isHere = (item: RosterItem | undefined): boolean => item !== undefined && item.state !== 'gone';

export interface RosterSchool extends RosterItem {
  readonly name: string;
}

export interface RosterPerson extends RosterItem {
  /** Undefined for a name that the other system does not export. */
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
  readonly email: string | undefined;
  readonly username: string | undefined;
  readonly identifier: string | undefined;
  /** In lower case: `student`, `teacher`. */
  readonly role: string;
  /** ID of the primary school. */
  readonly school: string | undefined;
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
  readonly file: string;
  readonly line: number;
  readonly row?: number | undefined;
  readonly isGone: boolean;
}

export interface RosterFacts {
  /** `OneRoster 1.1`, `plain list`. */
  readonly format: string;
  /** A plain list, which has no dates. */
  readonly isPlain?: true;
  readonly files: readonly { readonly name: string; readonly rows: number; readonly mode: RosterMode }[];
  readonly modes: Readonly<Record<'people' | 'memberships', RosterMode>>;
}

export interface RosterOptions {
  /** Memberships that have not begun or have ended on this day are ignored, and classes whose terms have. yyyy-MM-dd */
  readonly on: string;
  /** Flags for reading the files. */
  readonly reading: Reading | undefined;
  /** ID or name of the school of rows in a plain list that name none. */
  readonly school?: string | undefined;
}

interface Group {
  readonly first: { readonly where: string; readonly message: string };
  count: number;
}

/** Collects the problems of a roster and counts left-out data, while it is read. */
export class Findings {
  readonly #problems = new Map<string, Group>();
  readonly #notes = new Map<string, Group>();
  /** Why rows cannot be used, by file and line. */
  readonly rows = new Map<string, string[]>();
  /** True if a problem concerns more than single rows. */
  isUnusable = false;

  /** Adds a problem. @param at the row, if only one has the problem, so that the others can be used without it */
  readonly problem = (where: string, message: string, at?: string): void => {
    if (at === undefined) this.isUnusable = true;
    else this.skip(at, message);
    getOrSet(this.#problems, message, () => ({ first: { where, message }, count: 0 })).count++;
  };

  /** Adds a problem of one row. */
  readonly row = (at: string, message: string): void => this.problem(at, message, at);

  /** Notes why a row cannot be used, if the problem was added for another one. */
  skip(at: string, reason: string): void {
    getOrSet(this.rows, at, () => []).push(reason);
  }

  /** Notes that a row cannot be used because of another one. A row of a plain list is person, class and membership in one. */
  leaveOut(at: string, what: string, cause: string | undefined): void {
    if (cause !== at) this.skip(at, `its ${what} is left out: ${cause}`);
  }

  /** Notes that a person or class is left out, although its row has no problem. */
  leaveWith(at: string): void {
    if (!this.rows.has(at)) this.skip(at, 'another row about it or its school is left out');
  }

  /** Counts data that is left out. */
  note(what: string, where: string): void {
    getOrSet(this.#notes, what, () => ({ first: { where, message: what }, count: 0 })).count++;
  }

  /** Equal problems once, with the first place and their number. */
  get problems(): readonly Problem[] {
    return [...this.#problems.values()].map(({ first: { where, message }, count }) => problemAt(where, count, message));
  }

  get notes(): readonly string[] {
    return [...this.#notes.values()].map(({ first: { where, message }, count }) =>
      count === 1 ? `${message}: ${where}` : `${message}: ${count} times, first ${where}`,
    );
  }
}

/** The content of a roster, which readers fill. */
export class RosterContent {
  readonly schools = new Map<string, RosterSchool>();
  readonly people = new Map<string, RosterPerson>();
  readonly classes = new Map<string, RosterClass>();
  readonly memberships: Membership[] = [];
  readonly findings = new Findings();
  /** Classes and people of whom a membership cannot be used: nobody is removed from these classes, nor these people. */
  readonly gaps = { classes: new Set<string>(), people: new Set<string>() };
  /** A row that cannot be used means an unknown person or class, so nobody can be taken for absent. */
  hasUnknown = false;

  get problems(): readonly Problem[] {
    return this.findings.problems;
  }

  get notes(): readonly string[] {
    return this.findings.notes;
  }

  /**
   * Adds a membership. They are the most numerous items: to save memory, they share the strings of classes, people and
   * files.
   */
  member({ class: name, person, file, line, row, isGone }: Membership): void {
    const found = this.classes.get(name)?.sourcedId ?? name;
    const who = this.people.get(person)?.sourcedId ?? person;
    this.memberships.push({ class: found, person: who, file, line, row, isGone });
  }

  /** Notes that a membership cannot be used. */
  gap(name: string | undefined, person: string | undefined): void {
    if (name !== undefined) this.gaps.classes.add(name);
    if (person !== undefined) this.gaps.people.add(person);
    if (name === undefined && person === undefined) this.hasUnknown = true;
  }

  /** Marks a person as unusable. */
  invalidate(sourcedId: string): void {
    const person = this.people.get(sourcedId);
    if (person !== undefined) this.people.set(sourcedId, { ...person, state: 'invalid' });
  }
}

export type Roster = RosterFacts & RosterContent;
