/** The interface of prompts, which use stderr so that stdout stays data. */
export interface Choice<T> {
  readonly name: string;
  readonly value: T;
  readonly description?: string | undefined;
}

export interface TextQuestion {
  readonly message: string;
  readonly default?: string | undefined;
  /** True, or what is wrong with the answer. */
  readonly validate?: ((text: string) => true | string) | undefined;
}

export interface Prompt {
  /** A yes or no; `no` is the default. */
  confirm(message: string): Promise<boolean>;
  text(question: TextQuestion): Promise<string>;
  /** Text that is not shown while it is typed. */
  secret(question: TextQuestion): Promise<string>;
  select<T>(message: string, choices: readonly Choice<T>[]): Promise<T>;
  selectSeveral<T>(message: string, choices: readonly Choice<T>[], minCount: number): Promise<readonly T[]>;
}
