/** Opens, describes and resets the bundled service's state on this machine. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSeedName, SEED_SETTING, type SeedName, seedFill } from './seeds/seed.js';
import { createService, type Service, type ServiceOptions } from './service.js';
import { VISIBLE, type VisibleName } from './store/schema.js';
import { StateError } from './store/state-error.js';
import { openStore, STATE_NAMES, type Store, type StoreOptions, stateFile } from './store/store.js';

/** The seed setting of an imported state. */
export const IMPORTED = 'import';

/** How to wait for another process that has locked the state. */
type Waiting = Pick<StoreOptions, 'signal' | 'say'>;

/** Returns undefined if there is no state. @throws StateError */
const openExisting = async (directory: string, waiting: Waiting = {}): Promise<Store | undefined> =>
  existsSync(stateFile(directory)) ? openStore({ directory, ...waiting }) : undefined;

/** Opens the state in a folder, or creates it; one of several processes fills it. @throws StateError */
export async function openState(directory: string, seed: SeedName, now: number, waiting?: Waiting): Promise<Store> {
  const existing = await openExisting(directory, waiting);
  return existing ?? openStore({ directory, ...waiting, fill: await seedFill(seed, now) });
}

interface OfflineOptions extends Omit<ServiceOptions, 'store'>, Waiting {
  readonly directory: string;
}

/** Opens the service on the state in a folder, with the demo seed if missing. @throws StateError */
export async function openOfflineService({ directory, signal, say, ...options }: OfflineOptions): Promise<Service> {
  const store = await openState(directory, 'demo', options.clock(), { signal, say });
  return store.whenFree(() => createService({ ...options, store }), signal);
}

/** Closes a store after work with it. */
export async function closing<T>(store: Store, work: (store: Store) => T | Promise<T>): Promise<T> {
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

type Counts = Readonly<Record<VisibleName, number>>;

/** The number of records of each collection. */
export const countsIn = (store: Store): Counts => store.read(() => countsBy((name) => store[name].count({})));

/** The numbers of records are 0 if there is no state yet. */
interface OfflineInfo extends Counts {
  readonly folder: string;
  /** The seed, or `import`; null if there is no state yet. */
  readonly seed: SeedName | typeof IMPORTED | null;
  /** Size on disk, uploaded files included. */
  readonly bytes: number;
}

const countsBy = (count: (name: VisibleName) => number): Counts =>
  Object.fromEntries(VISIBLE.map((name) => [name, count(name)])) as Counts;

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) => sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}

/** Describes the state in a folder without creating one. @throws StateError when it cannot be used */
export async function offlineInfo(directory: string): Promise<OfflineInfo> {
  const store = await openExisting(directory);
  if (store === undefined) return { folder: directory, seed: null, bytes: 0, ...countsBy(() => 0) };
  return closing(store, async () => {
    const seed = (await store.whenFree(() => store.read(() => store.setting(SEED_SETTING)))) ?? '';
    return {
      folder: directory,
      seed: isSeedName(seed) || seed === IMPORTED ? seed : null,
      bytes: sizeOf(directory),
      ...countsIn(store),
    };
  });
}

/** Resets the state in a folder, even a damaged one. @throws StateError when the folder cannot be used */
export async function resetOffline(directory: string, seed: SeedName, now: number): Promise<void> {
  const fill = await seedFill(seed, now);
  try {
    const store = await openExisting(directory);
    if (store !== undefined) {
      return await closing(store, () =>
        store.whenFree(() => {
          store.refill(fill);
          store.sweepBlobs();
        }),
      );
    }
  } catch (error) {
    if (!(error instanceof StateError && error.replaceable)) throw error;
    for (const name of STATE_NAMES) rmSync(join(directory, name), { recursive: true, force: true });
  }
  (await openStore({ directory, fill })).close();
}
