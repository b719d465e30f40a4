/** Resolves the references in rows to IDs, each once, before anything is sent, and stores them with the job. */
import { basename, join } from 'node:path';
import { createResolver, type Resolver, type ResolverHost } from '../../client/references/resolver.js';
import { scopeFor } from '../../client/references/scope.js';
import type { OrganizationReference } from '../../contract/shared.js';
import type { Referent } from '../../contract/vocabulary.js';
import { isDay, readDay } from '../../core/day.js';
import type { EduError } from '../../core/errors.js';
import { textsOf } from '../../core/flag-values.js';
import { forEachConcurrently } from '../../core/for-each.js';
import { codeOf, writing } from '../../core/fs/disk-errors.js';
import { readRegularFile } from '../../core/fs/regular-file.js';
import { replaceContent } from '../../core/fs/write-file.js';
import { getOrSet, grouped } from '../../core/maps.js';
import { checksumOf } from '../job/job-manifest.js';
import { unusable } from '../job/job-store.js';
import type { Value, Values, Verb } from '../row-command.js';
import {
  keyOf,
  matchOf,
  type Place,
  placesIn,
  problemOfMissing,
  problemOfPair,
  type Reference,
} from './noted-reference.js';
import { keyOfRow } from './read-row.js';

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
/** Beginnings of the keys of relative dates, and of the pinned values of a row, among the stored references. */
const DATE = 'date ';
const PIN = 'pin ';

const FILE = 'references.ndjson';
/** Half the max string length of V8; about ten million references. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The first line of the file: the checksum of all others. */
const firstLine = (references: string): string => `${JSON.stringify({ sha256: checksumOf(references) })}\n`;

/** The references in a job's rows. */
export class References {
  readonly #verb: Verb;
  readonly #host: ReferenceHost;
  readonly #columns: readonly Place[];
  readonly #dates: readonly string[];
  readonly #resolver: Resolver;
  readonly #found = new Map<string, Reference>();
  /** True if a reference was replaced by another text, or cannot be; most inputs contain only IDs. */
  #isChanged = false;
  #isAnyMissing = false;
  /** Why references cannot be looked up, if none has another problem: then the input is not the cause. */
  unread: EduError | undefined;
  /** The days of relative dates: each means the same day for the whole job, however often it is resumed. */
  readonly #days = new Map<string, string | undefined>();
  /**
   * Values that depend on present items, worked out once for a job: an extension becomes the end that it leads to, so that
   * a row that is sent again after a lost response is not extended twice.
   */
  readonly #pinned = new Map<string, Values>();

  constructor(verb: Verb, host: ReferenceHost) {
    this.#verb = verb;
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
      const noted = (text: string): Reference =>
        getOrSet(this.#found, keyOf(place, text, values), () => ({ name, referent, text, scope: {}, values }));
      const [first, ...others] = textsOf(values, name).map(noted);
      const [second, ...more] = textsOf(values, also).map(noted);
      if (first === undefined || second === undefined || others.length + more.length > 0) continue;
      first.pair = second;
      second.pair = first;
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
      for (const [referent, same] of grouped(some, (one) => [one.referent])) {
        await this.#resolver.findMany(referent as Referent, same);
        // If no reference of a kind can be read, no row is the cause.
        if (same.every(({ error }) => error !== undefined)) throw same[0]?.error;
      }
    }
    for (const one of all) {
      const match = matchOf(one);
      one.id = match?.id;
      one.type = match?.type;
      one.problem = match === undefined ? await problemOfMissing(one, this.#resolver) : undefined;
    }
    const wrong = all.filter(({ problem }) => problem !== undefined);
    this.#isAnyMissing = wrong.length > 0;
    if (wrong.every(({ error }) => error !== undefined)) this.unread = wrong[0]?.error;
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
    const places = this.#columns.filter(({ also }) => this.#isAnyMissing || values[also] !== undefined);
    return places.flatMap((place) => {
      const { name, also } = place;
      const noted = (from: string) =>
        textsOf(values, from).flatMap((text) => this.#found.get(keyOf(place, text, values)) ?? []);
      const first = noted(name);
      const second = noted(also);
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

  #pinKey(values: Values): string {
    return `${PIN}${keyOfRow(this.#verb, values)}`;
  }

  /** Works out the values of a row. @param values with references filled in @returns all values @throws EduError */
  async pin(values: Values): Promise<Values> {
    const own = await this.#verb.pin?.(values);
    if (own !== undefined) this.#pinned.set(this.#pinKey(values), own);
    return { ...values, ...own };
  }

  /** The values with references replaced by IDs, relative dates such as `today` by days, and those that were pinned. */
  filled(values: Values): Values {
    const days = this.#days.size === 0 ? [] : this.#dates.map((name) => [name, this.#days.get(String(values[name]))]);
    const known = days.filter(([, day]) => day !== undefined);
    const ids = this.identifying(values);
    const whole = known.length === 0 ? ids : { ...ids, ...Object.fromEntries(known) };
    const own = this.#pinned.size === 0 ? undefined : this.#pinned.get(this.#pinKey(whole));
    return own === undefined ? whole : { ...whole, ...own };
  }

  /** Recomputes relative dates and forgets pinned values, for a finished job that starts again. */
  restart(): void {
    for (const word of this.#days.keys()) this.#days.set(word, readDay(word, this.#host.now()));
    this.#pinned.clear();
  }

  /**
   * Stores the resolved references with a job, so that they mean the same whenever it is resumed: an address cannot be
   * resolved once its user is anonymized.
   * @throws EduError if the folder cannot be written
   */
  store(folder: string): void {
    const entries: (readonly unknown[])[] = [
      ...[...this.#days].map(([word, day]) => [`${DATE}${word}`, day]),
      ...[...this.#found].map(([key, { id, text, type }]) => [key, id === text && !type ? undefined : id, type]),
      ...this.#pinned,
    ];
    const stored = entries.filter(([, value]) => value !== undefined);
    const text = stored.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    writing(folder, () => replaceContent(join(folder, FILE), firstLine(text) + text, { flush: true }));
  }

  /** Restores the references of a job instead of looking them up. @throws EduError `usage` if they are damaged */
  restore(folder: string): this {
    const file = join(folder, FILE);
    try {
      const text = readRegularFile(file, MAX_BYTES);
      const [, ...lines] = text.split('\n');
      if (text !== firstLine(lines.join('\n')) + lines.join('\n')) throw new Error('has changed');
      for (const line of lines) if (line !== '') this.#take(JSON.parse(line));
    } catch (error) {
      const why = codeOf(error) ?? 'it has changed since it was written';
      throw unusable({ id: basename(folder), damage: `${file} is damaged (${why})` });
    }
    return this;
  }

  #take([key, value, type]: readonly [string, string & Values, Reference['type']]): void {
    this.#isChanged = true;
    if (key.startsWith(DATE)) this.#days.set(key.slice(DATE.length), value);
    else if (key.startsWith(PIN)) this.#pinned.set(key, value);
    else this.#found.set(key, { name: '', referent: 'user', text: '', values: {}, scope: {}, id: value, type });
  }
}
