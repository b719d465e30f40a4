/** The parsed values of flags and arguments. */

/** Text, number, switch, or several texts. */
export type Value = string | number | boolean | readonly string[];
/** By flag or argument name. What the user did not give is not there. */
export type Values = Readonly<Record<string, Value | undefined>>;

/** The text given for a flag or argument, or undefined. */
export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The texts given for a flag or argument that may be repeated; empty when none was given. */
export function textsOf(values: Values, name: string): readonly string[] {
  const value = values[name];
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [String(value)];
}

export const isOn = (values: Values, name: string): boolean => values[name] === true;
