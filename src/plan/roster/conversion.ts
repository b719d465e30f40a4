/** The inputs of the conversion of a roster to a wanted state. */
import type { Findings } from './findings.js';
import type { Roster } from './roster.js';
import type { RosterMap } from './roster-map.js';

export interface RosterRules {
  /** Roles of the service by role of the roster; other roles are not changed. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
  /** Template for people without an address, such as `{username}@school.example`. */
  readonly email: string | undefined;
  /** Subjects of the service by subject of the roster, in lower case. */
  readonly subjects: ReadonlyMap<string, string>;
  readonly defaultSubject: string | undefined;
  /** Whether people who are no longer in the roster leave their classes. */
  readonly leavers: 'unassign' | 'keep';
  /** Whether people lose the roles in `roles` that the roster does not give them. */
  readonly takesRoles: boolean;
}

export interface Conversion {
  readonly roster: Roster;
  readonly map: RosterMap;
  readonly rules: RosterRules;
  readonly findings: Findings;
}
