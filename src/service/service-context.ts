/** What every part of the service works with: the store, the time, chance, and its own address. */
import type { Store } from './store/store.js';
import type { Variants } from './variants.js';

export interface Core {
  readonly store: Store;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Random bytes. */
  readonly random: (count: number) => Uint8Array;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** Where editor addresses lead, without a slash at the end. */
  readonly editorUrl: string;
  /** What the service does where the document leaves it open. */
  readonly variants: Variants;
}
