/**
 * Keeps texts as they are in a spreadsheet, which reads `007` as a number, `12e5` as another, `1-2` as a date, and `=1+1`
 * as a formula to execute (OWASP, "CSV Injection"). A formula whose result is the text is shown as the text.
 */

/** A text with a digit may be a number, a date or a time in some language. Others begin like a formula, or are words for true and false. */
const CHANGED =
  /\d|^[=+\-@'\t\r\n\uff1d\uff0b\uff0d\uff20]|^(?:true|false|wahr|falsch|vrai|faux|vero|falso|verdadero|verdadeiro|waar|onwaar|истина|ложь)$/iu;

/** Writes a text that a spreadsheet would change as a formula: `="007"`. */
export const toTextFormula = (text: string): string => (CHANGED.test(text) ? `="${text.replaceAll('"', '""')}"` : text);

/** Returns the text of a formula that `toTextFormula` wrote; other texts unchanged. */
export const fromTextFormula = (text: string): string =>
  /^="(?:[^"]|"")*"$/.test(text) ? text.slice(2, -1).replaceAll('""', '"') : text;
