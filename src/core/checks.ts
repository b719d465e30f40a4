/** Checks of parsed JSON from files that other programs may have written. The type of a value follows from its check. */
import { isObject } from './json.js';

export type Check<T> = (value: unknown) => value is T;

/** The type of the values that pass a check. */
export type Checked<C> = C extends Check<infer T> ? T : never;

type Checks = Readonly<Record<string, Check<unknown>>>;
type OptionalName<C extends Checks> = { [N in keyof C]: undefined extends Checked<C[N]> ? N : never }[keyof C];
type Members<C extends Checks> = { readonly [N in Exclude<keyof C, OptionalName<C>>]: Checked<C[N]> } & {
  readonly [N in OptionalName<C>]?: Checked<C[N]>;
};

export const isText: Check<string> = (value) => typeof value === 'string';
export const isBoolean: Check<boolean> = (value) => typeof value === 'boolean';
/** A whole number, 0 or more. */
export const isCount: Check<number> = (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

export const isOneOf =
  <const T>(choices: readonly T[]): Check<T> =>
  (value): value is T =>
    choices.some((choice) => choice === value);

export const orNull =
  <T>(check: Check<T>): Check<T | null> =>
  (value) =>
    value === null || check(value);

/** The member may be missing. */
export const optional =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value) =>
    value === undefined || check(value);

export const listOf =
  <T>(check: Check<T>): Check<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.every(check);

/** An object whose members with these names are valid. It may have others. */
export const objectOf =
  <C extends Checks>(checks: C): Check<Members<C>> =>
  (value): value is Members<C> =>
    isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]));

type Values<K extends string, T> = Readonly<string extends K ? Record<K, T> : Partial<Record<K, T>>>;

/** An object with any number of members. */
export const mapOf =
  <K extends string, T>(isName: Check<K>, check: Check<T>): Check<Values<K, T>> =>
  (value): value is Values<K, T> =>
    isObject(value) && Object.entries(value).every(([name, member]) => isName(name) && check(member));
