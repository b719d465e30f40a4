/** Reads the columns of the program's own files: the outcome of a row (`edu_` columns), and the item of a write by ID. */

import { ColumnMap } from '../../core/table/columns.js';
import { isHeader, isOwnColumn, plainName } from '../../core/table/headers.js';
import type { Input } from '../../core/table/open-table.js';
import type { InputRow } from '../../core/table/rows.js';
import type { Value, Values, Verb } from '../row-command.js';

export interface OwnCells {
  readonly id: string | undefined;
  readonly code: string | undefined;
  /** Number of equal rows before it in the input of the job that wrote the file. */
  readonly equal: number | undefined;
  /** True if the create succeeded: by its status, or by its ID if the file has no status column. */
  readonly isMade: boolean;
  /** True if the create found another item with the row's key, whose ID the row has. */
  readonly isInConflict: boolean;
}

/** Reads the `edu_` columns of a row; undefined if all are empty. */
export function ownCells(names: readonly string[], row: InputRow): OwnCells | undefined {
  const cells = new Map<string, string>();
  for (const [place, cell] of row.cells.entries()) {
    const name = names[place] ?? '';
    if (isOwnColumn(name) && cell !== undefined) cells.set(plainName(name), String(cell).trim());
  }
  if (cells.size === 0) return undefined;
  const [id, code, status, equal = ''] = ['id', 'code', 'status', 'equal'].map((name) => cells.get(`edu${name}`));
  const hasStatus = names.some((name) => isHeader(name, 'edu_status'));
  const isMade = hasStatus ? status === 'created' || status === 'exists' : id !== undefined;
  const isInConflict = status === 'conflict';
  return { id, code, equal: /^\d{1,9}$/.test(equal) ? Number(equal) : undefined, isMade, isInConflict };
}

/** True if a command reads the item that it writes to from `edu_id` or `edu_code`. */
const takesThings = ({ creates }: Verb, names: readonly string[]): boolean =>
  !creates && names.some((name) => isHeader(name, 'edu_id') || isHeader(name, 'edu_code'));

/**
 * The argument that `edu_id` and `edu_code` name: the only one; of several the first that neither the command line nor a
 * column fills, nor its alternative.
 * @param isColumn whether the input has a column for an argument
 */
function argumentOf(verb: Verb, line: Readonly<Record<string, unknown>>, isColumn: (name: string) => boolean) {
  const [only, ...others] = verb.key;
  if (others.length === 0) return only;
  const isFilled = (name: string): boolean => line[name] !== undefined || isColumn(name);
  const groups = verb.alternatives.filter((names) => names.some(isFilled));
  return verb.key.find((name) => !isFilled(name) && !groups.some((names) => names.includes(name)));
}

/**
 * The argument that `id` names, of several: in a list of users, which have addresses, the user; in a list of items with
 * codes the item; else the same as `edu_id`.
 */
function argumentOfId(verb: Verb, line: Values, headers: readonly string[], isColumn: (name: string) => boolean) {
  if (verb.creates || verb.key.length === 1) return undefined;
  const [isOfUsers, isOfItems] = ['email', 'code'].map((key) => headers.some((header) => plainName(header) === key));
  if (isOfUsers === isOfItems) return argumentOf(verb, line, isColumn);
  return isOfUsers ? 'user' : verb.key[0];
}

/**
 * Maps the columns of an input to those of a command.
 * @param line values from the command line, for every row
 */
export const columnMap = (verb: Verb, line: Values, { format, reading, is1904 }: Partial<Input> = {}) =>
  new ColumnMap(verb.columns, reading, {
    isResults: (all) => takesThings(verb, all),
    meaningOfId: (all, isColumn) => argumentOfId(verb, line, all, isColumn),
    unknown: format === 'csv' ? undefined : verb.unknownColumn,
    is1904,
  });

const NAMES_ITEM = /^(licen[cs]e|user|class|subscription)(e?s)?(ids?)?$/;

/**
 * True if a column is for items of one kind, such as `user`: unlike `code`, `email` and `id` it never describes another
 * item, while `edu_id` may. The results of an assignment have the ID of the user, or of the class.
 */
export const namesItem = (header = ''): boolean => NAMES_ITEM.test(plainName(header));

/** The only argument that a column fills, if it is one such as `email`: `edu_id` names the same item. */
function describedArgument({ key }: Verb, headerOf: (name: string) => string | undefined) {
  const [only, ...others] = key.filter((name) => headerOf(name) !== undefined);
  return only === undefined || others.length > 0 || namesItem(headerOf(only)) ? undefined : only;
}

/**
 * The item that the `edu_` columns of a row name.
 * @param headerOf the header of the column for an argument, if the input has one
 * @param isForeign another command wrote the file, so only `edu_id` and `edu_code` name the item
 * @returns the argument to set, or to clear if its value is undefined; undefined if there is nothing to change
 */
export function thingOf(
  verb: Verb,
  line: Values,
  own: OwnCells | undefined,
  headerOf: (name: string) => string | undefined,
  isForeign: boolean,
): { readonly name: string; readonly value: Value | undefined; readonly also?: Value } | undefined {
  const name =
    argumentOf(verb, line, (one) => headerOf(one) !== undefined) ??
    (own?.id === undefined ? undefined : describedArgument(verb, headerOf));
  const column = verb.columns.find((one) => one.name === name);
  if (name === undefined || column === undefined) return undefined;
  const code = column.refersTo === 'licence' && own?.code !== undefined ? `code:${own.code}` : undefined;
  const text = own?.id ?? code;
  if (text === undefined) return verb.destroys && isForeign ? { name, value: undefined } : undefined;
  const also = own?.id === undefined || code === undefined ? {} : { also: column.many ? [code] : code };
  return { name, value: column.many ? [text] : text, ...also };
}
