/** Sorts a list of any length in constant memory: a short one in memory, a long one through files. */
import { temporaryFolder } from '../../core/fs/temporary.js';
import { compareText } from '../../core/sort/compare-text.js';
import { keyOf, type Sorting, sorted } from './sort.js';

/** Items that are sorted in memory. */
const MAX_IN_MEMORY = 10_000;
/** Items of a page. */
const PAGE = 1000;

/** Digits of a place in the list, which keeps equal items in their order. */
const PLACE = 12;

/** Order of the kinds of keys: numbers, texts, nothing. */
type Rank = '0' | '1' | '2';
const MISSING: Rank = '2';

/** A sort key as text: place, rank, and the text or the number as text of the same order. */
function encoded(item: unknown, path: readonly string[], place: number): string {
  const key = keyOf(item, path);
  const rank: Rank = key === undefined ? MISSING : typeof key === 'number' ? '0' : '1';
  const body = typeof key === 'number' ? orderedNumber(key) : (key ?? '');
  return `${String(place).padStart(PLACE, '0')}${rank}${body}`;
}

/** A number as text whose order is that of the numbers: the bits of IEEE 754, those of negative numbers turned. */
function orderedNumber(value: number): string {
  const bits = new DataView(new ArrayBuffer(8));
  // -0 and 0 are equal.
  bits.setFloat64(0, value === 0 ? 0 : value);
  const raw = bits.getBigUint64(0);
  const turned = raw >> 63n === 1n ? ~raw & 0xffff_ffff_ffff_ffffn : raw | (1n << 63n);
  return turned.toString(16).padStart(16, '0');
}

/** Order of two encoded keys. */
const orderOf =
  (descending: boolean) =>
  (a: string, b: string): number => {
    const [rankA, rankB] = [a[PLACE], b[PLACE]];
    const sign = descending ? -1 : 1;
    if (rankA !== rankB) {
      if (rankA === MISSING || rankB === MISSING) return rankA === MISSING ? 1 : -1;
      return rankA !== undefined && rankB !== undefined && rankA < rankB ? -sign : sign;
    }
    return sign * compareText(a, b, PLACE + 1) || compareText(a, b);
  };

function* inPages(items: readonly unknown[]): Generator<readonly unknown[]> {
  for (let start = 0; start < items.length; start += PAGE) yield items.slice(start, start + PAGE);
}

/** Sorts through files. @param before the items that came before those of `pages` */
async function* throughFiles(
  before: readonly unknown[],
  pages: AsyncIterator<readonly unknown[]>,
  { field, descending }: Sorting,
): AsyncGenerator<readonly unknown[]> {
  const { Sorter } = await import('../../core/sort/sorter.js');
  const { pullLines } = await import('../../core/sort/pull-lines.js');
  const path = field.split('.');
  const folder = temporaryFolder('sort');
  const options = { folder: folder.path, name: 'list', unique: false, order: orderOf(descending) };
  const sorter = new Sorter(options);
  try {
    const pass = sorter.pass();
    const take = async (items: readonly unknown[]): Promise<void> => {
      for (const item of items) pass.add(encoded(item, path, pass.count), `${JSON.stringify(item)}\n`);
      await pass.settle();
    };
    for (const items of inPages(before)) await take(items);
    for (let next = await pages.next(); !next.done; next = await pages.next()) await take(next.value);
    await pass.keep();
    let page: unknown[] = [];
    for await (const lines of pullLines(await sorter.sorted())) {
      for (const line of lines) page.push(JSON.parse(line.toString('utf8')));
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  } finally {
    folder.remove();
  }
}

/**
 * Yields the items of a list in order. Equal items keep their order; items without the field come last, in either
 * direction.
 * @param onCount called with the number of items so far while the list is read
 * @throws the system's error when a long list does not fit on the disk
 */
export async function* sortedPages(
  list: AsyncIterable<readonly unknown[]>,
  sorting: Sorting,
  onCount: (count: number) => void,
): AsyncGenerator<readonly unknown[]> {
  let count = 0;
  async function* counted(): AsyncGenerator<readonly unknown[]> {
    for await (const page of list) {
      count += page.length;
      onCount(count);
      yield page;
    }
  }
  const pages = counted();
  const items: unknown[] = [];
  try {
    for (let next = await pages.next(); !next.done; next = await pages.next()) {
      for (const item of next.value) items.push(item);
      if (items.length <= MAX_IN_MEMORY) continue;
      yield* throughFiles(items.splice(0), pages, sorting);
      return;
    }
    yield* inPages(sorted(items, sorting));
  } finally {
    await pages.return(undefined);
  }
}
