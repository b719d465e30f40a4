/** Fits table columns into the width of the terminal. */
export interface Measure {
  /** Cells that the longest text of the column takes, its title included. */
  readonly natural: number;
  /** Cells that it needs when it is cut. */
  readonly minWidth: number;
  readonly rank: number;
  /** Never cut: `minWidth` is its whole width. */
  readonly rigid: boolean;
}

/** Cells between two columns. */
export const GAP = 2;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The width of the columns at their narrowest, gaps included. */
const narrowest = (columns: readonly Measure[]): number =>
  sum(columns.map(({ minWidth }) => minWidth)) + GAP * Math.max(0, columns.length - 1);

/** The index of the column to leave out next: the highest rank, the last of equals; undefined when all must stay. */
function dispensable(columns: readonly Measure[], kept: readonly number[]): number | undefined {
  let worst: number | undefined;
  let rank = 1;
  for (const index of kept) {
    const own = columns[index]?.rank ?? 0;
    if (own >= rank) [worst, rank] = [index, own];
  }
  return worst;
}

/** Cells that every column keeps. */
const SMALLEST = 4;

/** Narrows the widest columns that may be cut, where those that must stay are too wide. */
function squeezed(columns: readonly Measure[], width: number): readonly Measure[] {
  let narrow = columns;
  for (let over = narrowest(columns) - width; over > 0; over--) {
    const widest = narrow.reduce((max, { minWidth, rigid }) => (rigid ? max : Math.max(max, minWidth)), 0);
    if (widest <= SMALLEST) break;
    const chosen = narrow.findIndex(({ minWidth, rigid }) => !rigid && minWidth === widest);
    narrow = narrow.map((column, index) => (index === chosen ? { ...column, minWidth: widest - 1 } : column));
  }
  return narrow;
}

/** Shares the remaining room: columns that need little get all they need, the others an equal part. */
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
 * Fits columns into a width: first the least important go, then those that may be are cut. Rigid columns of rank 0 stay
 * as they are, even when they alone are wider.
 */
export function fit(columns: readonly Measure[], width: number): Fit[] {
  let kept = columns.map((_, index) => index);
  const measures = () => kept.flatMap((index) => columns[index] ?? []);
  while (narrowest(measures()) > width) {
    const out = dispensable(columns, kept);
    if (out === undefined) break;
    kept = kept.filter((index) => index !== out);
  }
  const narrow = squeezed(measures(), width);
  const widths = share(narrow, Math.max(0, width - narrowest(narrow)));
  return kept.map((index, position) => ({ index, width: widths[position] ?? 0 }));
}
