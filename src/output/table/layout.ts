/** Fits table columns into the width of the terminal. All widths are in terminal cells. */
export interface Measure {
  readonly natural: number;
  readonly minWidth: number;
  readonly rank: number;
  /** Never cut: `minWidth` equals `natural`. */
  readonly rigid: boolean;
}

export const GAP = 2;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const narrowest = (columns: readonly Measure[]): number =>
  sum(columns.map(({ minWidth }) => minWidth)) + GAP * Math.max(0, columns.length - 1);

/** The index of the column to leave out next: the last one of the highest rank; undefined if all must stay. */
function dispensable(columns: readonly Measure[], kept: readonly number[]): number | undefined {
  let worst: number | undefined;
  let rank = 1;
  for (const index of kept) {
    const own = columns[index]?.rank ?? 0;
    if (own >= rank) [worst, rank] = [index, own];
  }
  return worst;
}

const MIN_WIDTH = 4;

/** Narrows the widest columns that may be cut until all fit. */
function shrunk(columns: readonly Measure[], width: number): readonly Measure[] {
  let narrow = columns;
  for (let over = narrowest(columns) - width; over > 0; over--) {
    const widest = narrow.reduce((max, { minWidth, rigid }) => (rigid ? max : Math.max(max, minWidth)), 0);
    if (widest <= MIN_WIDTH) break;
    const chosen = narrow.findIndex(({ minWidth, rigid }) => !rigid && minWidth === widest);
    narrow = narrow.map((column, index) => (index === chosen ? { ...column, minWidth: widest - 1 } : column));
  }
  return narrow;
}

/** Distributes the remaining width: columns that need little get all of it, the others equal parts. */
function share(columns: readonly Measure[], room: number): number[] {
  const widths = columns.map(({ minWidth }) => minWidth);
  const order = columns.map((_, index) => index).sort((a, b) => need(columns[a]) - need(columns[b]));
  let left = room;
  for (const [position, index] of order.entries()) {
    const extra = Math.min(need(columns[index]), Math.floor(left / (order.length - position)));
    widths[index] = (widths[index] ?? 0) + extra;
    left -= extra;
  }
  return widths;
}

const need = (column: Measure | undefined): number => (column === undefined ? 0 : column.natural - column.minWidth);

export interface Fit {
  readonly index: number;
  readonly width: number;
}

/**
 * First leaves out the least important columns, then cuts those that may be cut. Rigid columns of rank 0 stay complete,
 * even if they are wider than `width`.
 */
export function fit(columns: readonly Measure[], width: number): Fit[] {
  let kept = columns.map((_, index) => index);
  const measures = () => kept.flatMap((index) => columns[index] ?? []);
  while (narrowest(measures()) > width) {
    const out = dispensable(columns, kept);
    if (out === undefined) break;
    kept = kept.filter((index) => index !== out);
  }
  const narrow = shrunk(measures(), width);
  const widths = share(narrow, Math.max(0, width - narrowest(narrow)));
  return kept.map((index, position) => ({ index, width: widths[position] ?? 0 }));
}
