/** The context of the service's parts: store, clock, randomness, and its own address. */
import type { Language } from '../contract/shared.js';
import type { Store } from './store/store.js';
import type { Variants } from './variants.js';

/** An e-mail that the service sends: "the new user receives an e-mail containing a random password". */
export interface Email {
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  readonly to: string;
  readonly userId: string;
  readonly language: Language;
  readonly password: string;
}

export interface ServiceContext {
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
  /** Takes the e-mails; they are dropped if left out. */
  readonly onEmail?: ((email: Email) => void) | undefined;
}
