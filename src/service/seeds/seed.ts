/** Seeds: the initial data of a new state of the bundled service. */
import { VOCABULARY_SETTING } from '../names/store-vocabulary.js';
import type { Store } from '../store/store.js';
import { addCast } from './cast.js';

/** The first one is the default. */
export const SEED_NAMES = ['demo', 'empty', 'large'] as const;
export type SeedName = (typeof SEED_NAMES)[number];

export interface SeedOptions {
  /** Milliseconds since 1970. Dates in samples are relative to this day. */
  readonly now: number;
}

/** Name of the setting that holds the seed a state was filled with. */
export const SEED_SETTING = 'seed';

export const isSeedName = (text: string): text is SeedName => (SEED_NAMES as readonly string[]).includes(text);

type Fill = (store: Store, now: number) => void;

/** Fills a state, identically on the same day. The modules are loaded before, because transactions are synchronous. */
export async function seedFill(name: SeedName, { now }: SeedOptions): Promise<(store: Store) => void> {
  const addMore = await LOADERS[name]();
  return (store) => {
    addCast(store, now);
    addMore(store, now);
    store.setSetting(SEED_SETTING, name);
    // Removes an imported vocabulary.
    store.setSetting(VOCABULARY_SETTING, '');
  };
}

const LOADERS: { readonly [N in SeedName]: () => Promise<Fill> } = {
  demo: async () => (await import('./demo.js')).fillDemo,
  empty: async () => () => {},
  large: async () => (await import('./demo.js')).fillLarge,
};

/** Replaces all data of a state in one transaction. */
export async function seed(store: Store, name: SeedName, options: SeedOptions): Promise<void> {
  store.refill(await seedFill(name, options));
}
