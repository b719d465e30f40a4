/**
 * Loads an export into the bundled service: a new state is made beside the old one, and takes its place when it is
 * complete. Knows items and records, not where the items are kept. What an export does not hold (passwords, tokens,
 * files, who is cancelled) can't be loaded: see docs/guides/export.md.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from '../contract/shared.js';
import {
  activationOf,
  bookOf,
  classOf,
  endUserOf,
  type Item,
  idsOf,
  languageOf,
  licenceOf,
  listOf,
  membersOf,
  objectOf,
  organizationTypeOf,
  readerOf,
  roleOf,
  strangeBookOf,
  subscriptionOf,
  textOf,
  userOf,
} from './import/records.js';
import { LICENCE_CATEGORIES } from './names/licence-categories.js';
import { SUBJECTS } from './names/subjects.js';
import { BOOK_TYPES } from './names/types.js';
import { VOCABULARY_SETTING, type Vocabulary } from './names/vocabulary.js';
import { openState } from './offline.js';
import { type PersonaName, personaToken } from './personas.js';
import { CALLBACK_URL, CLIENT_ID, CLIENT_SECRET } from './seeds/cast.js';
import { SEED_SETTING } from './seeds/seed.js';
import type { Activation, Organization, Role } from './store/records.js';
import { stateFile } from './store/place.js';
import { openStore, type Store, secretId } from './store/store.js';

/** What an export holds. */
export interface Import {
  /** The caller's own organization. */
  readonly organization: { readonly id: string; readonly type: string };
  /** The same and those that it owns, as far as the export knows them. */
  readonly organizations: readonly { readonly id: string; readonly type: string }[];
  /** The language of names. */
  readonly language: string;
  /** The items of a resource, some at a time; none when the export does not hold it. */
  readonly items: (resource: string) => AsyncIterable<readonly Item[]>;
}

