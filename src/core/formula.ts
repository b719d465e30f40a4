/** Guards cells that a spreadsheet would execute as formulas, and restores them (OWASP, "CSV Injection"). */

/** First characters of a formula, including full-width forms. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** A formula after apostrophes. It gets one more, so that removing one always restores the original. */
const MAY_BE_GUARDED = /^'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Adds an apostrophe to a text that a spreadsheet would compute, so that it shows the text. */
export const guardFormula = (text: string): string =>
  FORMULA.test(text) || MAY_BE_GUARDED.test(text) ? `'${text}` : text;

/** Removes the apostrophe that `guardFormula` added. */
export const unguardFormula = (text: string): string => (MAY_BE_GUARDED.test(text) ? text.slice(1) : text);
