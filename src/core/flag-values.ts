/** The parsed values of flags and arguments. */
import { readBoolean } from './boolean.js';
import { usageError } from './errors.js';
import type { Env } from './io.js';
import { either } from './plural.js';

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

/** The environment variables of switches. */
const VARIABLES = {
  offline: 'EDU_OFFLINE',
  'no-input': 'EDU_NO_INPUT',
  plain: 'EDU_PLAIN',
  debug: 'EDU_DEBUG',
} as const;

/** The value of a variable, which of EDU_DEBUG may also be `json`; undefined for another word. */
const readVariable = (variable: string, text: string): boolean | 'json' | undefined =>
  variable === VARIABLES.debug && /^\s*json\s*$/i.test(text) ? 'json' : readBoolean(text);

/**
 * The value of a switch: of its flag or, without the flag, of its environment variable. `--plain=false` wins over
 * EDU_PLAIN=1. A variable that `checkVariables` refuses is off, so that its error can be printed.
 */
export const switchOf = (values: Values, name: keyof typeof VARIABLES, env: Env): Value =>
  values[name] ?? readVariable(VARIABLES[name], env[VARIABLES[name]] ?? '') ?? false;

/** @throws EduError `usage` for a variable of a switch, not overruled by its flag, that is neither on nor off */
export function checkVariables(values: Values, env: Env): void {
  for (const [name, variable] of Object.entries(VARIABLES)) {
    const text = env[variable]?.trim() ?? '';
    if (values[name] !== undefined || text === '' || readVariable(variable, text) !== undefined) continue;
    const words = either(['1', '0', ...(variable === VARIABLES.debug ? ['json'] : [])]);
    throw usageError(`${variable} must be ${words}, not ${JSON.stringify(text)}.`);
  }
}