/** What the parts of an import share. */
interface Loading {
  readonly data: Import;
  readonly store: Store;
  readonly own: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** All items of a resource that stays small. */
async function all(data: Import, resource: string): Promise<Item[]> {
  const found: Item[] = [];
  for await (const items of data.items(resource)) found.push(...items);
  return found;
}

/** Organizations with what the lists of publishers and schools say of them. */
async function loadOrganizations({
  data,
  store,
  own,
}: Loading): Promise<{ readonly roleOwners: Map<string, string[]> }> {
  const organizations = new Map<string, Organization>();
  const roleOwners = new Map<string, string[]>();
  const add = (id: string, type: string, item: Item): void => {
    const known = organizationTypeOf(type);
    if (id === '' || known === undefined) return;
    // The own organization's name is in no answer of the service.
    const name = textOf(item.name) || id;
    const [country, city] = known === 'School' ? [textOf(item.country), textOf(item.city)] : [null, null];
    organizations.set(id, { id, type: known, name, ownerId: id === own ? null : own, country, city });
    if (Array.isArray(item.roles)) roleOwners.set(id, idsOf(item.roles));
  };
  add(own, data.organization.type, {});
  for (const { id, type } of data.organizations) add(id, type, {});
  for (const item of await all(data, 'publishers')) add(textOf(item.id), 'Publisher', item);
  for (const item of await all(data, 'schools')) add(textOf(item.id), 'School', item);
  store.write(() => store.organizations.insertMany(organizations.values()));
  return { roleOwners };
}

/** Roles, in the order in which their organizations name them; the others are the own organization's. */
async function loadRoles({ data, store, own }: Loading, roleOwners: ReadonlyMap<string, string[]>): Promise<void> {
  const items = new Map((await all(data, 'roles')).map((item) => [textOf(item.id), item]));
  const roles = new Map<string, Role>();
  for (const [organizationId, ids] of roleOwners) {
    for (const id of ids) if (!roles.has(id)) roles.set(id, roleOf({ id, ...items.get(id) }, organizationId));
  }
  for (const [id, item] of items) if (!roles.has(id)) roles.set(id, roleOf(item, own));
  const [account = {}] = await all(data, 'account');
  const permissions = listOf(account.permissions);
  const references = async function* () {
    yield listOf(account.roles).map((role): [unknown, string, unknown] => [role, own, permissions]);
    for await (const users of data.items('users')) {
      yield users.flatMap((user) =>
        listOf(user.roles).map((role): [unknown, string, unknown] => [
          role,
          textOf(objectOf(user.organization).id),
          [],
        ]),
      );
    }
  };
  // Without the list of roles, users still have theirs; what these permit only the account says.
  for await (const some of references()) {
    for (const [role, organizationId, permitted] of some) {
      const item = objectOf(role);
      const id = textOf(item.id);
      const known = roles.get(id);
      if (known === undefined) roles.set(id, roleOf({ ...item, permissions: permitted }, organizationId || own));
      else if (known.name === '') roles.set(id, { ...known, name: textOf(item.name) });
    }
  }
  store.write(() => store.roles.insertMany(roles.values()));
}

async function loadUsers({ data, store, own }: Loading): Promise<void> {
  for await (const items of data.items('users')) {
    store.write(() => store.users.insertMany(items.map((item) => userOf(item, own, own))));
  }
  const [account] = await all(data, 'account');
  if (account === undefined) return;
  store.write(() => {
    if (store.users.get(textOf(account.id)) === undefined) store.users.insert(userOf(account, own, own));
  });
}

/** Puts what the licence's users are known by into the order in which the licence names them. */
function activationsFor({ store, now }: Loading, item: Item): readonly Activation[] {
  const licenceId = textOf(item.id);
  const known = new Map(store.activations.all({ licenceId }).map((one) => [one.userId, one]));
  const holders = [...new Set(idsOf(item.endUsers))];
  const first = holders.map((userId) => known.get(userId) ?? activationOf(licenceId, userId, {}, now));
  return [...first, ...[...known.values()].filter(({ userId }) => !holders.includes(userId))];
}

function loadLicencesOf(loading: Loading, items: readonly Item[]): void {
  const { store, own } = loading;
  const people = new Map(items.flatMap((item) => listOf(item.endUsers).map((one) => [textOf(objectOf(one).id), one])));
  const books = new Map(items.flatMap((item) => listOf(item.books).map((one) => [textOf(objectOf(one).id), one])));
  const knownPeople = store.users.many([...people.keys()]);
  const knownBooks = store.books.many([...books.keys()]);
  for (const [id, one] of people) if (!knownPeople.has(id)) store.users.insert(endUserOf(objectOf(one), own));
  for (const [id, one] of books) if (!knownBooks.has(id)) store.books.insert(strangeBookOf(objectOf(one), own));
  store.licences.insertMany(items.map((item) => licenceOf(item, own)));
  for (const item of items) {
    const wanted = activationsFor(loading, item);
    if (wanted.length === 0) continue;
    // The order of insertion is the order of the licence's users in answers.
    store.activations.removeAll({ licenceId: textOf(item.id) });
    store.activations.insertMany(wanted);
  }
}

async function loadLicences(loading: Loading): Promise<void> {
  const { data, store, now } = loading;
  for await (const items of data.items('activations')) {
    const activations = items.map((item) => activationOf(textOf(item.licenseId), textOf(item.user), item, now));
    store.write(() => {
      const once = new Map(activations.map((one) => [one.id, one]));
      const before = store.activations.many([...once.keys()]);
      store.activations.insertMany([...once.values()].filter(({ id }) => !before.has(id)));
    });
  }
  for await (const items of data.items('licenses')) store.write(() => loadLicencesOf(loading, items));
}

async function loadClasses({ data, store, now }: Loading): Promise<void> {
  for await (const items of data.items('classes')) {
    store.write(() => {
      store.classes.insertMany(items.map((item) => classOf(item, now)));
      store.classMembers.insertMany(items.flatMap(membersOf));
    });
  }
}

type Names = Record<string, Partial<Record<Language, string>>>;

/** Adds a name, unless there is one in that language already. */
function addName(names: Names, id: unknown, language: Language, name: unknown): void {
  const key = textOf(id);
  if (key === '') return;
  const known = Object.hasOwn(names, key) ? names[key] : undefined;
  names[key] = { ...(typeof name === 'string' ? { [language]: name } : {}), ...known };
}

/** Subjects, types and categories that the export speaks of; ours where it says nothing about any. */
async function vocabularyIn({ data, store }: Loading): Promise<Vocabulary> {
  const subjects: Names = {};
  const types: Names = {};
  const languageIn = ({ language }: Item): Language => languageOf(language ?? data.language);
  for (const item of await all(data, 'subjects')) addName(subjects, item.id, languageIn(item), item.translatedName);
  for (const item of await all(data, 'types')) addName(types, item.type, languageIn(item), item.translatedName);
  for (const resource of ['books', 'readers']) {
    for await (const items of data.items(resource)) {
      for (const { subject, type } of items) {
        const language = languageOf(data.language);
        addName(subjects, objectOf(subject).id, language, objectOf(subject).translatedName);
        if (resource === 'books') addName(types, objectOf(type).name, language, objectOf(type).translatedName);
      }
    }
  }
  const categories: Record<string, string> = { ...LICENCE_CATEGORIES };
  for await (const items of data.items('licenses')) {
    for (const { licenseCategory: id } of items) {
      if (typeof id === 'string' && !Object.hasOwn(categories, id)) categories[id] = id;
    }
  }
  const guarded = store.read(() => store.roles.all({})).flatMap(({ permissions }) => permissions);
  return {
    subjects: Object.keys(subjects).length > 0 ? subjects : SUBJECTS,
    types: Object.keys(types).length > 0 ? types : BOOK_TYPES,
    categories,
    guarded: [...new Set(guarded.map(({ resource }) => resource))],
  };
}

/** Who `--as` can be: the account that exported, and somebody of a publisher, of a school, and without permissions. */
async function loadPersonas({ data, store, own, now }: Loading): Promise<void> {
  const [account] = await all(data, 'account');
  store.write(() => {
    const firstOf = (organizationId: string): string | undefined => store.users.first({ organizationId })?.id;
    const firstIn = (type: Organization['type']): string | undefined => {
      for (const { id } of store.organizations.all({ type })) {
        const user = id === own ? undefined : firstOf(id);
        if (user !== undefined) return user;
      }
      return undefined;
    };
    const permitting = new Set(
      store.roles.all({ organizationId: own }).flatMap(({ id, permissions }) => (permissions.length > 0 ? [id] : [])),
    );
    const viewer = store.users
      .page({ organizationId: own }, 0, 1000)
      .items.find(({ roleIds }) => !roleIds.some((id) => permitting.has(id)))?.id;
    const caller = account === undefined ? firstOf(own) : textOf(account.id);
    const people: readonly (readonly [PersonaName, string | undefined, string])[] = [
      ['distributor', caller, 'the account that made the export'],
      ['publisher', firstIn('Publisher') ?? caller, 'somebody of a publisher'],
      ['school', firstIn('School') ?? caller, 'somebody of a school'],
      ['viewer', viewer ?? caller, 'somebody without permissions'],
    ];
    for (const [name, userId, about] of people) {
      if (userId === undefined) continue;
      store.personas.insert({ id: name, userId, about });
      const id = secretId(personaToken(name));
      store.accessTokens.insert({ id, userId, clientId: null, createdAt: now, expiresAt: null });
    }
    const application = { id: CLIENT_ID, secret: CLIENT_SECRET, name: 'edu', callbackUrl: CALLBACK_URL };
    store.oauthClients.insert({ ...application, suspended: false });
  });
}

/** Fills an empty state. @returns its vocabulary */
async function load(loading: Loading): Promise<Vocabulary> {
  const { data, store, own } = loading;
  const { roleOwners } = await loadOrganizations(loading);
  await loadRoles(loading, roleOwners);
  await loadUsers(loading);
  for await (const items of data.items('books')) {
    store.write(() => store.books.insertMany(items.map((item) => bookOf(item, own))));
  }
  for await (const items of data.items('readers')) {
    store.write(() => store.readers.insertMany(items.map((item) => readerOf(item, own))));
  }
  await loadLicences(loading);
  for await (const items of data.items('subscriptions')) {
    store.write(() => store.subscriptions.insertMany(items.map((item) => subscriptionOf(item, own))));
  }
  await loadClasses(loading);
  await loadPersonas(loading);
  return vocabularyIn(loading);
}

/** Puts the state in a file in the place of the one in a folder, and removes the files that only that one named. */
function takePlace(target: Store, file: string, vocabulary: Vocabulary): void {
  const blobs = (): string[] => target.read(() => target.files.all({})).map(({ blob }) => blob);
  const before = blobs();
  target.restoreFrom(file);
  target.write(() => {
    target.setSetting(VOCABULARY_SETTING, JSON.stringify(vocabulary));
    target.setSetting(SEED_SETTING, 'import');
  });
  const kept = new Set(blobs());
  for (const blob of before) if (!kept.has(blob)) target.blobs.remove(blob);
}

/**
 * Loads an export in the place of the state in a folder. When it fails, the state there is as it was.
 * @param directory of the state; made if there is none
 * @param now milliseconds since the epoch
 * @throws StateError when the state can't be used; what `data.items` throws
 */
export async function importState(directory: string, data: Import, now: number): Promise<void> {
  const beside = join(directory, `import-${process.pid}`);
  try {
    const store = await openStore({ directory: beside });
    let vocabulary: Vocabulary;
    try {
      vocabulary = await load({ data, store, own: data.organization.id, now });
    } finally {
      store.close();
    }
    const target = await openState(directory, 'empty', now);
    try {
      takePlace(target, stateFile(beside), vocabulary);
    } finally {
      target.close();
    }
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}
