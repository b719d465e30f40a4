/** Which columns of a table fit a width, and how wide each is. Arithmetic on numbers of cells, nothing else. */
export interface Measure {
  /** Cells that the longest text of the column takes, its title included. */
  readonly natural: number;
  /** Cells that it needs at least when it is cut. */
  readonly least: number;
  readonly rank: number;
  /** Worth nothing when cut: `least` is meant. */
  readonly rigid: boolean;
}

/** Cells between two columns. */
export const GAP = 2;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The width of the columns at their narrowest, gaps included. */
const narrowest = (columns: readonly Measure[]): number =>
  sum(columns.map(({ least }) => least)) + GAP * Math.max(0, columns.length - 1);

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

/** Where what must stay is too wide even so, takes from the widest of those that may be cut. */
function squeezed(columns: readonly Measure[], width: number): readonly Measure[] {
  let narrow = columns;
  for (let over = narrowest(columns) - width; over > 0; over--) {
    const widest = narrow.reduce((most, { least, rigid }) => (rigid ? most : Math.max(most, least)), 0);
    if (widest <= SMALLEST) break;
    const chosen = narrow.findIndex(({ least, rigid }) => !rigid && least === widest);
    narrow = narrow.map((column, index) => (index === chosen ? { ...column, least: widest - 1 } : column));
  }
  return narrow;
}

/** Shares what room there is: who needs least gets it all, the others an equal part. */
function share(columns: readonly Measure[], room: number): number[] {
  const widths = columns.map(({ least }) => least);
  const order = columns.map((_, index) => index).sort((a, b) => need(columns[a]) - need(columns[b]));
  let left = room;
  for (const [position, index] of order.entries()) {
    const extra = Math.min(need(columns[index]), Math.floor(left / (order.length - position)));
    widths[index] = (widths[index] ?? 0) + extra;
    left -= extra;
  }
  return widths;
}

const need = (column: Measure | undefined): number => (column === undefined ? 0 : column.natural - column.least);

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
