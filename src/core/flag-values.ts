/** The parsed values of flags and arguments. */
import { isSet } from './io.js';

export type Value = string | number | boolean | readonly string[];
/** Values by flag or argument name; absent if the user did not give one. */
export type Values = Readonly<Record<string, Value | undefined>>;

/** The text of a flag or argument; undefined if there is none. */
export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The number given for a flag, or undefined. */
export function numberOf(values: Values, name: string): number | undefined {
  const value = values[name];
  return typeof value === 'number' ? value : undefined;
}

/** The number of a percentage: 25 for `25%`; undefined if there is none. */
export function percentOf(values: Values, name: string): number | undefined {
  const text = textOf(values, name);
  return text === undefined ? undefined : Number.parseFloat(text);
}

/** The texts of a repeatable flag or argument; empty if there are none. */
export function textsOf(values: Values, name: string): readonly string[] {
  const value = values[name];
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [String(value)];
}

export const isOn = (values: Values, name: string): boolean => values[name] === true;

/** True if a flag is given; `--flag=false` is none. */
export const isGiven = (values: Values, name: string): boolean => values[name] !== undefined && values[name] !== false;

/** True if a switch is on by its flag or, without the flag, by its environment variable. `--plain=false` wins over EDU_PLAIN=1. */
export const isOnOrSet = (values: Values, name: string, variable: string | undefined): boolean =>
  values[name] === undefined ? isSet(variable) : isOn(values, name);
