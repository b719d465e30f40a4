/** Collects the steps of a plan, and the conflicts and faults found on the way. */
import type { Problem } from '../../core/errors.js';
import { getOrSet } from '../../core/maps.js';
import type { ActualClass, Named } from '../actual.js';
import { isSeen, lackedBy } from '../items.js';
import { problemAt } from '../problem-at.js';
import type { Conflict, Fields, ManagedClasses, PlanOptions, Ref, Step, Subject } from '../steps.js';
import { columnsOf, type Pair, type Plannable } from '../want-columns.js';
import { valueProblems } from './check-fields.js';
import { findRole, idIn, idOf, notTheSame, type References } from './want-references.js';

type NewStep = Pick<Step, 'verb' | 'resource'> & Partial<Pick<Step, 'id' | 'before' | 'after'>>;

type Update = Omit<Conflict, 'resource' | 'why'> &
  Readonly<{ resource: Plannable } & Record<'before' | 'after', Fields>>;

/** A row, which may have two references to one thing. */
interface Row {
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
  unnamed: readonly Named[] = [];
  /** The places of each error of the input. */
  readonly #faults = new Map<string, string[]>();
  readonly #managed = new Map<string, string[]>();
  /** The first row of each item. */
  readonly #rows = new Map<string, string>();

  constructor(lookup: References, options: PlanOptions) {
    this.lookup = lookup;
    this.options = options;
  }

  /** Adds a step. @returns a reference for later steps */
  add({ verb, resource, id = null, before = null, after = null }: NewStep): Ref {
    const lacked = Object.keys(before && after ? after : {}).filter((name) => isSeen(resource as Plannable, name));
    const blank = Object.fromEntries(lacked.map((name) => [name, null]));
    const step = { step: this.steps.length + 1, verb, resource, id, before: before && { ...blank, ...before }, after };
    this.steps.push(step);
    return { step: step.step };
  }

  /** Adds the update of an item, or a conflict if a field that the service does not show would have to be guessed. */
  update({ resource, id, key, of, before, after }: Update): void {
    const [name] = lackedBy(resource, after);
    if (name === undefined) this.add({ verb: 'update', resource, id, before, after });
    else {
      // Other roles of a user stay, so that a column does not replace those that are not shown.
      const isGiven = Array.isArray(after[name]) || !columnsOf(resource).some((one) => one.name === name && one.field);
      const why = `shows no ${name}, which each change sends${isGiven ? '' : `: give it in the column ${name}`}`;
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

  /**
   * Adds a fault for each value of a row that the service does not accept, and each second reference that means nothing
   * or something else than the first.
   * @param present the item, whose own values are no faults
   * @param roles those that the row can mean; undefined if that is not known
   */
  check(resource: Plannable, wanted: Row, present?: object, roles?: readonly Named[]): void {
    for (const problem of valueProblems(resource, { ...wanted }, present)) this.fault(wanted.at, problem);
    for (const { at = wanted.at, field, text, also } of wanted.pairs ?? []) {
      // Where subjects are not listed, any text is an ID.
      if (field === 'roles' ? roles === undefined : field === 'subject' && this.lookup.actual.subjects === undefined)
        continue;
      const first = idIn(this.#meant(field, text, roles));
      const second = this.#meant(field, also, roles, first);
      if (typeof second === 'string') this.fault(at, second);
      else if (first !== undefined && second.id !== first)
        this.fault(at, notTheSame(NOUNS[field] ?? 'user', text, also, second.id ?? 'new'));
    }
  }

  /** The item that a text in a field means, or why it means none. @param first the ID that stands beside it, of several items that it can mean */
  #meant(
    field: string,
    text: string,
    roles: readonly Named[] = [],
    first?: string,
  ): { readonly id?: string | undefined } | string {
    const { lookup } = this;
    if (field === 'roles') return findRole(text, roles, first);
    if (field === 'books') return lookup.book(text, first);
    if (field === 'subject') return lookup.subject(text, first);
    if (field === 'organization') return lookup.organization(text, undefined, first);
    const user = lookup.person(text, undefined, first);
    // The service may not show the address of an end user.
    const isKnown = user !== undefined || (first !== undefined && !lookup.users.has(first));
    return isKnown
      ? { id: user === undefined ? first : idOf(user) }
      : `${JSON.stringify(text)}: ${lookup.whyUnknown(text)}`;
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
