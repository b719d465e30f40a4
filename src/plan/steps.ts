/** Types of a plan: steps, and conflicts that no request can resolve. */
import type { Problem } from '../core/errors.js';
import type { OrganizationRef } from './actual.js';
import type { Plannable } from './want.js';

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

export interface Step {
  /** Counted from 1; a step depends only on earlier ones. */
  readonly step: number;
  readonly verb: StepVerb;
  readonly resource: Subject;
  /** Name, code or e-mail address. */
  readonly key: string;
  readonly id: string | null;
  readonly section: Section;
  readonly before: Fields | null;
  readonly after: Fields | null;
  readonly needs: readonly number[];
  readonly reversible: boolean;
  /** The service sends an e-mail with a password. */
  readonly mails: boolean;
  readonly why: string;
}

/** A wanted change that no request can make. */
export interface Conflict {
  readonly verb: 'none';
  readonly resource: Subject;
  readonly key: string;
  readonly id: string | null;
  readonly section: Section;
  readonly why: string;
}

/** An exceeded limit. */
export interface Excess {
  readonly resource: Subject;
  readonly section: Section;
  readonly what: 'removed' | 'changed';
  readonly count: number;
  readonly of: number;
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
  readonly excesses: readonly Excess[];
  readonly leaving: readonly Leaving[];
}

/** Values of `--prune`: resources whose items are removed if the wanted state does not contain them. */
export const PRUNABLE = ['classes', 'roles', 'users'] as const;
export type Prunable = (typeof PRUNABLE)[number];

export interface PlanOptions {
  readonly prune: ReadonlySet<Exclude<Prunable, 'users'>>;
  /** IDs or names of organizations whose other users, who are not in the wanted state, leave their classes. */
  readonly complete: readonly string[];
  /** Users (by ID or e-mail address) who stay in their classes, and IDs of classes whose members stay. */
  readonly untouched?: { readonly users: readonly string[]; readonly classes: readonly string[] } | undefined;
  /** Max share of the existing items that may be removed, and changed. */
  readonly maxRemoved: number;
  readonly maxChanged: number;
  readonly only?: 'add' | 'remove' | undefined;
  /** The organization of users and licences without one. */
  readonly organization: OrganizationRef;
}

export const DEFAULT_LIMITS = { maxRemoved: 0.1, maxChanged: 0.75 } as const;

type NewStep = Omit<Step, 'step' | 'needs' | 'mails' | 'why' | 'id'> &
  Partial<Pick<Step, 'needs' | 'mails' | 'why' | 'id'>>;

/** Collects the steps of a plan. */
export class Draft {
  readonly steps: Step[] = [];
  readonly conflicts: Conflict[] = [];
  readonly faults: Problem[] = [];
  readonly leaving: Leaving[] = [];
  /** Number of present items by resource and organization, for the limits. */
  readonly #items = new Map<string, { readonly resource: Subject; readonly section: Section; count: number }>();

  /** Adds a step. @returns a reference for later steps */
  add(step: NewStep): Ref {
    const number = this.steps.length + 1;
    const {
      verb,
      resource,
      key,
      id = null,
      section,
      before,
      after,
      needs = [],
      reversible,
      mails = false,
      why = '',
    } = step;
    const sorted = [...new Set(needs)].sort((a, b) => a - b);
    this.steps.push({
      step: number,
      verb,
      resource,
      key,
      id,
      section,
      before,
      after,
      needs: sorted,
      reversible,
      mails,
      why,
    });
    return { step: number };
  }

  conflict(conflict: Omit<Conflict, 'verb' | 'id'> & Partial<Pick<Conflict, 'id'>>): void {
    this.conflicts.push({ verb: 'none', id: null, ...conflict });
  }

  fault(where: string, message: string): void {
    this.faults.push({ where, message });
  }

  /** Counts present items. */
  manages(resource: Subject, section: Section, count: number): void {
    const key = `${resource} ${section.id}`;
    const items = this.#items.get(key) ?? { resource, section, count: 0 };
    items.count += count;
    this.#items.set(key, items);
  }

  managed(): Iterable<{ readonly resource: Subject; readonly section: Section; readonly count: number }> {
    return this.#items.values();
  }
}

/** The steps that create the referenced items. */
export const neededBy = (...refs: readonly (Ref | undefined)[]): number[] =>
  refs.flatMap((ref) => (ref !== undefined && 'step' in ref ? [ref.step] : []));
