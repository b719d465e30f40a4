/**
 * What rows may write in place of ids: e-mail addresses of users, codes of licences, EANs of books, names of subjects,
 * roles and schools. Each is looked up once, before anything is sent.
 */
import { idIn } from '../../client/create/find-by-key.js';
import type { Client } from '../../client/request/client.js';
import { books } from '../../contract/books.js';
import { licenses } from '../../contract/licenses.js';
import { roles } from '../../contract/roles.js';
import { schools } from '../../contract/schools.js';
import type { Language, OrganizationReference } from '../../contract/shared.js';
import { users } from '../../contract/users.js';
import type { Referent } from '../../contract/vocabulary.js';
import { isDay, readDay } from '../../core/day.js';
import { EduError } from '../../core/errors.js';
import { didYouMean } from '../../core/suggest.js';
import type { Value, Values, Verb } from '../row-command.js';

export interface ReferenceHost {
  readonly client: () => Promise<Client>;
  readonly language: () => Language;
  readonly organization: (values: Values) => Promise<OrganizationReference>;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Reference {
  readonly ref: Referent;
  readonly text: string;
  /** The first lines that use it. */
  readonly lines: number[];
  /** The values of the first row that uses it. */
  readonly values: Values;
  id?: string | undefined;
}

/** Things that have both an id and a name by which people know them. */
interface Named {
  readonly id: string;
  readonly name: string | null;
}

const LOOKED_UP: ReadonlySet<Referent> = new Set<Referent>(['user', 'licence', 'book', 'subject', 'role', 'school']);
const MOST_LINES = 5;
/** Look-ups at a time. */
const AT_ONCE = 8;

/** Whether a text may be something else than an id. */
function mayBeName(ref: Referent, text: string): boolean {
  if (ref === 'user') return text.includes('@');
  if (ref === 'licence') return text.startsWith('code:');
  if (ref === 'book') return /^(ean:.+|\d{8,14})$/.test(text);
  return LOOKED_UP.has(ref);
}

/** The user whose organization has the roles of a row that names none itself. */
const userOf = ({ organization, user }: Values): string | undefined =>
  organization === undefined && typeof user === 'string' ? user : undefined;

function keyOf(ref: Referent, text: string, values: Values): string {
  if (ref !== 'role') return `${ref} ${text}`;
  const user = userOf(values);
  const whose = [values.organization, values['organization-type'], ...(user === undefined ? [] : [user])];
  return JSON.stringify([ref, text, ...whose]);
}

const textsOf = (value: Value | undefined): readonly string[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [String(value)];

const missing = (error: unknown): boolean =>
  error instanceof EduError && (error.kind === 'not_found' || error.kind === 'forbidden');

async function collect<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

export interface References {
  /** Notes what a row refers to. */
  readonly note: (values: Values, line: number) => void;
  /** Looks everything up. @returns what can't be found, with its lines */
  readonly resolve: () => Promise<readonly { readonly lines: readonly number[]; readonly message: string }[]>;
  /** The same values with ids in the places of names, and days in the places of words for them. */
  readonly filled: (values: Values) => Values;
  /** The same values with ids in the places of names: what a row says stays the same from day to day. */
  readonly identifying: (values: Values) => Values;
  /** Words for days mean other days from now on: a job that is done starts again. */
  readonly restartToday: () => void;
  /** What was found, as text to keep with the job: an address may lead nowhere once its user is anonymized. */
  readonly kept: () => string;
  /** Takes what was kept instead of looking anything up. @throws SyntaxError or TypeError when it is something else */
  readonly restore: (kept: string) => void;
}

export function references(verb: Verb, host: ReferenceHost): References {
  const columns = verb.columns.filter(({ ref }) => ref !== undefined && LOOKED_UP.has(ref));
  const dates = verb.columns.filter(({ form }) => form === 'date');
  const found = new Map<string, Reference>();
  const dateKey = (word: string): string => `date ${word}`;

  /** A word for a day means the same day for the whole job, however often it is resumed. */
  function noteDays(values: Values): void {
    for (const { name } of dates) {
      const word = values[name];
      if (typeof word !== 'string' || isDay(word) || found.has(dateKey(word))) continue;
      found.set(dateKey(word), { ref: 'file', text: word, lines: [], values: {}, id: readDay(word, host.now()) });
    }
  }

  function identifying(values: Values): Values {
    if (found.size === 0) return values;
    const ids: Record<string, Value> = {};
    for (const { name, ref } of columns) {
      const value = values[name];
      if (ref === undefined || value === undefined) continue;
      const idFor = (text: string): string => found.get(keyOf(ref, text, values))?.id ?? text;
      ids[name] = Array.isArray(value) ? value.map((text) => idFor(String(text))) : idFor(String(value));
    }
    return { ...values, ...ids };
  }

  const lists = new Map<string, Promise<readonly Named[]>>();

  /** "A user can only receive roles of the user's own organization": a changed user's, else where a new one is made. */
  async function organizationWithRoles(values: Values): Promise<OrganizationReference> {
    const user = userOf(values);
    if (user === undefined) return host.organization(values);
    const client = await host.client();
    const options = { signal: host.signal };
    try {
      const id = user.includes('@')
        ? idIn(await client.call(users.findByEmail, { params: { email: user } }, options))
        : user;
      if (id === undefined) return await host.organization(values);
      return (await client.call(users.get, { params: { id } }, options)).organization;
    } catch (error) {
      // Said where the user is looked up, or by the service.
      if (missing(error)) return host.organization(values);
      throw error;
    }
  }

  function rolesOf({ id, type }: OrganizationReference): Promise<readonly Named[]> {
    let list = lists.get(`roles of ${id}`);
    if (list === undefined) {
      list = host.client().then((client) => {
        const query = { organization: id, type };
        return collect(client.pages(roles.list, { query }, { signal: host.signal }));
      });
      lists.set(`roles of ${id}`, list);
    }
    return list;
  }

  async function listFor({ ref, values }: Reference): Promise<readonly Named[]> {
    const client = await host.client();
    const options = { signal: host.signal };
    const language = host.language();
    if (ref === 'subject') {
      const all = await collect(client.pages(books.subjects, { query: { language } }, options));
      return all.map(({ id, translatedName }) => ({ id, name: translatedName }));
    }
    if (ref === 'school') return collect(client.pages(schools.list, {}, options));
    if (ref === 'role') return rolesOf(await organizationWithRoles(values));
    const { id, type } = await host.organization(values);
    const all = await collect(client.pages(books.list, { query: { organization: id, type, language } }, options));
    return all.map((book) => ({ id: book.id, name: book.ean }));
  }

  /** The list that a name is looked for in; empty when the caller may not read it: the service judges then. */
  function listOf(reference: Reference): Promise<readonly Named[]> {
    const { ref, values } = reference;
    const key = ref === 'role' || ref === 'book' ? keyOf('role', ref, values) : ref;
    let list = lists.get(key);
    if (list === undefined) {
      list = listFor(reference).catch((error) => {
        if (missing(error) || (error instanceof EduError && error.kind === 'refused')) return [];
        throw error;
      });
      lists.set(key, list);
    }
    return list;
  }

  /** Looks for a name in a list. @returns a problem, or nothing */
  async function byName(reference: Reference): Promise<string | undefined> {
    const { ref, text } = reference;
    const list = await listOf(reference);
    if (list.some(({ id }) => id === text)) return undefined;
    const wanted = text.replace(/^ean:/, '').trim().normalize('NFC').toLowerCase();
    const matches = list.filter(({ name }) => name?.trim().normalize('NFC').toLowerCase() === wanted);
    const [only, ...others] = matches;
    if (only !== undefined && others.length === 0) {
      reference.id = only.id;
      return undefined;
    }
    const noun = ref === 'book' ? 'EAN' : 'name';
    if (only !== undefined) {
      return `${matches.length} ${ref}s have the ${noun} ${JSON.stringify(text)}: give the id, one of ${matches.map(({ id }) => id).join(', ')}`;
    }
    // What is not in the list may be an id that the service knows.
    const meant = didYouMean(
      text,
      list.map(({ name }) => name ?? ''),
    );
    if (text.startsWith('ean:') || /\s/.test(text) || (ref !== 'book' && meant !== undefined))
      return `there is no ${ref} with the ${noun} ${JSON.stringify(text)}.${meant === undefined ? '' : ` ${meant}`}`;
    return undefined;
  }

  async function look(reference: Reference): Promise<string | undefined> {
    const { ref, text } = reference;
    if (ref !== 'user' && ref !== 'licence') return byName(reference);
    const client = await host.client();
    const options = { signal: host.signal };
    try {
      const id =
        ref === 'user'
          ? idIn(await client.call(users.findByEmail, { params: { email: text } }, options))
          : (await client.call(licenses.getByCode, { params: { code: text.slice('code:'.length) } }, options)).id;
      if (id === undefined) return `the service did not say the id of ${JSON.stringify(text)}`;
      reference.id = id;
      return undefined;
    } catch (error) {
      if (!missing(error)) throw error;
      const seen = error instanceof EduError && error.kind === 'forbidden' ? 'you may not see' : 'there is no';
      return ref === 'user' ? `${seen} user with the e-mail address ${text}` : `${seen} licence with the ${text}`;
    }
  }

  return {
    note(values, line) {
      noteDays(values);
      for (const { name, ref } of columns) {
        if (ref === undefined) continue;
        for (const text of textsOf(values[name])) {
          if (!mayBeName(ref, text)) continue;
          const key = keyOf(ref, text, values);
          const before = found.get(key);
          if (before === undefined) found.set(key, { ref, text, lines: [line], values });
          else if (before.lines.length < MOST_LINES && before.lines.at(-1) !== line) before.lines.push(line);
        }
      }
    },
    async resolve() {
      const problems: { lines: readonly number[]; message: string }[] = [];
      const all = [...found.values()].filter(({ id }) => id === undefined).values();
      const worker = async (): Promise<void> => {
        for (const reference of all) {
          const message = await look(reference);
          if (message !== undefined) problems.push({ lines: reference.lines, message });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      return problems.sort((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
    },
    identifying,
    filled(values) {
      const whole = identifying(values);
      if (dates.length === 0) return whole;
      const days: Record<string, Value> = {};
      for (const { name } of dates) {
        const word = values[name];
        const day = typeof word === 'string' ? found.get(dateKey(word))?.id : undefined;
        if (day !== undefined) days[name] = day;
      }
      return { ...whole, ...days };
    },
    restartToday() {
      for (const key of found.keys()) {
        if (!key.startsWith('date ')) continue;
        const text = key.slice('date '.length);
        found.set(key, { ref: 'file', text, lines: [], values: {}, id: readDay(text, host.now()) });
      }
    },
    kept: () =>
      [...found].flatMap(([key, { id }]) => (id === undefined ? [] : [`${JSON.stringify([key, id])}\n`])).join(''),
    restore(kept) {
      for (const line of kept.split('\n')) {
        if (line === '') continue;
        const [key, id] = JSON.parse(line) as readonly unknown[];
        if (typeof key !== 'string' || typeof id !== 'string') throw new TypeError('not a reference and its id');
        found.set(key, { ref: 'user', text: '', lines: [], values: {}, id });
      }
    },
  };
}
