/** Loads an export into the bundled service: builds a new state, which replaces the old one once it is complete. */
import { temporaryFolder } from '../../core/fs/temporary.js';
import { VOCABULARY_SETTING } from '../names/vocabulary.js';
import { booksAnswer } from '../resources/books.js';
import { detailedClassAnswers } from '../resources/classes.js';
import { readerEntries } from '../resources/readers.js';
import { subscriptionAnswer } from '../resources/subscriptions.js';
import { SEED_SETTING } from '../seeds/seed.js';
import { closing, IMPORTED, openState } from '../state.js';
import type { TableName } from '../store/schema.js';
import { openStore, type Store, stateFile } from '../store/store.js';
import { loadLicences } from './import-licenses.js';
import { findOrganizations, loadOrganizations, loadRoles } from './import-organizations.js';
import { loadPersonas, loadUsers } from './import-people.js';
import {
  asText,
  bookOf,
  classOf,
  type Item,
  languageOf,
  membersOf,
  readerOf,
  subscriptionOf,
} from './import-records.js';
import { badSeed, eachBatch, type Import, type Loading, ownerIn, readSource, withShown } from './import-source.js';
import { vocabularyIn } from './import-vocabulary.js';

export type { Import };
export { readSource };

async function loadMaterials(loading: Loading): Promise<void> {
  const { data, store, own, now } = loading;
  const core = { store, now: () => now };
  const language = languageOf(data.language);
  await eachBatch(loading, 'books', (items) => {
    const books = items.map((item) => bookOf(item, ownerIn(loading, item.organization), own));
    store.books.insertMany(withShown(books, booksAnswer(core, books, language), items));
  });
  await eachBatch(loading, 'readers', (items) => {
    const readers = items.map((item) => readerOf(item, ownerIn(loading, item.organization), own));
    store.readers.insertMany(withShown(readers, readerEntries(core, readers, language), items));
  });
}

/** Loads a resource whose records and responses need nothing but the item. */
const loadEach = <R extends object>(
  loading: Loading,
  resource: string,
  records: { insertMany(records: readonly R[]): void },
  recordOf: (item: Item, own: string) => R,
  answer: (record: R) => object,
): Promise<void> =>
  eachBatch(loading, resource, (items) => {
    const loaded = items.map((item) => recordOf(item, loading.own));
    records.insertMany(withShown(loaded, loaded.map(answer), items));
  });

async function loadClasses(loading: Loading): Promise<void> {
  const { store, types, now } = loading;
  const [someSchool] = [...types].flatMap(([id, type]) => (type === 'School' ? [id] : []));
  await eachBatch(loading, 'classes', (items) => {
    const classes = items.map((item) => {
      const id = asText(item.schoolId);
      return classOf(item, types.get(id) === 'School' ? id : (someSchool ?? id), now);
    });
    store.classMembers.insertMany(items.flatMap(membersOf));
    store.classes.insertMany(withShown(classes, detailedClassAnswers({ store }, classes), items));
  });
}

/** Loads each resource after those that its responses refer to. */
async function load(loading: Loading): Promise<void> {
  const { store } = loading;
  const organizations = await findOrganizations(loading);
  await loadRoles(loading, organizations);
  const vocabulary = await vocabularyIn(loading);
  store.write(() => {
    store.setSetting(VOCABULARY_SETTING, JSON.stringify(vocabulary));
    store.setSetting(SEED_SETTING, IMPORTED);
  });
  loadOrganizations(loading, organizations);
  await loadUsers(loading);
  await loadMaterials(loading);
  await loadLicences(loading);
  await loadEach(loading, 'subscriptions', store.subscriptions, subscriptionOf, subscriptionAnswer);
  await loadClasses(loading);
  await loadPersonas(loading);
}

/** Loads an export into a new state in a folder. @returns its file */
async function buildIn(directory: string, data: Import, now: number): Promise<string> {
  const store = await openStore({ directory });
  let number = 0;
  try {
    await load({ data, store, own: data.organization.id, types: new Map(), now, newNumber: () => ++number });
    return stateFile(directory);
  } catch (error) {
    if (!(error instanceof Error && /UNIQUE constraint/.test(error.message))) throw error;
    throw badSeed(`two items share a unique value (${error.message})`, 'Give each item an ID of its own.', error);
  } finally {
    store.close();
  }
}

/** Loads an export into a state of its own. @param use gets its file */
async function withLoaded(data: Import, now: number, use: (file: string) => Promise<void>): Promise<void> {
  const folder = temporaryFolder('files');
  try {
    await use(await buildIn(folder.path, data, now));
  } finally {
    folder.remove();
  }
}

/**
 * Replaces the contents of an open store by an export. Stored files stay, because a snapshot may name them.
 * @param now milliseconds since the epoch
 * @param kept tables whose records stay
 */
export const loadInto = (target: Store, data: Import, now: number, kept?: readonly TableName[]): Promise<void> =>
  withLoaded(data, now, (file) => target.whenFree(() => target.restoreFrom(file, kept)));

/** Replaces the state in a folder by an export; if this fails, the old one is unchanged. @throws StateError, OptionError */
export const importState = (directory: string, data: Import, now: number): Promise<void> =>
  withLoaded(data, now, async (file) =>
    // Creates the demo state if there is none, as the next command would: a process killed here leaves a valid state.
    closing(await openState(directory, 'demo', now), (target) =>
      target.whenFree(() => {
        target.restoreFrom(file);
        target.sweepBlobs();
      }),
    ),
  );
