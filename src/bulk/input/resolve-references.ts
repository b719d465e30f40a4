/** Resolves the references in rows to IDs, each once, before anything is sent. */
import { createResolver, type Match, type Resolver, type ResolverHost } from '../../client/references/resolver.js';
import { scopeFor } from '../../client/references/scope.js';
import type { OrganizationReference } from '../../contract/shared.js';
import type { Referent } from '../../contract/vocabulary.js';
import { isDay, readDay } from '../../core/day.js';
import { textsOf } from '../../core/flag-values.js';
import { forEachConcurrently } from '../../core/for-each.js';
import { getOrSet, grouped } from '../../core/maps.js';
import type { Value, Values, Verb } from '../row-command.js';
import { keyOf, type Place, placesIn, problemOfMissing, problemOfPair, type Reference } from './noted-reference.js';

export interface ReferenceHost extends Omit<ResolverHost, 'organization'> {
  readonly organization: (values: Values) => Promise<OrganizationReference>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Look-ups of names need the schools, organizations and users of the same row. */
const STAGES: readonly (readonly Referent[])[] = [
  ['organization', 'school', 'publisher'],
  ['user', 'endUser'],
];

const stageOf = ({ referent }: Reference): number =>
  (STAGES.findIndex((kinds) => kinds.includes(referent)) + STAGES.length + 1) % (STAGES.length + 1);

export interface ReferenceProblem {
  /** Absent for a problem of the whole row. */
  readonly name?: string;
  readonly isSecond?: boolean;
  readonly message: string;
}

const CONCURRENCY = 8;
/** Beginning of the key of a relative date among the stored references. */
const DATE = 'date ';

/** The references in a job's rows. */
export class References {
  readonly #host: ReferenceHost;
  readonly #columns: readonly Place[];
  readonly #dates: readonly string[];
  readonly #resolver: Resolver;
  readonly #found = new Map<string, Reference>();
  /** True if a reference was replaced by another text, or cannot be; most inputs contain only IDs. */
  #isChanged = false;
  #isAnyMissing = false;
  /** The days of relative dates: each means the same day for the whole job, however often it is resumed. */
  readonly #days = new Map<string, string | undefined>();

  constructor(verb: Verb, host: ReferenceHost) {
    this.#host = host;
    this.#columns = placesIn(verb);
    this.#dates = verb.columns.flatMap(({ name, form }) => (form === 'date' ? name : []));
    this.#resolver = createResolver({ ...host, organization: () => host.organization({}) });
  }

