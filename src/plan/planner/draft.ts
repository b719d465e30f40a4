/** Collects the steps of a plan, and the conflicts and faults found on the way. */
import type { Problem } from '../../core/errors.js';
import { getOrSet } from '../../core/maps.js';
import type { ActualClass, Named } from '../actual.js';
import { isSeen, lackedBy } from '../items.js';
import { problemAt } from '../problem-at.js';
import type { Conflict, Fields, ManagedClasses, PlanOptions, Ref, Step, Subject } from '../steps.js';
import { columnsOf, type Pair, type Plannable } from '../want-columns.js';
import { fieldProblems } from './check-fields.js';
import { findRole, idIn, idOf, idOfMatch, notTheSame, type References } from './want-references.js';

type NewStep = Pick<Step, 'verb' | 'resource'> &
  Partial<Pick<Step, 'id' | 'before' | 'after'>> & {
    /** The row whose values the step sends. */
    readonly at?: string;
  };

type Update = Omit<Conflict, 'resource' | 'why'> &
  Readonly<{ at: string; resource: Plannable } & Record<'before' | 'after', Fields>>;

/** A row, which may have two references to one thing. */
interface Paired {
  readonly at: string;
  readonly pairs?: readonly Pair[] | undefined;
}

/** What the fields of pairs refer to, if it is not a user. */
const NOUNS: Readonly<Record<string, string>> = {
  roles: 'role',
  books: 'book',
  subject: 'subject',
  organization: 'organization',
};

export class Draft {
  readonly lookup: References;
  readonly options: PlanOptions;
  readonly steps: Step[] = [];
  readonly conflicts: Conflict[] = [];
  /** The places of each error of the input. */
  readonly #faults = new Map<string, string[]>();
  readonly #managed = new Map<string, string[]>();
  /** The first row of each item. */
  readonly #rows = new Map<string, string>();

  constructor(lookup: References, options: PlanOptions) {
    this.lookup = lookup;
    this.options = options;
  }

  /** Adds a step, and faults for the values that the service does not accept. @returns a reference for later steps */
  add({ verb, resource, at, id = null, before = null, after = null }: NewStep): Ref {
    const lacked = Object.keys(before && after ? after : {}).filter((name) => isSeen(resource as Plannable, name));
    const blank = Object.fromEntries(lacked.map((name) => [name, null]));
    const step = { step: this.steps.length + 1, verb, resource, id, before: before && { ...blank, ...before }, after };
    if (at !== undefined) for (const problem of fieldProblems(step)) this.fault(at, problem);
    this.steps.push(step);
    return { step: step.step };
  }

  /** Adds the update of an item, or a conflict if a field that the service does not show would have to be guessed. */
  update({ at, resource, id, key, of, before, after }: Update): void {
    const [name] = lackedBy(resource, after);
    if (name === undefined) this.add({ at, verb: 'update', resource, id, before, after });
    else {
      // Other roles of a user stay, so that a column does not replace those that are not shown.
      const isGiven = Array.isArray(after[name]) || !columnsOf(resource).some((one) => one.name === name && one.field);
      const why = `shows no ${name}, which each change sends${isGiven ? '' : `: add a column ${name}`}`;
      this.conflict({ resource, key, id, of, why });
    }
  }

  conflict(conflict: Omit<Conflict, 'id'> & Partial<Pick<Conflict, 'id'>>): undefined {
    this.conflicts.push({ id: null, ...conflict });
  }

  /** Adds an error of the input. Returns undefined, as `conflict` does, so that callers can return it. */
  fault(where: string, message: string): undefined {
    getOrSet(this.#faults, message, () => []).push(where);
  }

  /** The errors of the input, equal ones once. */
  get faults(): readonly Problem[] {
    return [...this.#faults].map(([message, [where = '', ...others]]) => problemAt(where, others.length + 1, message));
  }

  /** Whether a row names an item. @param key its ID, or what identifies a new one */
  isNamed(resource: Subject, key: string): boolean {
    return this.#rows.has(`${resource} ${key}`);
  }

  /** Adds a fault for a row with the item of an earlier one, named differently: by ID and by key. @returns whether it is */
  repeats(where: string, resource: Subject, key: string): boolean {
    const first = getOrSet(this.#rows, `${resource} ${key}`, () => where);
    if (first !== where) this.fault(where, `names the same item as ${first}`);
    return first !== where;
  }

  /** Adds a fault for each two references of a row that mean different things. @param roles those of the organization */
  checkPairs({ at: row, pairs = [] }: Paired, roles: readonly Named[] = []): void {
    for (const { at = row, field, text, also } of pairs) {
      const [first, second] = [text, also].map((one) => this.#idOf(field, one, roles));
      if (first !== undefined && second !== undefined && first !== second)
        this.fault(at, notTheSame(NOUNS[field] ?? 'user', text, also, second));
    }
  }

  /** The ID of the item that a text in a field means; undefined if none or several match. */
  #idOf(field: string, text: string, roles: readonly Named[]): string | undefined {
    const { lookup } = this;
    if (field === 'roles') return idOfMatch(findRole(text, roles));
    if (field === 'books') return idOfMatch(lookup.book(text));
    // Where subjects are not listed, any text is an ID.
    if (field === 'subject') return lookup.actual.subjects && idOfMatch(lookup.subject(text));
    return field === 'organization' ? idIn(lookup.organization(text)) : idOf(lookup.person(text));
  }

  /** A found item; undefined after adding a fault, if it is a message. */
  found<T>(where: string, found: T | string): T | undefined {
    return typeof found === 'string' ? this.fault(where, found) : found;
  }

  /** Adds a fault for the fields that the create of an item lacks. @returns whether it lacks any */
  lacks(where: string, key: string, fields: Readonly<Record<string, unknown>>): boolean {
    const missing = Object.keys(fields).filter((name) => fields[name] === undefined);
    if (missing.length > 0) this.fault(where, `${key} does not exist; to create it, give ${missing.join(' and ')}`);
    return missing.length > 0;
  }

  /** Records a class that is managed. */
  manages({ id, schoolId }: Pick<ActualClass, 'id' | 'schoolId'>): void {
    getOrSet(this.#managed, schoolId, () => []).push(id);
  }

  get managed(): readonly ManagedClasses[] {
    return [...this.#managed].map(([school, classes]) => ({ school, classes }));
  }
}
