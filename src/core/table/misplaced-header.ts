/** Finds the header of a table that begins with a title. */
import { shellLine } from '../shell.js';
import type { ColumnMap, TableColumn } from './columns.js';
import type { InputRow, Rows } from './rows.js';

/** Number of rows that are searched. */
const MAX_ROWS = 10;

/** The texts of a row. The delimiter was detected in the title, so the header may be a single cell. */
function textsOf({ cells }: InputRow): readonly string[] {
  const texts = cells.filter((cell) => cell !== undefined).map(String);
  const [only = '', ...others] = texts;
  return others.length > 0 ? texts : only.split(/[,;\t|]/).map((text) => text.replace(/^"|"$/g, ''));
}

/**
 * Looks among rows for the header of a table that has no known column: a row of column names.
 * @param min number of column names in a header that has other names, too
 * @returns the only problem to report of the table, because all others follow from it; undefined if there is none
 */
export function misplacedHeader(
  { format }: Pick<Rows, 'format'>,
  rows: readonly InputRow[],
  map: Pick<ColumnMap<TableColumn>, 'isStrange' | 'isColumn'>,
  min = 2,
): string | undefined {
  if (format !== 'csv' || !map.isStrange) return undefined;
  const isHeader = (row: InputRow): boolean => {
    const texts = textsOf(row).filter((text) => text.trim() !== '');
    const named = texts.filter((text) => map.isColumn(text)).length;
    return named > 0 && (named === texts.length || named >= min);
  };
  const line = rows.find((row) => row.number <= MAX_ROWS && isHeader(row))?.line;
  if (line === undefined) return undefined;
  const flag = shellLine('--header-row', String(line));
  return `the header seems to be in line ${line}. Remove the lines before it, or add ${flag} for a single file`;
}
