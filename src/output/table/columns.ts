/** Builds table columns from those of a shape: titles, cell texts, and priorities for narrow terminals. */
import type { Column as Described } from '../../contract/columns.js';
import type { Field } from '../../contract/vocabulary.js';
import { excerpt } from '../sanitize.js';
import { fieldAt, valueAt } from '../select/fields.js';
import { inWords, phrases, SAYINGS } from './people.js';

export interface Column {
  readonly title: string;
  /** 0 is never left out; the highest goes first. */
  readonly rank: number;
  /** Ids, codes, numbers, dates: worth nothing when cut. */
  readonly rigid: boolean;
  /** Terminal cells that it keeps when it must be cut. */
  readonly minWidth: number;
  /** Cells of the longest value that the contract knows of: later pages may bring it. */
  readonly expected: number;
  readonly align: 'left' | 'right';
  /** Only in wide tables and for single items. */
  readonly wide: boolean;
  /** What it says of an item, as phrases; `detailed` where each gets a line of its own. */
  readonly say: (item: unknown, detailed: boolean) => readonly string[];
}

const MIN_WIDTH = 10;
/** UTF-16 units of a field's name that are shown as a title. */
const MAX_TITLE = 100;
/** Rank of a field without a column in the contract. */
const UNRANKED = 6;

const isId = (name: string): boolean => /^(id|code|ean)$|Id$|Code$/.test(name);
const isNumber = (field: Field | undefined): boolean => field?.kind === 'number' || field?.kind === 'integer';

function isRigid(name: string, field: Field | undefined): boolean {
  const kind = field?.kind ?? 'any';
  return isId(name) || field?.refersTo !== undefined || !['text', 'list', 'object', 'any', 'file'].includes(kind);
}

/** `maximumActivations` → `Maximum activations`, `activatedLicensesIds` → `Activated licences IDs`. */
function titleOf(name: string): string {
  // The API's spelling is for names; people read prose. Where no shape is known, names come from the service.
  const words = inWords(excerpt(name, MAX_TITLE).replaceAll('.', ' ')).replace(/\blicense/g, 'licence');
  const title = words.replace(
    /\b(id|ean|pdf|url)(s?)\b/g,
    (_, word: string, plural: string) => word.toUpperCase() + plural,
  );
  return title.charAt(0).toUpperCase() + title.slice(1);
}

const sources = ({ from }: Described): readonly string[] => (typeof from === 'string' ? [from] : from);

function say({ from, as, count }: Described): Column['say'] {
  if (as !== undefined) return SAYINGS[as];
  const path = (typeof from === 'string' ? from : from.join('.')).split('.');
  return (item, detailed) => {
    const value = valueAt(item, path);
    if (count === true && !detailed) return Array.isArray(value) ? [String(value.length)] : [];
    return phrases(value, detailed);
  };
}

function viewed(column: Described, shape: Field): Column {
  const [name = ''] = sources(column);
  const field = fieldAt(shape, name.split('.'));
  const isMade = column.as !== undefined && column.as !== 'person';
  return {
    title: column.title,
    rank: column.rank,
    rigid: column.rank === 0 || column.rigid === true || isMade || column.count === true || isRigid(name, field),
    minWidth: column.minWidth ?? MIN_WIDTH,
    expected:
      column.as === undefined ? Math.max(0, ...(field?.choices ?? []).map((choice) => String(choice).length)) : 0,
    align: isNumber(field) || column.count === true ? 'right' : 'left',
    wide: column.wide === true,
    say: say(column),
  };
}

function unviewed(name: string, shape: Field): Column {
  const column = { title: titleOf(name), from: name, rank: name === 'id' ? 0 : UNRANKED };
  return viewed(column, shape);
}

/** The one column of a list of plain values. */
const VALUE: Column = {
  title: 'Value',
  rank: 0,
  rigid: true,
  minWidth: MIN_WIDTH,
  expected: 0,
  align: 'left',
  wide: false,
  say: phrases,
};

/**
 * The columns of a table.
 * @param shape the items' shape, known or inferred
 * @param names the fields asked for, in order; the resource's own columns if left out
 */
export function tableColumns(shape: Field, names?: readonly string[]): Column[] {
  if (shape.fields === undefined && names === undefined) return [VALUE];
  const described = shape.columns ?? [];
  if (names !== undefined) {
    // The order asked for is the order of importance.
    return names.map((name, position) => {
      const column = described.find(({ from }) => from === name);
      const { rank, ...rest } = column === undefined ? unviewed(name, shape) : viewed(column, shape);
      return { ...rest, rank: rank === 0 ? 0 : position, wide: false };
    });
  }
  const present = described.filter((column) => sources(column).every((name) => fieldAt(shape, name.split('.'))));
  const shown = new Set(present.flatMap(sources));
  const others = Object.keys(shape.fields ?? {}).filter((name) => !shown.has(name));
  return [...present.map((column) => viewed(column, shape)), ...others.map((name) => unviewed(name, shape))];
}