  /** Adds the references of a row. */
  note(values: Values): void {
    for (const name of this.#dates) {
      const word = values[name];
      if (typeof word === 'string' && !isDay(word) && !this.#days.has(word))
        this.#days.set(word, readDay(word, this.#host.now()));
    }
    for (const place of this.#columns) {
      const { name, referent, also } = place;
      for (const text of [...textsOf(values, name), ...textsOf(values, also)])
        getOrSet(this.#found, keyOf(place, text, values), () => ({ name, referent, text, scope: {}, values }));
    }
  }

  /** Looks up all references. @returns true if each means one item */
  async resolve(): Promise<boolean> {
    const all = [...this.#found.values()].filter(({ id }) => id === undefined);
    const find: Parameters<typeof scopeFor>[2] = async (refersTo, text, scope) =>
      this.#found.get(`${refersTo} ${text}`)?.found ?? this.#resolver.find(refersTo, text, scope);
    for (let stage = 0; stage <= STAGES.length; stage++) {
      const some = all.filter((one) => stageOf(one) === stage);
      await forEachConcurrently(some, CONCURRENCY, async (one) => {
        one.scope = await scopeFor({ name: one.name, refersTo: one.referent }, one.values, find);
      });
      for (const [referent, same] of grouped(some, (one) => [one.referent]))
        await this.#resolver.findMany(referent as Referent, same);
    }
    for (const one of all) {
      const match: Match | undefined = one.found?.is === 'one' ? one.found.match : undefined;
      one.id = match?.id;
      one.type = match?.type;
      one.problem = await problemOfMissing(one, this.#resolver);
    }
    this.#isAnyMissing = all.some(({ problem }) => problem !== undefined);
    this.#isChanged =
      this.#isAnyMissing ||
      [...this.#found.values()].some(({ id, text, type }) => (id ?? text) !== text || type !== undefined);
    return !this.#isAnyMissing;
  }

  /** True if any reference is replaced by an ID. */
  get replaces(): boolean {
    return this.#isChanged;
  }

  /** The values with references replaced by IDs, but not relative dates, so that a row's identity does not depend on the day. */
  identifying(given: Values): Values {
    let ids: Record<string, Value | undefined> | undefined;
    for (const place of this.#columns) {
      const { name, referent, also } = place;
      if (given[also] !== undefined) {
        ids ??= { ...given };
        delete ids[also];
      }
      const value = given[name];
      if (!this.#isChanged || value === undefined) continue;
      const foundFor = (text: string) => this.#found.get(keyOf(place, text, given));
      const idFor = (text: string): string => foundFor(text)?.id ?? text;
      const type = referent === 'organization' ? foundFor(String(value))?.type : undefined;
      // Most references are IDs already.
      if (type === undefined && textsOf(given, name).every((text) => idFor(text) === text)) continue;
      ids ??= { ...given };
      ids[name] = Array.isArray(value) ? value.map((text) => idFor(String(text))) : idFor(String(value));
      if (type !== undefined && name === 'organization') ids['organization-type'] ??= type;
    }
    return (ids as Values | undefined) ?? given;
  }

  /**
   * The references of a row that do not mean one item, with the names of their columns.
   * @returns `isSecond` if the second of two columns for one item has it
   */
  problemsOf(values: Values): readonly ReferenceProblem[] {
    return this.#columns.flatMap((place) => {
      const { name, also } = place;
      const hasSecond = values[also] !== undefined;
      if (!this.#isAnyMissing && !hasSecond) return [];
      const noted = (from: string) =>
        textsOf(values, from).flatMap((text) => this.#found.get(keyOf(place, text, values)) ?? []);
      const [first, second] = [noted(name), noted(also)];
      const missing = [...first.map((one) => [one, false] as const), ...second.map((one) => [one, true] as const)];
      const problems = new Map(
        missing.flatMap(([{ problem }, isSecond]) =>
          problem === undefined ? [] : [[problem, { name, isSecond, message: problem }] as const],
        ),
      );
      const unequal = first[0] && second[0] && problemOfPair(first[0], second[0]);
      return [...problems.values(), ...(unequal === undefined ? [] : [{ message: unequal }])];
    });
  }

  /** The values with references replaced by IDs, and relative dates such as `today` by days. */
  filled(values: Values): Values {
    const whole = this.identifying(values);
    if (this.#days.size === 0) return whole;
    const read = this.#dates.map((name) => [name, this.#days.get(String(values[name]))] as const);
    return { ...whole, ...Object.fromEntries(read.filter(([, day]) => day !== undefined)) };
  }

  /** Recomputes relative dates, for a finished job that starts again. */
  restartToday(): void {
    for (const word of this.#days.keys()) this.#days.set(word, readDay(word, this.#host.now()));
  }

  /** The resolved references as text to store with the job: an address cannot be resolved once its user is anonymized. */
  kept(): string {
    return [
      ...[...this.#days].map(([word, day]) => [`${DATE}${word}`, day] as const),
      ...[...this.#found].flatMap(([key, { id, text, type }]) =>
        id === text && type === undefined ? [] : [[key, id, type] as const],
      ),
    ]
      .flatMap((entry) => (entry[1] === undefined ? [] : [`${JSON.stringify(entry)}\n`]))
      .join('');
  }

  /** Restores stored references instead of looking them up. @throws SyntaxError or TypeError if the text is damaged */
  restore(kept: string): void {
    this.#isChanged = kept !== '';
    for (const line of kept.split('\n')) {
      if (line === '') continue;
      const [key, id, type] = JSON.parse(line) as readonly unknown[];
      if (typeof key !== 'string' || typeof id !== 'string') throw new TypeError('not a reference and its id');
      if (key.startsWith(DATE)) this.#days.set(key.slice(DATE.length), id);
      else {
        const place = { name: '', referent: 'user', text: '', values: {}, scope: {} } as const;
        this.#found.set(key, { ...place, id, type: type as Reference['type'] });
      }
    }
  }
}
