/** Reads a boolean of a cell or an environment variable, also in the words of spreadsheets. */

/** Excel writes booleans in its own language: those that the service has (service-api-v1.md, "General rules"). */
const YES = /^(true|yes|1|on|wahr|vrai|verdadero|vero|waar|verdadeiro|истина)$/;
const NO = /^(false|no|0|off|falsch|faux|falso|onwaar|ложь)$/;

/** Ignores case and surrounding spaces. @returns undefined for a text that is no boolean */
export function readBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  return YES.test(word) ? true : NO.test(word) ? false : undefined;
}

/** True if a variable of other programs is on, such as CI, which some systems set to their name. */
export const isSet = (value = ''): boolean => value.trim() !== '' && readBoolean(value) !== false;
