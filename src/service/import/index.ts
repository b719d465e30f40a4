/**
 * Loads an export into the bundled service: builds a new state, which replaces the old one once it is complete.
 * Exports contain no passwords, tokens, files or cancellations (docs/guides/export.md). Fields that the records have no
 * place for are stored beside them (`import-overrides.ts`).
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { processTag, removeAbandoned, temporaryFolder } from '../../core/fs/temporary.js';
import { VOCABULARY_SETTING, type Vocabulary } from '../names/store-vocabulary.js';
import { booksAnswer } from '../resources/books.js';
import { detailedClassAnswers } from '../resources/classes.js';
import { readerEntries } from '../resources/readers.js';
import { subscriptionAnswer } from '../resources/subscriptions.js';
import { SEED_SETTING } from '../seeds/seed.js';
import { IMPORTED, openState } from '../state.js';
import { openStore, type Store, stateFile } from '../store/store.js';
import { loadLicences } from './import-licenses.js';
import { findOrganizations, loadOrganizations, loadRoles } from './import-organizations.js';
import { loadPersonas, loadUsers } from './import-people.js';
import { bookOf, classOf, languageOf, membersOf, readerOf, subscriptionOf, textOf } from './import-records.js';
import { BadSeed, type Import, type Loading, ownerIn, withShown } from './import-source.js';
import { vocabularyIn } from './import-vocabulary.js';
import { readSource } from './read-export.js';

export type { Import };
export { BadSeed, readSource };

async function loadMaterials(loading: Loading): Promise<void> {
  const { data, store, own, now } = loading;
  const language = languageOf(data.language);
  for await (const items of data.items('books')) {
    store.write(() => {
      const books = items.map((item) => bookOf(item, ownerIn(loading, item.organization), own));
      store.books.insertMany(withShown(books, booksAnswer({ store, now: () => now }, books, language), items));
    });
  }
  for await (const items of data.items('readers')) {
    store.write(() => {
      const readers = items.map((item) => readerOf(item, ownerIn(loading, item.organization), own));
      store.readers.insertMany(withShown(readers, readerEntries({ store, now: () => now }, readers, language), items));
    });
  }
}

async function loadSubscriptions({ data, store, own }: Loading): Promise<void> {
  for await (const items of data.items('subscriptions')) {
    const subscriptions = items.map((item) => subscriptionOf(item, own));
    store.write(() =>
      store.subscriptions.insertMany(withShown(subscriptions, subscriptions.map(subscriptionAnswer), items)),
    );
  }
}

async function loadClasses({ data, store, types, now }: Loading): Promise<void> {
  const [someSchool] = [...types].flatMap(([id, type]) => (type === 'School' ? [id] : []));
  for await (const items of data.items('classes')) {
    store.write(() => {
      const classes = items.map((item) => {
        const id = textOf(item.schoolId);
        return classOf(item, types.get(id) === 'School' ? id : (someSchool ?? id), now);
      });
      store.classMembers.insertMany(items.flatMap(membersOf));
      store.classes.insertMany(withShown(classes, detailedClassAnswers({ store }, classes), items));
    });
  }
}

async function load(loading: Loading): Promise<Vocabulary> {
  try {
    return await loadAll(loading);
  } catch (error) {
    if (!(error instanceof Error && /UNIQUE constraint/.test(error.message))) throw error;
    throw new BadSeed(`two items share a unique value (${error.message})`, 'Give each item an id of its own.', error);
  }
}

/** Loads each resource after those that its responses refer to. */
async function loadAll(loading: Loading): Promise<Vocabulary> {
  const { store } = loading;
  const organizations = await findOrganizations(loading);
  const sharedRoles = await loadRoles(loading, organizations);
  const vocabulary = await vocabularyIn(loading, sharedRoles);
  store.write(() => store.setSetting(VOCABULARY_SETTING, JSON.stringify(vocabulary)));
  loadOrganizations(loading, organizations);
  await loadUsers(loading);
  await loadMaterials(loading);
  await loadLicences(loading);
  await loadSubscriptions(loading);
  await loadClasses(loading);
  await loadPersonas(loading);
  return vocabulary;
}

/** Replaces an open state by the one in a file, and removes the stored files that only the old one named. */
function replaceState(target: Store, file: string, vocabulary: Vocabulary): void {
  target.restoreFrom(file, { [VOCABULARY_SETTING]: JSON.stringify(vocabulary), [SEED_SETTING]: IMPORTED });
  target.sweepBlobs();
}

/** Replaces the contents of an open store by an export. @param now milliseconds since the epoch */
export async function loadInto(target: Store, data: Import, now: number): Promise<void> {
  const store = await openStore({ memory: true });
  const folder = temporaryFolder('files');
  try {
    const vocabulary = await load({ data, store, own: data.organization.id, types: new Map(), now });
    const file = join(folder.path, 'import.db');
    store.copyTo(file);
    replaceState(target, file, vocabulary);
  } finally {
    store.close();
    folder.remove();
  }
}

/**
 * Replaces the state in a folder by an export. If this fails, the old state is unchanged.
 * @throws StateError when the state can't be used; what `data.items` throws
 */
export async function importState(directory: string, data: Import, now: number): Promise<void> {
  removeAbandoned(directory, (name) => name.startsWith('import-'));
  const beside = join(directory, `import-${processTag()}`);
  try {
    const store = await openStore({ directory: beside });
    let vocabulary: Vocabulary;
    try {
      vocabulary = await load({ data, store, own: data.organization.id, types: new Map(), now });
    } finally {
      store.close();
    }
    // Creates the demo state if there is none, as the next command would: a process killed here leaves a valid state.
    const target = await openState(directory, 'demo', now);
    try {
      replaceState(target, stateFile(beside), vocabulary);
    } finally {
      target.close();
    }
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}
