/**
 * Sorts a list of any length in constant memory, in files if it is long: numbers by value, text by code point, missing
 * values last.
 */
import { exactJson, parseJson, tokenAt } from '../../core/exact-json.js';
import { temporaryFolder } from '../../core/fs/temporary.js';
import { compareText } from '../../core/sort/compare-text.js';
import { cellText } from '../writers/records.js';
import { type Path, valueAt } from './fields.js';
import { inPages, PAGE_SIZE, type Pages } from './item-pages.js';
import type { Sorting } from './sort.js';

const MAX_IN_MEMORY = 10_000;

/** Number of digits of the original position, which keeps equal items in order. */
const POSITION_LENGTH = 12;

/** The first character of a sort key. */
const [NUMBER, TEXT, MISSING] = ['0', '1', '2'] as const;

/** The sort key: a character for its kind, and the text or the encoded number. */
function keyOf(item: unknown, path: Path): string {
  const value = valueAt(item, path);
  if (value === null || value === undefined) return MISSING;
  if (typeof value === 'number') return NUMBER + orderedNumber(value);
  if (typeof value !== 'string') return TEXT + cellText(value);
  // A whole number that JavaScript cannot represent is a string in memory.
  const holder = valueAt(item, path.slice(0, -1));
  const isNumber = typeof holder === 'object' && holder !== null && tokenAt(holder, path.at(-1) ?? '') !== undefined;
  return isNumber && /^-?\d+$/.test(value) ? NUMBER + orderedNumber(Number(value)) : TEXT + value;
}

const encoded = (item: unknown, paths: readonly Path[], position: number): string =>
  String(position).padStart(POSITION_LENGTH, '0') + paths.map((path) => keyOf(item, path)).join('\0');

const pathsOf = ({ fields }: Sorting): readonly Path[] => fields.map((field) => field.split('.'));

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

/** Equal items keep their order; items without the field come last, in both directions. */
export function sorted(items: readonly unknown[], sorting: Sorting): unknown[] {
  const paths = pathsOf(sorting);
  const order = orderOf(sorting.descending);
  const keyed = items.map((item, position) => ({ item, key: encoded(item, paths, position) }));
  return keyed.sort((a, b) => order(a.key, b.key)).map(({ item }) => item);
}

/** @param before items that come before those of `pages` */
async function* sortInFiles(
  before: readonly unknown[],
  pages: AsyncIterator<readonly unknown[]>,
  sorting: Sorting,
): AsyncGenerator<readonly unknown[]> {
  const { Sorter } = await import('../../core/sort/sorter.js');
  const paths = pathsOf(sorting);
  const folder = temporaryFolder('sort');
  const options = { folder: folder.path, name: 'list', unique: false, order: orderOf(sorting.descending) };
  const sorter = new Sorter(options);
  try {
    const pass = sorter.pass();
    const take = async (items: readonly unknown[]): Promise<void> => {
      for (const item of items) pass.add(encoded(item, paths, pass.count), `${exactJson(item)}\n`);
      await pass.settle();
    };
    for await (const items of inPages(before)) await take(items);
    for (let next = await pages.next(); !next.done; next = await pages.next()) await take(next.value);
    await pass.keep();
    let page: unknown[] = [];
    for await (const lines of sorter.batches()) {
      for (const { line } of lines) page.push(parseJson(line.toString('utf8')));
      if (page.length < PAGE_SIZE) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  } finally {
    folder.remove();
  }
}

/** Sorts like `sorted`. @throws the system's error when a long list does not fit on the disk */
export async function* sortedPages(list: Pages, sorting: Sorting): AsyncGenerator<readonly unknown[]> {
  const pages = list[Symbol.asyncIterator]();
  const items: unknown[] = [];
  try {
    for (let next = await pages.next(); !next.done; next = await pages.next()) {
      for (const item of next.value) items.push(item);
      if (items.length <= MAX_IN_MEMORY) continue;
      yield* sortInFiles(items.splice(0), pages, sorting);
      return;
    }
    yield* inPages(sorted(items, sorting));
  } finally {
    await pages.return?.();
  }
}
