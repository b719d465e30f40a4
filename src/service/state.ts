/** Opens, describes and resets the bundled service's state on this machine. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSeedName, SEED_SETTING, type SeedName, seedFill } from './seeds/seed.js';
import { createService, type Service, type ServiceOptions } from './service.js';
import { StateError } from './store/state-error.js';
import { openStore, STATE_NAMES, type Store, stateFile } from './store/store.js';

/** The seed setting of an imported state. */
export const IMPORTED = 'import';

/** Returns undefined if there is no state, or an empty one. */
async function openExisting(directory: string): Promise<Store | undefined> {
  let missing = false;
  try {
    return await openStore({
      directory,
      fill() {
        missing = true;
        throw new Error('the state is to be filled');
      },
    });
  } catch (error) {
    if (missing) return undefined;
    throw error;
  }
}

/**
 * Opens the state in a folder, and creates it if missing. If several processes do this at once, one fills it and the
 * others wait. The seed's modules are loaded only if needed.
 * @throws StateError when the state can't be used
 */
export async function openState(directory: string, seed: SeedName, now: number): Promise<Store> {
  return (await openExisting(directory)) ?? openStore({ directory, fill: await seedFill(seed, { now }) });
}

/**
 * Opens the service on the state in a folder, created with the demo seed if missing.
 * @throws StateError when the state can't be used
 */
export async function openOfflineService({
  directory,
  ...options
}: Omit<ServiceOptions, 'store'> & { readonly directory: string }): Promise<Service> {
  return createService({ ...options, store: await openState(directory, 'demo', options.clock()) });
}

const COUNTED = [
  'organizations',
  'users',
  'books',
  'readers',
  'licences',
  'subscriptions',
  'classes',
  'files',
] as const;

type Counts = Readonly<Record<(typeof COUNTED)[number], number>>;

/** The numbers of records are 0 if there is no state yet. */
export interface OfflineInfo extends Counts {
  readonly folder: string;
  /** The seed, or `import`; null if there is no state yet. */
  readonly seed: SeedName | typeof IMPORTED | null;
  /** Size on disk, uploaded files included. */
  readonly bytes: number;
}

const countsBy = (count: (name: keyof Counts) => number): Counts =>
  Object.fromEntries(COUNTED.map((name) => [name, count(name)])) as Counts;

function sizeOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) => sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}

/** Describes the state in a folder without creating one. @throws StateError when it can't be used */
export async function offlineInfo(directory: string): Promise<OfflineInfo> {
  const store = existsSync(stateFile(directory)) ? await openExisting(directory) : undefined;
  if (store === undefined) return { folder: directory, seed: null, bytes: 0, ...countsBy(() => 0) };
  try {
    const facts = store.read(() => ({
      seed: store.setting(SEED_SETTING) ?? '',
      counts: countsBy((name) => store[name].count({})),
    }));
    const seed = isSeedName(facts.seed) || facts.seed === IMPORTED ? facts.seed : null;
    return { folder: directory, seed, bytes: sizeOf(directory), ...facts.counts };
  } finally {
    store.close();
  }
}

function removeState(directory: string): void {
  for (const name of STATE_NAMES) rmSync(join(directory, name), { recursive: true, force: true });
}

/**
 * Resets the state in a folder, even one that is damaged or of another version.
 * @throws StateError when the folder can't be used
 */
export async function resetOffline(directory: string, seed: SeedName, now: number): Promise<void> {
  const fill = await seedFill(seed, { now });
  let isNew = false;
  const open = (): Promise<Store> =>
    openStore({
      directory,
      fill(made) {
        isNew = true;
        fill(made);
      },
    });
  let store: Store;
  try {
    store = await open();
    if (!isNew) {
      store.refill(fill);
      store.sweepBlobs();
    }
  } catch (error) {
    if (!(error instanceof StateError && error.replaceable)) throw error;
    removeState(directory);
    store = await open();
  }
  store.close();
}
