/** Compares headers of a file with names of columns, and applies `--map`. */
import type { Reading } from './rows.js';

const lower = (text: string): string => text.trim().normalize('NFC').toLowerCase();

/** `Maximum Activations`, `maximum_activations` and `maximumActivations` are one name. */
export const plainName = (name: string): string => lower(name).replace(/[^\p{L}\p{N}]/gu, '');

/** Compares a header with a flag's text, ignoring case and surrounding spaces. */
export const isHeader = (header: string, given: string): boolean => lower(header) === lower(given);

/** Splits `Gültig bis=until` at the last `=`, because the header may contain one. */
export function splitMapping(text: string): { readonly header: string; readonly column: string } {
  const [, header = '', column = ''] = /^(.*)=(.*)$/s.exec(text) ?? [];
  return { header: header.trim(), column: column.trim() };
}

/** Splits `Klasse=5a` or `Klasse!=5a` of `--where` at the first `=`, because the value may contain one. */
export function conditionOf(text: string) {
  const [, header = '', not = '', value = ''] = /^([^=]*?)(!?)=(.*)$/s.exec(text) ?? [];
  return { header: header.trim(), isNot: not !== '', value: value.trim() };
}

/** True if a column is one that the program writes beside data: `edu_id`, `edu_status`. No reader has such columns. */
export const isOwnColumn = (header: string): boolean => /^edu_/i.test(header.trim());

/**
 * True if a line is before the header. That of `--failed`, which is read again with the same flags, is in the first line.
 * @param headerRow the line of `--header-row`
 */
export const isAboveHeader = (line: number, cells: readonly (string | undefined)[], headerRow = 1): boolean =>
  line < headerRow && !cells.some((cell = '') => isOwnColumn(cell));

/** True if a header means a column: by its own name, or by `--map`. */
export function meansColumn(header: string, column: string, { map = [] }: Reading): boolean {
  const mapping = map.map(splitMapping).find((one) => isHeader(header, one.header));
  return plainName(mapping?.column ?? header) === plainName(column);
}
