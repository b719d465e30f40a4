/** Guards cells that a spreadsheet would execute as formulas, and restores them (OWASP, "CSV Injection"). */

/**
 * The beginning of a formula, including full-width forms, also after apostrophes: it gets one more, so that removing one
 * always restores the original.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Adds an apostrophe to a text that a spreadsheet would compute, so that it shows the text. */
export const guardFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Removes the apostrophe that `guardFormula` added. */
export const unguardFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
