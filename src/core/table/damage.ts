/** Recognizes cells that a spreadsheet or a wrong encoding has damaged. */

/** The text of a cell whose formula no spreadsheet program has computed. */
export const UNCOMPUTED = '#FORMULA!';

/**
 * Errors of formulas. Spreadsheets write them in the user's language: `#VALUE!`, `#¡VALOR!`, `#ЗНАЧ!`, `#NAME?`, `#DEEL/0!`,
 * `#N/A`, `#Н/Д`, `#NV`, `#GETTING_DATA`; LibreOffice also `Err:502`.
 */
const FORMULA_ERROR =
  /^(#[¡¿]?\p{Lu}[\p{Lu}\d_/]*[!?]|#\p{Lu}\/\p{Lu}|#NV|#\p{Lu}+(_\p{Lu}+)+|(Err|Error|Erreur|Errore|Erro|Fehler|Fout|Ошибка)\s?:5\d\d)$/u;

/** A long number as spreadsheets show it: its last digits are gone. */
const CUT_NUMBER = /^-?\d([.,]\d+)?E\+\d{2,3}$/;

/** U+FFFD replaces bytes that could not be decoded; C1 controls are what a wrong encoding makes of typographic marks. */
const WRONG_CHARACTER = /[\u0080-\u009f\ufffd]/;

/** Most cells are whole; only these are checked one by one. */
const SUSPECT = /^#|:5|E\+|[\u0080-\u009f\ufffd]/;

/** The problem of a damaged cell, as the end of a sentence; undefined if there is none. */
export function damageOf(cell: string): string | undefined {
  if (!SUSPECT.test(cell)) return undefined;
  if (cell === UNCOMPUTED)
    return 'contains a formula that was never computed. Open the file in the spreadsheet program and save it';
  if (FORMULA_ERROR.test(cell)) return `is ${cell}, which a spreadsheet writes where a formula failed`;
  if (/^#{3,}$/.test(cell)) return `is ${cell}, which a spreadsheet writes for a number wider than its column`;
  if (CUT_NUMBER.test(cell))
    return `is ${cell}: a spreadsheet has cut the number. Format the column as text and fill it in again`;
  const wrong = WRONG_CHARACTER.exec(cell)?.[0];
  if (wrong === undefined) return undefined;
  const code = wrong.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `contains the character U+${code}, which is left when a file is read in the wrong encoding. See --encoding`;
}
