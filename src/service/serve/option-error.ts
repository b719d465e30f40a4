/** The error for an invalid option. */
export class OptionError extends TypeError {
  override readonly name = 'OptionError';
  /** What to write instead. */
  readonly hint: string;
  constructor(message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
  }
}

/** The error for a value that an option does not take. */
export const badOption = (name: string, value: unknown, hint: string, cause?: unknown): OptionError =>
  new OptionError(`${name} ${JSON.stringify(value) ?? String(value)} cannot be used`, hint, cause);
