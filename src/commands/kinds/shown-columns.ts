/** The columns of a list that an update cannot set: their cells must be as the service shows the item. */
import type { Column } from '../../bulk/row-command.js';
import type { Values } from '../../cli/command.js';
import type { Field } from '../../contract/vocabulary.js';
import { excerpt } from '../../core/clean-text.js';
import type { Problem } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import { shellLine } from '../../core/shell.js';
import { fieldNames, valueAt } from '../../output/select/fields.js';
import { cellText } from '../../output/writers/records.js';

/** Beginning of the name of a shown column's value, which no flag has. */
const SHOWN = 'shown ';

const FACTS = { description: '', required: false, many: false, refersTo: undefined, unlisted: true } as const;

/** Columns that are compared with the items of a list. */
export const comparedColumns = (shape: Field): readonly Column[] =>
  fieldNames(shape).map((name) => ({
    ...FACTS,
    name: `${SHOWN}${name}`,
    spellings: [name],
    form: 'shown',
    read: (cell) => ({ value: cell }),
  }));

/** Columns that are left out, with a warning. */
export const ignoredColumns = (shapes: readonly Field[]): readonly Column[] =>
  [...new Set(shapes.flatMap((shape) => fieldNames(shape)))].map((name) => ({
    ...FACTS,
    name,
    form: undefined,
    isShown: true,
    read: () => ({ wrong: 'is not read' }),
  }));

/** Divides the values of a row into those of flags and arguments, and those of shown columns, by their names in a list. */
export function splitShown(values: Values): { readonly given: Values; readonly shown: Values } {
  const entries = Object.entries(values);
  const isShown = ([name]: (typeof entries)[number]): boolean => name.startsWith(SHOWN);
  return {
    given: Object.fromEntries(entries.filter((entry) => !isShown(entry))),
    shown: Object.fromEntries(entries.filter(isShown).map(([name, value]) => [name.slice(SHOWN.length), value])),
  };
}

const MAX_TEXT = 40;

/** A JSON list shows the IDs of objects. */
const idOf = (value: unknown): unknown => (isObject(value) ? valueAt(value, ['id']) : value);

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

/** What a cell says: spreadsheets write other line breaks and blanks than the service. */
const plain = (text: string): string => text.normalize('NFC').replace(/\s+/g, '');

/** Spreadsheets write TRUE for true. */
const isSame = (is: string, was: string, value: unknown): boolean =>
  plain(is) === plain(was) || (typeof value === 'boolean' && is.toLowerCase() === was);

/**
 * Compares the cells of a row with the item that the service shows.
 * @param shape of the items of a list
 * @param shown the cells by the names of their fields
 * @returns a problem for each cell that differs, and the fields that the response does not contain
 */
export function compareShown(shape: Field, shown: Values, present: unknown) {
  const edited: Problem[] = [];
  const unseen: string[] = [];
  for (const name of fieldNames(shape)) {
    const cell = shown[name];
    if (cell === undefined) continue;
    const value = valueAt(present, name.split('.'));
    const values = (Array.isArray(value) ? value : [value]).map(idOf);
    if (values.length > 0 && values.every((one) => one === undefined)) {
      unseen.push(name);
      continue;
    }
    const text = typeof cell === 'object' ? cell.join(';') : String(cell);
    const expected = typeof cell === 'object' ? values.filter((one) => !isBlank(one)).join(';') : cellText(value);
    if (isSame(text, expected, value)) continue;
    const [is, was] = [text, expected].map((one) => JSON.stringify(excerpt(one, MAX_TEXT)));
    const remedy = `Write that, or leave the column out: ${shellLine('--ignore', name)}`;
    edited.push({
      where: `${SHOWN}${name}`,
      message: `is ${is}, but the service shows ${was}, and this command cannot change it. ${remedy}`,
    });
  }
  return { edited, unseen };
}
