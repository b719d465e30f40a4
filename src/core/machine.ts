/** Time and chance, which come in from outside. */
export interface Machine {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Letters and digits that nobody can guess, different each time. */
  readonly unique: () => string;
}
