/** Resolves the references in rows to IDs, each once, before anything is sent. */
import { choicesAmong, describeMissing, nounsOf } from '../../client/references/reference-messages.js';
import { createResolver, type Match, type ResolverHost, type Wanted } from '../../client/references/resolver.js';
import { scopeFor } from '../../client/references/scope.js';
import { resources } from '../../contract/index.js';
import type { Resource } from '../../contract/resource.js';
import type { OrganizationReference } from '../../contract/shared.js';
import type { Referent } from '../../contract/vocabulary.js';
import { isDay, readDay } from '../../core/day.js';
import { textsOf } from '../../core/flag-values.js';
import { forEachConcurrently } from '../../core/for-each.js';
import { grouped } from '../../core/maps.js';
import type { Value, Values, Verb } from '../row-command.js';
import { alsoName } from './read-row.js';

export interface ReferenceHost extends Omit<ResolverHost, 'organization'> {
  readonly organization: (values: Values) => Promise<OrganizationReference>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Reference extends Wanted {
  readonly name: string;
  readonly referent: Referent;
  /** The first lines that use it; `count` is their total. */
  readonly lines: number[];
  count: number;
  /** Where the first of them has it, such as `column 2 "book"`. */
  readonly column?: string | undefined;
  /** The values of the first row that uses it. */
  readonly values: Values;
  scope: Wanted['scope'];
  id?: string | undefined;
  type?: OrganizationReference['type'] | undefined;
  problem?: string | undefined;
}

/** Two references of one row that must mean one item. */
interface Pair {
  readonly first: Reference;
  readonly second: Reference;
  readonly lines: number[];
  count: number;
}

/** Look-ups of names need the schools, organizations and users of the same row. */
const STAGES: readonly (readonly Referent[])[] = [
  ['organization', 'school', 'publisher'],
  ['user', 'endUser'],
];

const stageOf = ({ referent }: Reference): number =>
  (STAGES.findIndex((kinds) => kinds.includes(referent)) + STAGES.length + 1) % (STAGES.length + 1);

const MAX_LINES = 5;
const CONCURRENCY = 8;
/** Beginning of the key of a relative date among the stored references. */
const DATE = 'date ';

const withins = new Map(resources.map(({ refersTo, within }: Resource) => [refersTo, within]));

/** The other values of a row on which the meaning of a name depends. */
function scopeNames(name: string, referent: Referent): readonly string[] {
  const { flags = {}, of } = withins.get(referent) ?? {};
  const ofOwner = of === undefined ? [] : [of, ...Object.keys(withins.get('user')?.flags ?? {})];
  return [...Object.keys(flags), ...ofOwner, ...(name === 'organization' ? ['organization-type'] : [])];
}

const noteLine = (place: { readonly lines: number[]; count: number }, line: number): void => {
  if (place.lines.at(-1) !== line && place.count++ < MAX_LINES) place.lines.push(line);
};

export type References = ReturnType<typeof references>;

export function references(verb: Verb, host: ReferenceHost) {
  const columns = verb.columns.flatMap(({ name, refersTo: referent }) =>
    referent === undefined ? [] : { name, referent, also: alsoName(name), scope: scopeNames(name, referent) },
  );
  type Place = (typeof columns)[number];
  const resolver = createResolver({ ...host, organization: () => host.organization({}) });
  const dates = verb.columns.filter(({ form }) => form === 'date');
  const found = new Map<string, Reference>();
  const pairs = new Map<string, Pair>();
  /** True if a reference was replaced by another text, or cannot be; most inputs contain only IDs. */
  let isChanged = false;
  /** The days of relative dates: each means the same day for the whole job, however often it is resumed. */
  const days = new Map<string, string | undefined>();

  function keyOf({ referent, scope }: Place, text: string, values: Values): string {
    const others = scope.map((name) => values[name]);
    return others.every((other) => other === undefined)
      ? `${referent} ${text}`
      : JSON.stringify([referent, text, ...others]);
  }

  const find: Parameters<typeof scopeFor>[2] = async (refersTo, text, scope) =>
    found.get(`${refersTo} ${text}`)?.found ?? resolver.find(refersTo, text, scope);

  function identifying(given: Values): Values {
    let ids: Record<string, Value | undefined> | undefined;
    for (const place of columns) {
      const { name, referent, also } = place;
      if (given[also] !== undefined) {
        ids ??= { ...given };
        delete ids[also];
      }
      const value = given[name];
      if (!isChanged || value === undefined) continue;
      const idFor = (text: string): string => found.get(keyOf(place, text, given))?.id ?? text;
      const type = referent === 'organization' ? found.get(keyOf(place, String(value), given))?.type : undefined;
      // Most references are IDs already.
      if (type === undefined && textsOf(given, name).every((text) => idFor(text) === text)) continue;
      ids ??= { ...given };
      ids[name] = Array.isArray(value) ? value.map((text) => idFor(String(text))) : idFor(String(value));
      if (type !== undefined && name === 'organization') ids['organization-type'] ??= type;
    }
    return (ids as Values | undefined) ?? given;
  }

  async function problemOfMissing({ referent, text, found: result }: Reference): Promise<string | undefined> {
    if (result === undefined || result.is === 'one') return undefined;
    if (result.is === 'several') {
      const [, nouns] = await nounsOf(referent);
      const choices = await choicesAmong(result.matches, resolver);
      const ids = choices.map(({ id, message }) => `${id} (${message})`).join(', ');
      return `${JSON.stringify(text)} matches ${choices.length} ${nouns}; give one of the IDs ${ids}`;
    }
    const { message, suggestion } = await describeMissing(referent, text, result);
    return suggestion === undefined ? message : `${message}. ${suggestion}`;
  }

  /** Why two references of a row cannot be used together. */
  function problemOfPair({ first, second }: Pair): string | undefined {
    if (first.id === undefined || second.id === undefined || first.id === second.id) return undefined;
    const shown = [first, second].map(({ text, id }) =>
      text === id ? JSON.stringify(text) : `${JSON.stringify(text)} (${id})`,
    );
    return `${shown.join(' and ')} are not the same ${verb.columns.find(({ name }) => name === first.name)?.refersTo ?? 'item'}`;
  }

  function noteOne(place: Place, text: string, values: Values, line: number, column: string | undefined): Reference {
    const key = keyOf(place, text, values);
    const before = found.get(key);
    if (before !== undefined) {
      noteLine(before, line);
      return before;
    }
    const { name, referent } = place;
    const made: Reference = { name, referent, text, scope: {}, lines: [line], count: 1, values, column };
    found.set(key, made);
    return made;
  }

  /** The references of a row that must mean one item, in pairs. */
  function pairsIn(values: Values): readonly (readonly [key: string, Place, string, string])[] {
    return columns.flatMap((place) => {
      const also = values[place.also];
      if (also === undefined) return [];
      const [first = ''] = textsOf(values, place.name);
      const [second = ''] = textsOf(values, place.also);
      return [
        [
          JSON.stringify([place.name, keyOf(place, first, values), keyOf(place, second, values)]),
          place,
          first,
          second,
        ] as const,
      ];
    });
  }

  return {
    /** Adds the references of a row. @param columnOf where the row has a value, for messages */
    note(values: Values, line: number, columnOf?: (name: string, isSecond?: boolean) => string | undefined): void {
      for (const { name } of dates) {
        const word = values[name];
        if (typeof word === 'string' && !isDay(word) && !days.has(word)) days.set(word, readDay(word, host.now()));
      }
      for (const place of columns)
        for (const text of textsOf(values, place.name)) noteOne(place, text, values, line, columnOf?.(place.name));
      for (const [key, place, first, second] of pairsIn(values)) {
        const before = pairs.get(key);
        if (before !== undefined) noteLine(before, line);
        else {
          const both = [first, second].map((text, at) =>
            noteOne(place, text, values, line, columnOf?.(place.name, at === 1)),
          );
          pairs.set(key, { first: both[0] as Reference, second: both[1] as Reference, lines: [line], count: 1 });
        }
      }
    },
    /** Looks up all references. @returns those that cannot be resolved */
    async resolve() {
      const all = [...found.values()].filter(({ id }) => id === undefined);
      for (let stage = 0; stage <= STAGES.length; stage++) {
        const some = all.filter((one) => stageOf(one) === stage);
        await forEachConcurrently(some, CONCURRENCY, async (one) => {
          one.scope = await scopeFor({ name: one.name, refersTo: one.referent }, one.values, find);
        });
        for (const [referent, same] of grouped(some, (one) => [one.referent]))
          await resolver.findMany(referent as Referent, same);
      }
      for (const one of all) {
        const match: Match | undefined = one.found?.is === 'one' ? one.found.match : undefined;
        one.id = match?.id;
        one.type = match?.type;
        one.problem = await problemOfMissing(one);
      }
      isChanged = [...found.values()].some(
        ({ id, text, type, problem }) => (id ?? text) !== text || type !== undefined || problem !== undefined,
      );
      const failed = all.flatMap(({ lines, count, column, problem }) =>
        problem === undefined ? [] : { lines, count, column, problem },
      );
      const unequal = [...pairs.values()].flatMap((pair) => {
        const problem = problemOfPair(pair);
        return problem === undefined ? [] : { lines: pair.lines, count: pair.count, column: undefined, problem };
      });
      return [...failed, ...unequal].sort((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
    },
    /** True if any reference is replaced by an ID. */
    replaces: (): boolean => isChanged,
    /** The values with references replaced by IDs, but not relative dates, so that a row's identity does not depend on the day. */
    identifying,
    /** The problem of a row's first unresolved reference; undefined if all are resolved. */
    problemOf(values: Values): string | undefined {
      for (const [key] of pairsIn(values)) {
        const pair = pairs.get(key);
        const problem = pair && problemOfPair(pair);
        if (problem !== undefined) return problem;
      }
      if (!isChanged) return undefined;
      for (const place of columns) {
        for (const text of textsOf(values, place.name)) {
          const problem = found.get(keyOf(place, text, values))?.problem;
          if (problem !== undefined) return problem;
        }
      }
      return undefined;
    },
    /** The values with references replaced by IDs, and relative dates such as `today` by days. */
    filled(values: Values): Values {
      const whole = identifying(values);
      if (days.size === 0) return whole;
      const read = dates.map(({ name }) => [name, days.get(String(values[name]))] as const);
      return { ...whole, ...Object.fromEntries(read.filter(([, day]) => day !== undefined)) };
    },
    /** Recomputes relative dates, for a finished job that starts again. */
    restartToday(): void {
      for (const word of days.keys()) days.set(word, readDay(word, host.now()));
    },
    /** The resolved references as text to store with the job: an address cannot be resolved once its user is anonymized. */
    kept: (): string =>
      [
        ...[...days].map(([word, day]) => [`${DATE}${word}`, day] as const),
        ...[...found].flatMap(([key, { id, text, type }]) =>
          id === text && type === undefined ? [] : [[key, id, type] as const],
        ),
      ]
        .flatMap((entry) => (entry[1] === undefined ? [] : [`${JSON.stringify(entry)}\n`]))
        .join(''),
    /** Restores stored references instead of looking them up. @throws SyntaxError or TypeError if the text is damaged */
    restore(kept: string): void {
      isChanged = kept !== '';
      for (const line of kept.split('\n')) {
        if (line === '') continue;
        const [key, id, type] = JSON.parse(line) as readonly unknown[];
        if (typeof key !== 'string' || typeof id !== 'string') throw new TypeError('not a reference and its id');
        if (key.startsWith(DATE)) days.set(key.slice(DATE.length), id);
        else {
          const place = { name: '', referent: 'user', text: '', count: 0, values: {}, scope: {} } as const;
          found.set(key, { ...place, lines: [], id, type: type as Reference['type'] });
        }
      }
    },
  };
}
