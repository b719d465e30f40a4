/** Types of a plan: steps, and conflicts that no request can resolve. */
import type { OrganizationReference } from '../contract/shared.js';
import type { Problem } from '../core/errors.js';
import type { Plannable } from './want-columns.js';

/** The kind of item that a step changes; `members` are users of a class, `holders` users of a licence. */
export type Subject = Plannable | 'members' | 'holders';

export type StepVerb = 'create' | 'update' | 'assign' | 'unassign' | 'delete' | 'cancel';

/** An existing item, or one that an earlier step creates. */
export type Ref = { readonly id: string } | { readonly step: number };

/** The organization by which steps are grouped for display. */
export interface Section {
  /** Null while the organization does not exist. */
  readonly id: string | null;
  readonly name: string;
}

/** Values by the API's field names. */
export type Fields = Readonly<Record<string, unknown>>;

/** A wanted change that no request can make. */
export interface Conflict {
  readonly verb: 'none';
  readonly resource: Subject;
  /** Name, code or e-mail address. */
  readonly key: string;
  readonly id: string | null;
  readonly section: Section;
  readonly why: string;
}

export interface Step extends Omit<Conflict, 'verb'> {
  /** Counted from 1; a step depends only on earlier ones. */
  readonly step: number;
  readonly verb: StepVerb;
  readonly before: Fields | null;
  readonly after: Fields | null;
  readonly needs: readonly number[];
  readonly reversible: boolean;
  /** The service sends an e-mail with a password. */
  readonly mails: boolean;
}

/** Number of existing items of a resource in an organization that a plan manages. */
export interface Managed {
  readonly resource: Subject;
  readonly section: Section;
  readonly count: number;
}

/** Max share of the existing items that may be removed, and changed. */
export interface Limits {
  readonly maxRemoved: number;
  readonly maxChanged: number;
}

/** Number of users who leave a class, and of all its users. */
export interface Leaving {
  readonly from: string;
  readonly count: number;
  readonly of: number;
}

export interface Planned {
  readonly steps: readonly Step[];
  readonly conflicts: readonly Conflict[];
  /** Errors in the input. */
  readonly faults: readonly Problem[];
  readonly managed: readonly Managed[];
  readonly leaving: readonly Leaving[];
  readonly limits: Limits;
}

/** Values of `--prune`: resources whose items are removed if the wanted state does not contain them. */
export type Prunable = 'classes' | 'roles' | 'users';

/** People and classes that a roster contains or knows, but does not manage. */
export interface Untouched {
  /** Users, by ID or e-mail address, who stay in their classes. */
  readonly users: readonly string[];
  /** IDs of classes whose members stay. */
  readonly classes: readonly string[];
  /** People who cannot be identified: users of that name whom no row names stay in their classes. */
  readonly people: readonly {
    /** ID or name. */
    readonly organization: string;
    readonly firstName: string;
    readonly lastName: string;
  }[];
}

export interface PlanOptions {
  readonly prune: ReadonlySet<Exclude<Prunable, 'users'>>;
  /** IDs or names of organizations whose other users, who are not in the wanted state, leave their classes. */
  readonly complete: readonly string[];
  readonly untouched?: Untouched | undefined;
  readonly limits: Limits;
  readonly only?: 'add' | 'remove' | undefined;
  /** The organization of users and licences without one. */
  readonly organization: OrganizationReference;
}

export const DEFAULT_LIMITS: Limits = { maxRemoved: 0.1, maxChanged: 0.75 };
