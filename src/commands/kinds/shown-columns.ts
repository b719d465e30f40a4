/** The columns of a list that an update cannot set: their cells must be as the service shows the item. */
import type { Column } from '../../bulk/row-command.js';
import type { Values } from '../../cli/command.js';
import type { Field } from '../../contract/vocabulary.js';
import { excerpt } from '../../core/clean-text.js';
import type { Problem } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import { shellLine } from '../../core/shell.js';
import { didYouMean } from '../../core/suggest.js';
import { forTable } from '../../output/sanitize.js';
import { fieldNames, valueReader } from '../../output/select/fields.js';
import { cellText } from '../../output/writers/records.js';

/** Beginning of the name of a shown column's value, which no flag has. */
const SHOWN = 'shown ';

const FACTS = { description: '', unlisted: true } as const;

/** A column that is compared with the items of a list. */
export const comparedColumn = (name: string): Column => ({
  ...FACTS,
  name: `${SHOWN}${name}`,
  spellings: [name],
  form: 'shown',
  // The files of creates have it, by name, too; lists have its ID in a column `organization.id`.
  refersTo: name === 'organization' ? name : undefined,
  read: (cell) => ({ value: cell }),
});

/** A column that is left out, with a warning. */
export const ignoredColumn = (name: string): Column => ({
  ...FACTS,
  name,
  isShown: true,
  read: () => ({ wrong: 'is not read' }),
});

/** True if a row has cells that are only compared. */
export const hasShown = (values: Values): boolean => Object.keys(values).some((name) => name.startsWith(SHOWN));

const MAX_TEXT = 40;

/** An object stands for its ID: in a JSON list, and in a column such as `organization` of a create. */
const idOf = (value: unknown): unknown => (isObject(value) ? valueReader(['id'])(value) : value);

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

/** What a cell says: spreadsheets write other line breaks and blanks than the service. */
const plain = (text: string): string => text.normalize('NFC').replace(/\s+/g, '');

/** Spreadsheets write TRUE for true, and tsv escapes line breaks, backslashes and a leading quote. */
const isSame = (is: string, was: string, value: unknown): boolean =>
  [was, forTable(was)].some((form) => plain(is) === plain(form)) ||
  (typeof value === 'boolean' && is.toLowerCase() === was);

/** @returns a problem for each cell that differs from the item, and the fields that the response does not contain */
export function compareShown(shape: Field, values: Values, present: unknown) {
  const edited: Problem[] = [];
  const unseen: string[] = [];
  const known = new Set(fieldNames(shape));
  for (const [column, cell] of Object.entries(values)) {
    if (!column.startsWith(SHOWN) || cell === undefined) continue;
    const name = column.slice(SHOWN.length);
    const value = valueReader(name.split('.'))(present);
    const parts = (Array.isArray(value) ? value : [value]).map(idOf);
    if (parts.length > 0 && parts.every((one) => one === undefined)) {
      if (known.has(name)) unseen.push(name);
      else {
        const hint = didYouMean(name, [...known]) ?? `To leave it out, add ${shellLine('--ignore', name)}`;
        edited.push({ where: column, message: `is neither a column of this command nor a field of the item. ${hint}` });
      }
      continue;
    }
    const text = typeof cell === 'object' ? cell.join(';') : String(cell);
    const isListed = typeof cell === 'object' || isObject(value);
    const expected = isListed ? parts.filter((one) => !isBlank(one)).join(';') : cellText(value);
    if (isSame(text, expected, value)) continue;
    const [is, was] = [text, expected].map((one) => JSON.stringify(excerpt(one, MAX_TEXT)));
    const remedy = `Write that, or leave the column out: ${shellLine('--ignore', name)}`;
    edited.push({
      where: column,
      message: `is ${is}, but the service shows ${was}, and this command cannot change it. ${remedy}`,
    });
  }
  return { edited, unseen };
}
