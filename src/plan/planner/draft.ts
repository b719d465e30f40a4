/** Collects the steps of a plan, and the conflicts and faults found on the way. */
import type { Problem } from '../../core/errors.js';
import { getOrSet } from '../../core/maps.js';
import type { Conflict, Leaving, Managed, PlanOptions, Ref, Section, Step, Subject } from '../steps.js';
import { fieldProblems } from './check-fields.js';
import type { Lookup } from './lookup.js';

type Optional = 'id' | 'before' | 'after' | 'needs' | 'mails' | 'why';
type NewStep = Omit<Step, 'step' | Optional> &
  Partial<Pick<Step, Exclude<Optional, 'needs'>>> & {
    /** What the step refers to; it needs the steps that create it. */
    readonly needs?: readonly (Ref | undefined)[];
    /** The row whose values the step sends. */
    readonly at?: string;
  };

export class Draft {
  readonly lookup: Lookup;
  readonly options: PlanOptions;
  readonly steps: Step[] = [];
  readonly conflicts: Conflict[] = [];
  readonly faults: Problem[] = [];
  readonly leaving: Leaving[] = [];
  readonly managed = new Map<string, Managed & { count: number }>();
  /** The first row of each existing item. */
  readonly #rows = new Map<string, string>();

  constructor(lookup: Lookup, options: PlanOptions) {
    this.lookup = lookup;
    this.options = options;
  }

  /** Adds a step, and faults for the values that the service does not accept. @returns a reference for later steps */
  add({ verb, resource, key, section, reversible, at, ...rest }: NewStep): Ref {
    const { id = null, before = null, after = null, mails = false, why = '' } = rest;
    if (at !== undefined)
      for (const problem of fieldProblems({ verb, resource, before, after })) this.fault(at, problem);
    const step = this.steps.length + 1;
    const needed = (rest.needs ?? []).flatMap((ref) => (ref !== undefined && 'step' in ref ? [ref.step] : []));
    const needs = [...new Set(needed)].sort((a, b) => a - b);
    this.steps.push({ step, verb, resource, key, id, section, before, after, needs, reversible, mails, why });
    return { step };
  }

  conflict(conflict: Omit<Conflict, 'verb' | 'id'> & Partial<Pick<Conflict, 'id'>>): undefined {
    this.conflicts.push({ verb: 'none', id: null, ...conflict });
  }

  /** Adds an error of the input. Returns undefined, as `conflict` does, so that callers can return it. */
  fault(where: string, message: string): undefined {
    this.faults.push({ where, message });
  }

  /** Adds a fault for a row with the item of an earlier one, named differently: by ID and by key. @returns whether it is */
  repeats(where: string, resource: Subject, id: string): boolean {
    const first = getOrSet(this.#rows, `${resource} ${id}`, () => where);
    if (first !== where) this.fault(where, `names the same item as ${first}: ${id}`);
    return first !== where;
  }

  /** A found item; undefined after adding a fault, if it is a message. */
  found<T>(where: string, found: T | string): T | undefined {
    return typeof found === 'string' ? this.fault(where, found) : found;
  }

  /** Adds a fault for the fields that the create of an item lacks. @returns whether it lacks any */
  lacks(where: string, key: string, fields: Readonly<Record<string, unknown>>): boolean {
    const missing = Object.keys(fields).filter((name) => fields[name] === undefined);
    if (missing.length > 0)
      this.fault(where, `${key} does not exist, and to create it ${missing.join(' and ')} must be given`);
    return missing.length > 0;
  }

  manages(resource: Subject, section: Section, count: number): void {
    getOrSet(this.managed, `${resource} ${section.id}`, () => ({ resource, section, count: 0 })).count += count;
  }

  /** Counts present items by the organizations that they belong to. */
  managesAll<T>(resource: Subject, items: readonly T[], organizationOf: (item: T) => string): void {
    for (const item of items) this.manages(resource, this.lookup.section(organizationOf(item)), 1);
  }
}
