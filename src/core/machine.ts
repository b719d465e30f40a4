/** Clock and randomness, which tests replace. */
export interface Machine {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after a number of milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Unguessable letters and digits, different each time. */
  readonly unique: () => string;
}
