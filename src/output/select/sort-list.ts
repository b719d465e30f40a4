/**
 * Sorts a list of any length in constant memory, in files if it is long: numbers by value, text by code point, missing
 * values last.
 */
import { exactJson, parseJson, tokenAt } from '../../core/exact-json.js';
import { temporaryFolder } from '../../core/fs/temporary.js';
import { compareText } from '../../core/sort/compare-text.js';
import { Sorter } from '../../core/sort/sorter.js';
import { cellText } from '../writers/records.js';
import { type Path, valueReader } from './fields.js';
import type { Pages } from './item-pages.js';
import type { Sorting } from './sort.js';

/** Number of digits of the original position, which keeps equal items in order. */
const POSITION_LENGTH = 12;

/** The first character of a sort key. */
const NUMBER = '0';
const TEXT = '1';
const MISSING = '2';

/** Returns a function that makes the sort key: a character for its kind, and the text or the encoded number. */
function keyReader(path: Path): (item: unknown) => string {
  const [read, readHolder] = [valueReader(path), valueReader(path.slice(0, -1))];
  return (item) => {
    const value = read(item);
    if (value === null || value === undefined) return MISSING;
    if (typeof value === 'number') return NUMBER + orderedNumber(value);
    if (typeof value !== 'string') return TEXT + cellText(value);
    // A whole number that JavaScript cannot represent is a string in memory.
    const holder = readHolder(item);
    const isNumber = typeof holder === 'object' && holder !== null && tokenAt(holder, path.at(-1) ?? '') !== undefined;
    return isNumber && /^-?\d+$/.test(value) ? NUMBER + orderedNumber(Number(value)) : TEXT + value;
  };
}

/** Encodes a number as text that sorts like it: the bits of IEEE 754, inverted for negative numbers. */
function orderedNumber(value: number): string {
  const bits = new DataView(new ArrayBuffer(8));
  // -0 and 0 are equal.
  bits.setFloat64(0, value === 0 ? 0 : value);
  const raw = bits.getBigUint64(0);
  const sortable = raw >> 63n === 1n ? ~raw & 0xffff_ffff_ffff_ffffn : raw | (1n << 63n);
  return sortable.toString(16).padStart(16, '0');
}

const orderOf =
  (descending: boolean) =>
  (a: string, b: string): number => {
    const isMissing = a[POSITION_LENGTH] === MISSING;
    if (isMissing !== (b[POSITION_LENGTH] === MISSING)) return isMissing ? 1 : -1;
    const order = compareText(a, b, POSITION_LENGTH);
    return (descending ? -order : order) || compareText(a, b);
  };

/**
 * Sorts a list. Equal items keep their order; items without the field come last, in both directions.
 * @throws the system's error when a long list does not fit on the disk
 */
export async function* sortedPages(list: Pages, { fields, descending }: Sorting): AsyncGenerator<readonly unknown[]> {
  const keys = fields.map((field) => keyReader(field.split('.')));
  const keyOf = (item: unknown, position: number): string =>
    String(position).padStart(POSITION_LENGTH, '0') + keys.map((key) => key(item)).join('\0');
  const folder = temporaryFolder('sort');
  const sorter = new Sorter({ folder: folder.path, name: 'list', unique: false, order: orderOf(descending) });
  try {
    const pass = sorter.pass();
    for await (const items of list) {
      for (const item of items) pass.add(keyOf(item, pass.count), `${exactJson(item)}\n`);
      await pass.settle();
    }
    await pass.keep();
    for await (const lines of sorter.batches()) yield lines.map(({ line }) => parseJson(line.toString('utf8')));
  } finally {
    folder.remove();
  }
}
