/** Prompts, which use stderr so that stdout stays data. */
import { EduError } from '../../core/errors.js';
import { fold } from '../../core/fold.js';

export interface Choice<T> {
  readonly name: string;
  readonly value: T;
  /** Stays behind what a search finds, such as another way to answer. */
  readonly isAlways?: boolean;
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
  /** @param preset the value that Enter selects, if there is such a choice */
  select<T>(message: string, choices: readonly Choice<T>[], preset?: T): Promise<T>;
  selectSeveral<T>(message: string, choices: readonly Choice<T>[], minCount: number): Promise<readonly T[]>;
}

export interface Asking {
  /** Aborts a prompt when the program is interrupted. */
  readonly signal: AbortSignal;
  /** Runs a question while no progress is drawn (`Progress.suspend`). */
  readonly suspend: <T>(question: () => Promise<T>) => Promise<T>;
  /** Default: stdin. */
  readonly input?: NodeJS.ReadableStream | undefined;
  /** Default: stderr. */
  readonly output?: (NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number }) | undefined;
}

/** The choices whose name contains a text, by the rule of `--search`. */
export function choicesWith<C extends Choice<unknown>>(choices: readonly C[], text: string): C[] {
  const word = fold(text);
  const found = choices.filter(({ name, isAlways }) => isAlways !== true && fold(name).includes(word));
  return [...found, ...choices.filter(({ isAlways }) => isAlways === true)];
}

export const interrupted = (): EduError => new EduError('interrupted', 'Interrupted. Nothing was sent.');
