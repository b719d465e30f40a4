/** Which columns of a table fit a width, and how wide each is. Arithmetic on numbers of cells, nothing else. */

export interface Measure {
  /** Cells that the longest text of the column takes, its title included. */
  readonly natural: number;
  /** Cells that it needs at least when it is cut. */
  readonly least: number;
  readonly rank: number;
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
 * Fits columns into a width: first the least important go, then those that may be are cut. Columns of rank 0 stay, even
 * when they alone are wider.
 */
export function fit(columns: readonly Measure[], width: number): Fit[] {
  let kept = columns.map((_, index) => index);
  const measures = () => kept.flatMap((index) => columns[index] ?? []);
  while (narrowest(measures()) > width) {
    const out = dispensable(columns, kept);
    if (out === undefined) break;
    kept = kept.filter((index) => index !== out);
  }
  const widths = share(measures(), Math.max(0, width - narrowest(measures())));
  return kept.map((index, position) => ({ index, width: widths[position] ?? 0 }));
}
