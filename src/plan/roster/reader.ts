/** The interface of a roster format. A new format needs a file with a reader, and an entry in `read-roster.ts`. */
import type { Reading } from '../../bulk/input/reading.js';
import type { RosterFacts, RosterItems } from './roster.js';
import type { RosterSource } from './source.js';

export interface RosterOptions {
  /** Memberships that have not begun or have ended on this day are ignored. yyyy-MM-dd */
  readonly on: string;
  /** Flags for reading a plain list. */
  readonly reading: Reading | undefined;
}

export interface RosterReader {
  readonly recognizes: (source: RosterSource) => boolean;
  /** Reads the whole roster and collects its problems. */
  readonly read: (source: RosterSource, options: RosterOptions, items: RosterItems) => Promise<RosterFacts>;
}
