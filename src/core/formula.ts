/** Escapes cells that a spreadsheet would take for formulas, and restores them (OWASP, "CSV Injection"). */

/** First characters of a formula, full-width forms included. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** The same behind apostrophes: these get one more, so that taking one away gives back what was written. */
const MAY_BE_DISARMED = /^'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** The text as a spreadsheet shows it instead of computing it: with an apostrophe before a formula. */
export const disarmed = (text: string): string =>
  FORMULA.test(text) || MAY_BE_DISARMED.test(text) ? `'${text}` : text;

/** What `disarmed` was given. */
export const rearmed = (text: string): string => (MAY_BE_DISARMED.test(text) ? text.slice(1) : text);
