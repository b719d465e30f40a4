/** Compares headers of a file with columns of a command, and applies `--map`. */
import { usageError } from '../../core/errors.js';
import { getOrSet } from '../../core/maps.js';
import { didYouMean } from '../../core/suggest.js';
import type { Column, Verb } from '../row-command.js';
import { dateReader } from './cell-forms.js';
import type { Reading } from './rows.js';

const lower = (text: string): string => text.trim().normalize('NFC').toLowerCase();

/** `Maximum Activations`, `maximum_activations` and `maximumActivations` are one name. */
export const plainName = (name: string): string => lower(name).replace(/[^\p{L}\p{N}]/gu, '');

/** Compares a header with a flag's text, ignoring case and surrounding spaces. */
export const isHeader = (header: string, given: string): boolean => lower(header) === lower(given);

/** Splits `Gültig bis=until` at the last `=`, because the header may contain one. */
export function splitMapping(text: string): { readonly header: string; readonly column: string } {
  const at = text.lastIndexOf('=');
  if (at < 0) return { header: text.trim(), column: '' };
  return { header: text.slice(0, at).trim(), column: text.slice(at + 1).trim() };
}

/** Whether a header means a column: by its own name, or by `--map`. */
export function meansColumn(header: string, column: string, { map = [] }: Reading): boolean {
  const mapping = map.map(splitMapping).find((one) => isHeader(header, one.header));
  return plainName(mapping?.column ?? header) === plainName(column);
}

export function columnsByName(columns: readonly Column[]): ReadonlyMap<string, Column> {
  const known = new Map<string, Column>();
  for (const column of columns)
    for (const name of [column.name, ...column.spellings]) getOrSet(known, plainName(name), () => column);
  return known;
}

/** Checks what can be checked before the file is opened. @throws a usage error that names the flag and its value */
export function checkReading({ map = [], ignore = [], dateFormat }: Reading, verb: Verb): void {
  const known = columnsByName(verb.columns);
  const names = verb.columns.filter(({ unlisted }) => !unlisted).map(({ name }) => name);
  const targets = new Map<Column, string>();
  const headers: string[] = [];
  for (const text of map) {
    const { header, column: wanted } = splitMapping(text);
    const flag = `--map ${JSON.stringify(text)}`;
    if (header === '' || wanted === '') throw usageError(`${flag} must be HEADER=COLUMN, such as "Valid until=until".`);
    if (headers.some((before) => isHeader(before, header)))
      throw usageError(`--map reads the column ${JSON.stringify(header)} twice.`);
    if (ignore.some((given) => isHeader(header, given)))
      throw usageError(`--ignore leaves out the column ${JSON.stringify(header)}, which --map reads. Use only one.`);
    headers.push(header);
    const column = known.get(plainName(wanted));
    if (column === undefined) {
      const hint = didYouMean(wanted, names) ?? `The columns are ${names.join(', ')}.`;
      throw usageError(`${flag}: there is no column ${JSON.stringify(wanted)}.`, hint);
    }
    const before = JSON.stringify(targets.get(column));
    if (before !== undefined)
      throw usageError(`--map fills ${column.name} twice: from ${before} and ${JSON.stringify(header)}.`);
    targets.set(column, header);
  }
  if (dateFormat !== undefined) dateReader(dateFormat);
}
