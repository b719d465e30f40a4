/** Types of a plan: steps, and conflicts that no request can resolve. */
import type { OrganizationReference } from '../contract/shared.js';
import type { Problem } from '../core/errors.js';
import type { Plannable } from './want-columns.js';

/** The kind of item that a step changes; `members` are users of a class, `holders` users of a licence. */
export type Subject = Plannable | 'members' | 'holders';

export type StepVerb = 'create' | 'update' | 'assign' | 'unassign' | 'delete' | 'cancel';

/** The ID of an existing item, or the number of the step that creates it. */
export type Ref = string | { readonly step: number };

/** Values by the API's field names. */
export type Fields = Readonly<Record<string, unknown>>;

/** A wanted change that no request can make. */
export interface Conflict {
  readonly resource: Subject;
  /** Name, code or e-mail address. */
  readonly key: string;
  readonly id: string | null;
  /** The organization, if it is known. */
  readonly of: Ref | undefined;
  readonly why: string;
}

/**
 * One request. It contains no names for display: they are read from the service, so that a plan shows what it does.
 * Bodies may contain a `Ref` in place of an ID.
 */
export interface Step {
  /** Counted from 1; a step refers only to earlier ones. */
  readonly step: number;
  readonly verb: StepVerb;
  readonly resource: Subject;
  /** The item that the step changes or removes; null for a new one, and for members and holders. */
  readonly id: string | null;
  /** Fields of the item when it was planned; of an `unassign`, the body of the request. */
  readonly before: Fields | null;
  /** The body of the request. */
  readonly after: Fields | null;
}

/** The classes of a school that a plan manages: a class that is read by ID shows neither its school nor whether it was deleted. */
export interface ManagedClasses {
  /** Blank for classes that were read by ID, because that response has no school. */
  readonly school: string;
  readonly classes: readonly string[];
}

/** Max share of the existing items that may be removed, and changed. */
export interface Limits {
  readonly maxRemoved: number;
  readonly maxChanged: number;
}

export interface Planned {
  readonly steps: readonly Step[];
  readonly conflicts: readonly Conflict[];
  /** Errors in the input. */
  readonly faults: readonly Problem[];
  readonly managed: readonly ManagedClasses[];
  /** Classes of complete schools that the wanted state does not contain, although users whom it contains are in them. */
  readonly unnamed: readonly { readonly id: string; readonly name: string }[];
}

/** Values of `--prune`: what is removed if the wanted state does not contain it, or reported if it cannot be removed. */
export const PRUNABLE = ['classes', 'roles', 'users', 'schools', 'publishers'] as const;
export type Prunable = (typeof PRUNABLE)[number];

/** People and classes that a roster contains or knows, but does not manage. */
export interface Untouched {
  /** Users, by ID or e-mail address, who stay in their classes. */
  readonly users: readonly string[];
  /** IDs of classes whose members stay. */
  readonly classes: readonly string[];
  /** People who cannot be identified: users of that name whom no row names stay in their classes. */
  readonly people: readonly {
    /** ID or name; undefined for any. */
    readonly organization: string | undefined;
    readonly firstName: string;
    readonly lastName: string;
  }[];
}

export interface PlanOptions {
  readonly prune: ReadonlySet<Exclude<Prunable, 'users'>>;
  /** IDs or names of organizations whose other users, who are not in the wanted state, leave their classes. */
  readonly complete: readonly string[];
  readonly untouched?: Untouched | undefined;
  readonly only?: 'add' | 'remove' | undefined;
  /** The organization of items without one. */
  readonly organization: OrganizationReference;
}

export const DEFAULT_LIMITS: Limits = { maxRemoved: 0.1, maxChanged: 0.75 };

/** Number of characters of a hash for display and input. */
export const SHORT_HASH = 8;
