/** Finds the header of a table that begins with a title. */
import type { InputRow } from './rows.js';

/** Number of rows that are searched. */
const MAX_ROWS = 10;

/** The texts of a row. The delimiter was detected in the title, so the header may be a single cell. */
function textsOf({ cells }: InputRow): readonly string[] {
  const texts = cells.filter((cell) => cell !== undefined).map(String);
  const [only = '', ...others] = texts;
  return others.length > 0 ? texts : only.split(/[,;\t|]/).map((text) => text.replace(/^"|"$/g, ''));
}

/** @returns the line of the first row that consists of column names or has at least two; undefined if there is none */
export function misplacedHeader(rows: readonly InputRow[], isColumn: (name: string) => boolean): number | undefined {
  const isHeader = (row: InputRow): boolean => {
    const texts = textsOf(row).filter((text) => text.trim() !== '');
    const named = texts.filter(isColumn).length;
    return named > 0 && (named === texts.length || named > 1);
  };
  return rows.find((row) => row.number <= MAX_ROWS && isHeader(row))?.line;
}
