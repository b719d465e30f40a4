/** Opens, describes and resets the bundled service's state on this machine. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSeedName, SEED_SETTING, type SeedName, seedFill } from './seeds/seed.js';
import { createService, type Service, type ServiceOptions } from './service.js';
import { VISIBLE, type VisibleName } from './store/schema.js';
import { StateError } from './store/state-error.js';
import { closing, openStore, STATE_NAMES, type Store, stateFile } from './store/store.js';

/** The seed setting of an imported state. */
export const IMPORTED = 'import';

/** Returns undefined if there is no state. @throws StateError */
const openExisting = async (directory: string, signal?: AbortSignal): Promise<Store | undefined> =>
  existsSync(stateFile(directory)) ? openStore({ directory, signal }) : undefined;

/** Opens the state in a folder, or creates it; one of several processes fills it. @throws StateError */
export async function openState(directory: string, seed: SeedName, now: number, signal?: AbortSignal): Promise<Store> {
  return (await openExisting(directory, signal)) ?? openStore({ directory, signal, fill: await seedFill(seed, now) });
}

interface OfflineOptions extends Omit<ServiceOptions, 'store'> {
  readonly directory: string;
  /** Ends the wait for another process that has locked the state. */
  readonly signal?: AbortSignal | undefined;
}

/** Opens the service on the state in a folder, with the demo seed if missing. @throws StateError */
export async function openOfflineService({ directory, signal, ...options }: OfflineOptions): Promise<Service> {
  const store = await openState(directory, 'demo', options.clock(), signal);
  return store.whenFree(() => createService({ ...options, store }), signal);
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

/** Describes the state in a folder without creating one. @throws StateError when it can't be used */
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

/** Resets the state in a folder, even a damaged one. @throws StateError when the folder can't be used */
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
