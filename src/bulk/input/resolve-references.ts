/** Resolves the references in rows to IDs, each once, before anything is sent. */
import { createResolver, type Match, type Resolver, type ResolverHost } from '../../client/references/resolver.js';
import { scopeFor } from '../../client/references/scope.js';
import type { OrganizationReference } from '../../contract/shared.js';
import type { Referent } from '../../contract/vocabulary.js';
import { isDay, readDay } from '../../core/day.js';
import { textsOf } from '../../core/flag-values.js';
import { forEachConcurrently } from '../../core/for-each.js';
import { grouped } from '../../core/maps.js';
import type { Value, Values, Verb } from '../row-command.js';
import {
  keyOf,
  noteLine,
  type Pair,
  type Place,
  placesIn,
  problemOfMissing,
  problemOfPair,
  type Reference,
} from './noted-reference.js';

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
  readonly #pairs = new Map<string, Pair>();
  /** True if a reference was replaced by another text, or cannot be; most inputs contain only IDs. */
  #isChanged = false;
  /** The days of relative dates: each means the same day for the whole job, however often it is resumed. */
  readonly #days = new Map<string, string | undefined>();

  constructor(verb: Verb, host: ReferenceHost) {
    this.#host = host;
    this.#columns = placesIn(verb);
    this.#dates = verb.columns.flatMap(({ name, form }) => (form === 'date' ? name : []));
    this.#resolver = createResolver({ ...host, organization: () => host.organization({}) });
  }

  /** Adds the references of a row. @param columnOf where the row has a value, for messages */
  note(values: Values, line: number, columnOf?: (name: string, isSecond?: boolean) => string | undefined): void {
    for (const name of this.#dates) {
      const word = values[name];
      if (typeof word === 'string' && !isDay(word) && !this.#days.has(word))
        this.#days.set(word, readDay(word, this.#host.now()));
    }
    for (const place of this.#columns)
      for (const text of textsOf(values, place.name)) this.#noteOne(place, text, values, line, columnOf?.(place.name));
    for (const [key, place, first, second] of this.#pairsIn(values)) {
      const before = this.#pairs.get(key);
      if (before !== undefined) noteLine(before, line);
      else {
        const both = [first, second].map((text, at) =>
          this.#noteOne(place, text, values, line, columnOf?.(place.name, at === 1)),
        );
        this.#pairs.set(key, { first: both[0] as Reference, second: both[1] as Reference, lines: [line], count: 1 });
      }
    }
  }

  #noteOne(place: Place, text: string, values: Values, line: number, column: string | undefined): Reference {
    const key = keyOf(place, text, values);
    const before = this.#found.get(key);
    if (before !== undefined) {
      noteLine(before, line);
      return before;
    }
    const { name, referent } = place;
    const made: Reference = { name, referent, text, scope: {}, lines: [line], count: 1, values, column };
    this.#found.set(key, made);
    return made;
  }

  /** The references of a row that must mean one item, in pairs. */
  #pairsIn(values: Values): readonly (readonly [key: string, Place, string, string])[] {
    return this.#columns.flatMap((place) => {
      const also = values[place.also];
      if (also === undefined) return [];
      const [first = ''] = textsOf(values, place.name);
      const [second = ''] = textsOf(values, place.also);
      const key = JSON.stringify([place.name, keyOf(place, first, values), keyOf(place, second, values)]);
      return [[key, place, first, second] as const];
    });
  }

  /** Looks up all references. @returns those that cannot be resolved */
  async resolve() {
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
    this.#isChanged = [...this.#found.values()].some(
      ({ id, text, type, problem }) => (id ?? text) !== text || type !== undefined || problem !== undefined,
    );
    const failed = all.flatMap(({ lines, count, column, problem }) =>
      problem === undefined ? [] : { lines, count, column, problem },
    );
    const unequal = [...this.#pairs.values()].flatMap((pair) => {
      const problem = problemOfPair(pair);
      return problem === undefined ? [] : { lines: pair.lines, count: pair.count, column: undefined, problem };
    });
    return [...failed, ...unequal].sort((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
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

  /** The problem of a row's first unresolved reference; undefined if all are resolved. */
  problemOf(values: Values): string | undefined {
    for (const [key] of this.#pairsIn(values)) {
      const pair = this.#pairs.get(key);
      const problem = pair && problemOfPair(pair);
      if (problem !== undefined) return problem;
    }
    if (!this.#isChanged) return undefined;
    for (const place of this.#columns) {
      for (const text of textsOf(values, place.name)) {
        const problem = this.#found.get(keyOf(place, text, values))?.problem;
        if (problem !== undefined) return problem;
      }
    }
    return undefined;
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
        const place = { name: '', referent: 'user', text: '', count: 0, values: {}, scope: {} } as const;
        this.#found.set(key, { ...place, lines: [], id, type: type as Reference['type'] });
      }
    }
  }
}
