/** Seeds: the initial data of a new state of the bundled service. */
import { VOCABULARY_SETTING } from '../names/vocabulary.js';
import type { Store } from '../store/store.js';
import { addCast } from './cast.js';

/** The first one is the default. */
export const SEED_NAMES = ['demo', 'empty', 'large'] as const;
export type SeedName = (typeof SEED_NAMES)[number];

/** Name of the setting that holds the seed a state was filled with. */
export const SEED_SETTING = 'seed';

export const isSeedName = (text: string): text is SeedName => (SEED_NAMES as readonly string[]).includes(text);

/**
 * Fills a state, identically on the same day. The modules are loaded before, because transactions are synchronous.
 * @param now milliseconds since 1970; dates in samples are relative to this day
 */
export async function seedFill(name: SeedName, now: number): Promise<(store: Store) => void> {
  const addMore = name === 'empty' ? undefined : (await import('./demo.js')).FILLS[name];
  return (store) => {
    addCast(store, now);
    addMore?.(store, now);
    store.setSetting(SEED_SETTING, name);
    // Removes an imported vocabulary.
    store.setSetting(VOCABULARY_SETTING, '');
  };
}
