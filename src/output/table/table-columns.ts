/** Builds table columns from a shape: titles, cell texts, and priorities for narrow terminals. */
import type { Column as Described } from '../../contract/columns.js';
import type { Field } from '../../contract/vocabulary.js';
import { isObject } from '../../core/json.js';
import { escapedExcerpt } from '../sanitize.js';
import { fieldAt, fieldOf, sourcesOf, valueReader } from '../select/fields.js';
import { FORMATTERS, phrases, splitCamelCase } from './formatters.js';
import type { Measure } from './layout.js';

export interface Column extends Pick<Measure, 'minWidth' | 'rank' | 'rigid'> {
  readonly title: string;
  /** Width of the longest choice in the contract, because later pages may contain it. */
  readonly expected: number;
  readonly align: 'left' | 'right';
  /** Shown only with `--wide` and for single items. */
  readonly wide: boolean;
  /** Returns true if the service returned the item without the field. */
  readonly isAbsent: (item: unknown) => boolean;
  /** Formats an item's value as phrases; `detailed` if each phrase has a line of its own. */
  readonly format: (item: unknown, detailed: boolean) => readonly string[];
}

const MIN_WIDTH = 10;
/** In UTF-16 units. */
const MAX_TITLE = 100;
/** For fields without a column in the contract. */
const DEFAULT_RANK = 6;

const isId = (name: string): boolean => /^(id|code|ean)$|Id$|Code$/.test(name);
const isNumber = (field: Field | undefined): boolean => field?.kind === 'number' || field?.kind === 'integer';

function isRigid(name: string, field: Field | undefined): boolean {
  const kind = field?.kind ?? 'any';
  return isId(name) || field?.refersTo !== undefined || !['text', 'list', 'object', 'any', 'file'].includes(kind);
}

/** `maximumActivations` → `Maximum activations`. */
function titleOf(name: string): string {
  // Names use the API's spelling `license`, titles the British one. Unknown names come from the service.
  const words = splitCamelCase(escapedExcerpt(name, MAX_TITLE).replaceAll('.', ' ')).replace(/\blicense/g, 'licence');
  const title = words
    .replace(/\bemail\b/g, 'e-mail')
    .replace(/\b(id|ean|pdf|url)(s?)\b/g, (_, word: string, plural: string) => word.toUpperCase() + plural);
  return /^[a-z][A-Z]/.test(title) ? title : title.charAt(0).toUpperCase() + title.slice(1);
}

const topOf = (path: string): string => path.split('.', 1)[0] ?? '';

function formatterOf({ from, as, count }: Described): Column['format'] {
  if (as !== undefined) return FORMATTERS[as];
  const read = valueReader((typeof from === 'string' ? from : from.join('.')).split('.'));
  return (item, detailed) => {
    const value = read(item);
    if (count === true && !detailed) return Array.isArray(value) ? [String(value.length)] : [];
    return phrases(value, detailed);
  };
}

function describedColumn(column: Described, shape: Field): Column {
  const [name = ''] = sourcesOf(column);
  const field = fieldAt(shape, name.split('.'));
  const isComputed = column.as !== undefined && column.as !== 'person';
  return {
    title: column.title,
    rank: column.rank,
    rigid: column.rank === 0 || column.rigid === true || isComputed || column.count === true || isRigid(name, field),
    minWidth: column.minWidth ?? MIN_WIDTH,
    expected:
      column.as === undefined ? Math.max(0, ...(field?.choices ?? []).map((choice) => String(choice).length)) : 0,
    align: isNumber(field) || column.count === true ? 'right' : 'left',
    wide: column.wide === true,
    isAbsent: (item) => isObject(item) && sourcesOf(column).every((path) => !(topOf(path) in item)),
    format: formatterOf(column),
  };
}

const defaultColumn = (name: string): Described => ({
  title: titleOf(name),
  from: name,
  rank: name === 'id' ? 0 : DEFAULT_RANK,
});

/** The only column of a list of plain values. */
const VALUE: Column = {
  ...describedColumn({ title: 'Value', from: '', rank: 0 }, fieldOf('any')),
  isAbsent: () => false,
  format: phrases,
};

/**
 * @param shape the items' shape, known or inferred
 * @param names the requested fields in order; default: the resource's own columns
 */
export function tableColumns(shape: Field, names?: readonly string[]): Column[] {
  if (shape.fields === undefined && names === undefined) return [VALUE];
  const described = shape.columns ?? [];
  if (names !== undefined) {
    return names.map((name, position) => {
      const column = describedColumn(
        described.find(({ from, title }) => from === name || title === name) ?? defaultColumn(name),
        shape,
      );
      // The requested order is the order of importance.
      return { ...column, rank: column.rank === 0 ? 0 : position, wide: false };
    });
  }
  const present = described.filter((column) => sourcesOf(column).every((name) => fieldAt(shape, name.split('.'))));
  const shown = new Set(present.flatMap(sourcesOf));
  const others = Object.keys(shape.fields ?? {}).filter((name) => !shown.has(name));
  return [...present, ...others.map(defaultColumn)].map((column) => describedColumn(column, shape));
}

/** The columns of a single item: responses differ in their fields, and one that is absent has no line. */
export const columnsOf = (item: unknown, shape: Field, names?: readonly string[]): Column[] =>
  tableColumns(shape, names).filter(({ isAbsent }) => !isAbsent(item));
