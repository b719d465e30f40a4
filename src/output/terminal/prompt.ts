/** The interface of prompts, which use stderr so that stdout stays data. */
export interface Choice<T> {
  readonly name: string;
  readonly value: T;
}

export interface TextQuestion {
  readonly message: string;
  readonly default?: string | undefined;
  /** Returns true, or the problem with the answer. */
  readonly validate?: ((text: string) => true | string) | undefined;
}

export interface Prompt {
  /** A yes-or-no question; default no. */
  confirm(message: string): Promise<boolean>;
  text(question: TextQuestion): Promise<string>;
  /** The typed text is not shown. */
  secret(question: TextQuestion): Promise<string>;
  select<T>(message: string, choices: readonly Choice<T>[]): Promise<T>;
  selectSeveral<T>(message: string, choices: readonly Choice<T>[], minCount: number): Promise<readonly T[]>;
}
