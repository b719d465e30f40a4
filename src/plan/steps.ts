/** Parts of a plan: steps, and conflicts, which no request can resolve. */
import type { Problem } from '../core/errors.js';
import type { OrganizationRef } from './actual.js';
import type { Plannable } from './want.js';

/** What a step is about; members are users of a class, holders users of a licence. */
export type Subject = Plannable | 'members' | 'holders';

export type StepVerb = 'create' | 'update' | 'assign' | 'unassign' | 'delete' | 'cancel';

/** Something that exists, or that an earlier step makes. */
export type Ref = { readonly id: string } | { readonly step: number };

/** The organization under which people look for a step. */
export interface Section {
  /** Null while the organization does not exist. */
  readonly id: string | null;
  readonly name: string;
}

/** Values by the API's own names. */
export type Fields = Readonly<Record<string, unknown>>;

export interface Step {
  /** Counted from 1; a step needs only earlier ones. */
  readonly step: number;
  readonly verb: StepVerb;
  readonly resource: Subject;
  /** What people call it. */
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

/** A wish that cannot be fulfilled. */
export interface Conflict {
  readonly verb: 'none';
  readonly resource: Subject;
  readonly key: string;
  readonly id: string | null;
  readonly section: Section;
  readonly why: string;
}

/** A part of the plan that is larger than its limit. */
export interface Excess {
  readonly resource: Subject;
  readonly section: Section;
  readonly what: 'removed' | 'changed';
  readonly count: number;
  readonly of: number;
}

/** Members that leave a class, of how many. */
export interface Leaving {
  readonly from: string;
  readonly count: number;
  readonly of: number;
}

export interface Planned {
  readonly steps: readonly Step[];
  readonly conflicts: readonly Conflict[];
  /** What is wrong with the input. */
  readonly faults: readonly Problem[];
  readonly excesses: readonly Excess[];
  readonly leaving: readonly Leaving[];
}

/** What may be removed although the wanted state does not name it. */
export const PRUNABLE = ['classes', 'roles', 'users'] as const;
export type Prunable = (typeof PRUNABLE)[number];

export interface PlanOptions {
  readonly prune: ReadonlySet<Prunable>;
  /** Shares of what is there that may be removed and changed. */
  readonly maxRemoved: number;
  readonly maxChanged: number;
  readonly only?: 'add' | 'remove' | undefined;
  /** The organization of users and licences that name none. */
  readonly organization: OrganizationRef;
}

export const DEFAULT_LIMITS = { maxRemoved: 0.1, maxChanged: 0.75 } as const;

type NewStep = Omit<Step, 'step' | 'needs' | 'mails' | 'why' | 'id'> &
  Partial<Pick<Step, 'needs' | 'mails' | 'why' | 'id'>>;

/** Collects the steps of a plan in the order in which they are made. */
export class Draft {
  readonly steps: Step[] = [];
  readonly conflicts: Conflict[] = [];
  readonly faults: Problem[] = [];
  readonly leaving: Leaving[] = [];
  /** How many items of a resource and organization the wanted state is about, for the limits. */
  readonly #items = new Map<string, { readonly resource: Subject; readonly section: Section; count: number }>();

  /** @returns what later steps refer to */
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

  /** Notes items that exist. */
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

/** The steps that must be done before something can be referred to. */
export const neededBy = (...refs: readonly (Ref | undefined)[]): number[] =>
  refs.flatMap((ref) => (ref !== undefined && 'step' in ref ? [ref.step] : []));
