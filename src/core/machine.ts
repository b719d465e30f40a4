/** Clock and randomness, which tests replace. */
export interface Machine {
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Unguessable letters and digits, different each time. */
  readonly unique: () => string;
}
