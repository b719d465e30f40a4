/** The state of the OAuth endpoints: records, clock, randomness and open consent pages. */
import type { Variants } from '../variants.js';
import type { Consents } from './consents.js';
import type { OAuthRecords } from './records.js';

export interface OAuthOptions {
  readonly records: OAuthRecords;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Random bytes. */
  readonly random: (count: number) => Uint8Array;
  readonly variants: Pick<Variants, 'tokenErrorStatus'>;
}

export interface OAuthContext extends OAuthOptions {
  readonly consents: Consents;
}
