/**
 * Checks of parsed JSON from files that other programs may have written. The type of a value follows from its check, and
 * so does the JSON Schema that describes it.
 */
import { isObject } from './json.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Check<T> {
  (value: unknown): value is T;
  /** Any value by default. */
  readonly schema?: JsonSchema;
  /** True if a member of an object may be missing. */
  readonly isOptional?: true;
}

/** The type of the values that pass a check. */
export type Checked<C> = C extends Check<infer T> ? T : never;

type Checks = Readonly<Record<string, Check<unknown>>>;
type OptionalName<C extends Checks> = { [N in keyof C]: undefined extends Checked<C[N]> ? N : never }[keyof C];
type Members<C extends Checks> = { readonly [N in Exclude<keyof C, OptionalName<C>>]: Checked<C[N]> } & {
  readonly [N in OptionalName<C>]?: Checked<C[N]>;
};

export const schemaOf = ({ schema = {} }: Pick<Check<unknown>, 'schema'>): JsonSchema => schema;

/** @param schema the JSON Schema of the values that pass the test, or of more values */
export const checkOf = <T>(schema: JsonSchema, test: (value: unknown) => value is T): Check<T> =>
  Object.assign((value: unknown): value is T => test(value), { schema });

/** The same check with a description in its schema. */
export const described = <T>(description: string, check: Check<T>): Check<T> =>
  Object.assign((value: unknown): value is T => check(value), {
    ...check,
    schema: { description, ...schemaOf(check) },
  });

export const isText = checkOf({ type: 'string' }, (value): value is string => typeof value === 'string');
export const isBoolean = checkOf({ type: 'boolean' }, (value): value is boolean => typeof value === 'boolean');
/** A whole number, 0 or more. */
export const isCount = checkOf(
  { type: 'integer', minimum: 0 },
  (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
);

/** A number counted from 1. */
export const isPosition = checkOf(
  { type: 'integer', minimum: 1 },
  (value): value is number => isCount(value) && value >= 1,
);

export const isOneOf = <const T>(choices: readonly T[]): Check<T> =>
  checkOf({ enum: choices }, (value): value is T => choices.some((choice) => choice === value));

export const orNull = <T>(check: Check<T>): Check<T | null> =>
  checkOf({ anyOf: [schemaOf(check), { type: 'null' }] }, (value) => value === null || check(value));

/** The member may be missing. */
export const optional = <T>(check: Check<T>): Check<T | undefined> =>
  Object.assign(
    checkOf(schemaOf(check), (value): value is T | undefined => value === undefined || check(value)),
    {
      isOptional: true as const,
    },
  );

export const listOf = <T>(check: Check<T>): Check<readonly T[]> =>
  checkOf(
    { type: 'array', items: schemaOf(check) },
    (value): value is readonly T[] => Array.isArray(value) && value.every(check),
  );

/** An object whose members with these names are valid. It may have others. */
export const objectOf = <C extends Checks>(checks: C): Check<Members<C>> => {
  const members = Object.entries(checks);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, check]) => [name, schemaOf(check)])),
    required: members.filter(([, { isOptional }]) => isOptional !== true).map(([name]) => name),
  };
  return checkOf(
    schema,
    (value): value is Members<C> => isObject(value) && members.every(([name, check]) => check(value[name])),
  );
};

type Values<K extends string, T> = Readonly<string extends K ? Record<K, T> : Partial<Record<K, T>>>;

/** An object with any number of members. */
export const mapOf = <K extends string, T>(isName: Check<K>, check: Check<T>): Check<Values<K, T>> =>
  checkOf(
    { type: 'object', propertyNames: schemaOf(isName), additionalProperties: schemaOf(check) },
    (value): value is Values<K, T> =>
      isObject(value) && Object.entries(value).every(([name, member]) => isName(name) && check(member)),
  );
