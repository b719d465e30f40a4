/**
 * Resolves references in rows to IDs: e-mail addresses of users, codes of licences, EANs of books, names of subjects,
 * roles and schools. Each is looked up once, before anything is sent.
 */
import { findListed } from '../../client/references/find-listed.js';
import { idIn } from '../../client/references/id-in.js';
import { looksLikeName } from '../../client/references/looks.js';
import { createResolver, type Scope } from '../../client/references/resolver.js';
import type { Client } from '../../client/request/client.js';
import { license, licenses } from '../../contract/licenses.js';
import type { Language, OrganizationReference } from '../../contract/shared.js';
import { users } from '../../contract/users.js';
import type { Referent } from '../../contract/vocabulary.js';
import { isDay, readDay } from '../../core/day.js';
import { ignoring, isKind } from '../../core/errors.js';
import { forEachConcurrently } from '../../core/for-each.js';
import type { Value, Values, Verb } from '../row-command.js';
import { canBeMissing, isMissing } from './missing-ids.js';
import { findIds, findLicences, findOrganizations, findUsers } from './resolve-by-lists.js';

export interface ReferenceHost {
  readonly client: () => Promise<Client>;
  readonly language: () => Language;
  readonly organization: (values: Values) => Promise<OrganizationReference>;
  readonly callersOrganization: () => Promise<OrganizationReference>;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Reference {
  readonly referent: Referent;
  readonly text: string;
  /** The first lines that use it; `count` is their total. */
  readonly lines: number[];
  count: number;
  /** Where the first of them has it, such as `column 2 "book"`. */
  readonly column?: string | undefined;
  /** The values of the first row that uses it. */
  readonly values: Values;
  id?: string | undefined;
  type?: OrganizationReference['type'] | undefined;
  problem?: string | undefined;
}

/** Order of look-ups: names of classes and users are searched in schools, roles in the organizations of users. */
const STAGES = ['places', 'users', 'others'] as const;

function stageOf(referent: Referent): (typeof STAGES)[number] {
  if (referent === 'school' || referent === 'organization') return 'places';
  return referent === 'user' ? 'users' : 'others';
}

const isAddress = ({ referent, text }: Reference): boolean => referent === 'user' && text.includes('@');
const isCode = ({ referent, text }: Reference): boolean => referent === 'licence' && text.startsWith('code:');

/** Kinds whose lists may be long. */
const LONG: ReadonlySet<Referent> = new Set<Referent>(['book', 'licence', 'subscription']);

/**
 * Whether a list is read only if no item has the text as its ID. Without a school, the classes of every school would be
 * read.
 */
const isIdFirst = ({ referent, text, values }: Reference): boolean =>
  !looksLikeName(referent, text) && (LONG.has(referent) || (referent === 'class' && schoolOf(values) === undefined));

const plural = (referent: Referent): string => (referent === 'class' ? 'classes' : `${referent}s`);
const MAX_LINES = 5;
const CONCURRENCY = 8;
/** Beginning of the key of a relative date among the stored references. */
const DATE = 'date ';

/** Whether a text of a row is looked up. The ID of an item to delete is not: the item may already be gone. */
function isLookedUp(verb: Verb, referent: Referent, text: string, values: Values): boolean {
  if (referent === 'user' && text.includes('@')) return true;
  if (referent === 'licence' && text.startsWith('code:')) return true;
  if (looksLikeName(referent, text)) return true;
  const mayBeGone = verb.path.endsWith(' delete');
  return canBeMissing(referent) && (!mayBeGone || (referent === 'class' && schoolOf(values) !== undefined));
}

const schoolOf = (values: Values): string | undefined => {
  const school = values.school ?? values['school-id'];
  return typeof school === 'string' ? school : undefined;
};

/** The user in whose organization roles are searched, for a row without an organization. */
const userOf = ({ organization, user }: Values): string | undefined =>
  organization === undefined && typeof user === 'string' ? user : undefined;

function keyOf(referent: Referent, text: string, values: Values): string {
  if (referent === 'class' || referent === 'user') {
    const school = text.includes('@') ? undefined : schoolOf(values);
    return school === undefined ? `${referent} ${text}` : JSON.stringify([referent, text, school]);
  }
  if (referent !== 'role') return `${referent} ${text}`;
  const user = userOf(values);
  const whose = [values.organization, values['organization-type'], ...(user === undefined ? [] : [user])];
  return JSON.stringify([referent, text, ...whose]);
}

const textsOf = (value: Value | undefined): readonly string[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [String(value)];

export type References = ReturnType<typeof references>;

export function references(verb: Verb, host: ReferenceHost) {
  const columns = verb.columns.flatMap(({ name, refersTo: referent }) =>
    referent === undefined ? [] : { name, referent },
  );
  const resolver = createResolver(host);
  const dates = verb.columns.filter(({ form }) => form === 'date');
  const found = new Map<string, Reference>();
  /** Whether a name was replaced by another text, or cannot be; most inputs contain only IDs. */
  let isChanged = false;
  /** The days of relative dates: each means the same day for the whole job, however often it is resumed. */
  const days = new Map<string, string | undefined>();
  const organizations = new Map<string, OrganizationReference>();

  function identifying(values: Values): Values {
    if (!isChanged) return values;
    let ids: Record<string, Value> | undefined;
    for (const { name, referent } of columns) {
      const value = values[name];
      if (value === undefined) continue;
      const idFor = (text: string): string => found.get(keyOf(referent, text, values))?.id ?? text;
      const type = referent === 'organization' ? found.get(keyOf(referent, String(value), values))?.type : undefined;
      // Most references are IDs already.
      if (type === undefined && textsOf(value).every((text) => idFor(text) === text)) continue;
      ids ??= { ...values } as Record<string, Value>;
      ids[name] = Array.isArray(value) ? value.map((text) => idFor(String(text))) : idFor(String(value));
      if (type !== undefined) ids['organization-type'] = values['organization-type'] ?? type;
    }
    return ids ?? values;
  }

  /** The ID of the user in whose organization a row's roles are searched. */
  function idOfUser(values: Values): string | undefined {
    const user = userOf(values);
    if (user === undefined) return undefined;
    return found.get(keyOf('user', user, values))?.id ?? (user.includes('@') ? undefined : user);
  }

  /** "A user can only receive roles of the user's own organization": that of an existing user, else that of the new one. */
  async function organizationWithRoles(values: Values): Promise<OrganizationReference> {
    const id = idOfUser(values);
    if (id === undefined) return host.organization(values);
    const known = organizations.get(id);
    if (known !== undefined) return known;
    const read = (await host.client()).call(users.get, { params: { id } }, { signal: host.signal });
    // The look-up of the user itself, or the service, reports these errors.
    const answer = await read.catch(ignoring('not_found', 'forbidden'));
    return answer?.organization ?? host.organization(values);
  }

  /** Where a name is searched, according to the row's other values. */
  async function scopeOf({ referent, values }: Reference): Promise<Scope> {
    const name = schoolOf(values);
    const school = name === undefined ? undefined : (found.get(keyOf('school', name, values))?.id ?? name);
    if (referent === 'class') return { school };
    if (referent === 'role') return { organization: await organizationWithRoles(values) };
    if (referent !== 'user') return {};
    return { organization: school === undefined ? await host.organization(values) : { id: school, type: 'School' } };
  }

  /** Searches lists for a name. @returns a problem, or undefined */
  async function byName(reference: Reference): Promise<string | undefined> {
    const { referent, text } = reference;
    const isCertain = /^(ean|name|code):/.test(text) || /\s/.test(text.trim());
    const isNoKnownId = isIdFirst(reference);
    if (isNoKnownId && !(await isMissing(referent, text, host))) return undefined;
    const answer = await resolver.find(referent, text, await scopeOf(reference)).catch((error: unknown) => {
      // A single word may be an ID, so a list that is forbidden or invalid does not stop the job.
      if (!isCertain && isKind(error, 'not_found', 'forbidden', 'invalid_response')) return undefined;
      throw error;
    });
    if (answer === undefined) return undefined;
    const isPublication = referent === 'book' || referent === 'reader';
    const noun = !isPublication ? 'name' : /^(ean:|\d)/.test(text) ? 'EAN' : 'title';
    if (answer.is === 'one') {
      reference.id = answer.match.id;
      reference.type = answer.match.type;
      return undefined;
    }
    if (answer.is === 'several') {
      const ids = answer.matches.map(({ id }) => id).join(', ');
      return `${answer.matches.length} ${plural(referent)} have the ${noun} ${JSON.stringify(text)}: give one of the IDs ${ids}`;
    }
    // A text that is in no list may still be an ID that the service knows.
    const [last, ...others] = [...answer.closest].reverse();
    const isMeant = last !== undefined && referent !== 'book';
    const isNoId = isNoKnownId || (!isCertain && answer.isRead && (await isMissing(referent, text, host)));
    // A book that only its owner can read may be sold by others.
    const isGone = isNoId && (answer.isRead || referent !== 'book');
    if (!isCertain && !isMeant && !isGone) return undefined;
    const what = isNoId ? `ID or ${noun}` : noun;
    const meant = others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
    return `there is no ${referent} with the ${what} ${JSON.stringify(text)}.${last === undefined ? '' : ` Did you mean ${meant}?`}`;
  }

  async function look(reference: Reference): Promise<string | undefined> {
    const { referent, text } = reference;
    if (!isAddress(reference) && !isCode(reference)) return byName(reference);
    const client = await host.client();
    const options = { signal: host.signal };
    try {
      const id =
        referent === 'user'
          ? idIn(await client.call(users.findByEmail, { params: { email: text } }, options))
          : (await client.call(licenses.getByCode, { params: { code: text.slice('code:'.length) } }, options)).id;
      if (id === undefined) return `the response contains no ID of ${JSON.stringify(text)}`;
      reference.id = id;
      return undefined;
    } catch (error) {
      if (!isKind(error, 'not_found', 'forbidden')) throw error;
      if (referent === 'licence' && error.kind === 'forbidden') {
        const listed = await findListed(client, license, 'code', text.slice('code:'.length), options);
        reference.id = listed && idIn(listed);
        if (reference.id !== undefined) return undefined;
      }
      const seen = error.kind === 'forbidden' ? 'you may not see' : 'there is no';
      return referent === 'user' ? `${seen} user with the e-mail address ${text}` : `${seen} licence with the ${text}`;
    }
  }

  return {
    /** Adds the references of a row. @param columnOf where the row has a value, for messages */
    note(values: Values, line: number, columnOf?: (name: string) => string | undefined): void {
      for (const { name } of dates) {
        const word = values[name];
        if (typeof word === 'string' && !isDay(word) && !days.has(word)) days.set(word, readDay(word, host.now()));
      }
      for (const { name, referent } of columns) {
        for (const text of textsOf(values[name])) {
          if (!isLookedUp(verb, referent, text, values)) continue;
          const key = keyOf(referent, text, values);
          const before = found.get(key);
          if (before === undefined)
            found.set(key, { referent, text, lines: [line], count: 1, values, column: columnOf?.(name) });
          else if (before.lines.at(-1) !== line && before.count++ < MAX_LINES) before.lines.push(line);
        }
      }
    },
    /** Looks up all references. @returns those that cannot be resolved */
    async resolve() {
      const all = [...found.values()].filter(({ id }) => id === undefined);
      const lookUp = async (reference: Reference): Promise<void> => {
        reference.problem = await look(reference);
      };
      const lookup = { client: host.client, options: { signal: host.signal }, organizations, lookUp };
      for (const stage of STAGES) {
        const some = all.filter(({ referent }) => stageOf(referent) === stage);
        await findUsers(some.filter(isAddress), lookup);
        await findLicences(some.filter(isCode), lookup);
        const users = some.flatMap(({ referent, values }) => (referent === 'role' ? (idOfUser(values) ?? []) : []));
        await findOrganizations(new Set(users.filter((id) => !organizations.has(id))), lookup);
        const left = some.filter(({ id, problem }) => id === undefined && problem === undefined);
        const shown = await findIds(left.filter(isIdFirst), resolver);
        await forEachConcurrently(
          left.filter((one) => !shown.has(one)),
          CONCURRENCY,
          lookUp,
        );
      }
      isChanged = [...found.values()].some(
        ({ id, text, type, problem }) => (id ?? text) !== text || type !== undefined || problem !== undefined,
      );
      const failed = all.flatMap(({ lines, count, column, problem }) =>
        problem === undefined ? [] : { lines, count, column, problem },
      );
      return failed.sort((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
    },
    /** Whether any name is replaced by an ID. */
    replaces: (): boolean => isChanged,
    /** The values with names replaced by IDs, but not relative dates, so that a row's identity does not depend on the day. */
    identifying,
    /** The problem of a row's first unresolved reference; undefined if all are resolved. */
    problemOf(values: Values): string | undefined {
      if (!isChanged) return undefined;
      for (const { name, referent } of columns) {
        for (const text of textsOf(values[name])) {
          const problem = found.get(keyOf(referent, text, values))?.problem;
          if (problem !== undefined) return problem;
        }
      }
      return undefined;
    },
    /** The values with names replaced by IDs, and relative dates such as `today` by days. */
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
        ...[...found].map(([key, { id, type }]) => [key, id, type] as const),
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
          const place = { referent: 'user', text: '', lines: [], count: 0, values: {} } as const;
          found.set(key, { ...place, lines: [], id, type: type as Reference['type'] });
        }
      }
    },
  };
}
