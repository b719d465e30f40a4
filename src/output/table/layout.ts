/** Fits table columns into the width of the terminal. All widths are in terminal cells. */
export interface Measure {
  readonly natural: number;
  readonly minWidth: number;
  /** Columns with the highest rank are left out first; those with rank 0 never. */
  readonly rank: number;
  /** Never cut, because part of an ID, number or date is useless: `minWidth` equals `natural`. */
  readonly rigid: boolean;
}

export interface Fit {
  readonly index: number;
  readonly width: number;
}

interface Fitting extends Measure {
  readonly index: number;
  width: number;
}

export const GAP = 2;

const MIN_WIDTH = 4;

const total = (columns: readonly Fitting[]): number =>
  columns.reduce((sum, { width }) => sum + width, GAP * Math.max(0, columns.length - 1));

/** Leaves out the last column of the highest rank, as long as they do not fit; those of rank 0 stay. */
function kept(columns: readonly Fitting[], width: number): readonly Fitting[] {
  const rank = Math.max(0, ...columns.map((column) => column.rank));
  if (rank === 0 || total(columns) <= width) return columns;
  const out = columns.findLastIndex((column) => column.rank === rank);
  return kept(columns.toSpliced(out, 1), width);
}

/** Narrows the widest columns that may be cut until all fit. */
function shrink(columns: readonly Fitting[], width: number): void {
  for (let over = total(columns) - width; over > 0; over--) {
    const narrowable = columns.filter((column) => !column.rigid && column.width > MIN_WIDTH);
    const [widest] = narrowable.sort((a, b) => b.width - a.width);
    if (widest === undefined) return;
    widest.width--;
  }
}

/** Distributes the remaining width: columns that need little get all of it, the others equal parts. */
function widen(columns: readonly Fitting[], width: number): void {
  const need = (column: Fitting): number => column.natural - column.width;
  let left = Math.max(0, width - total(columns));
  const byNeed = [...columns].sort((a, b) => need(a) - need(b));
  for (const [position, column] of byNeed.entries()) {
    const extra = Math.min(need(column), Math.floor(left / (byNeed.length - position)));
    column.width += extra;
    left -= extra;
  }
}

/**
 * First leaves out the least important columns, then cuts those that may be cut. Rigid columns of rank 0 stay complete,
 * even if they are wider than `width`.
 */
export function fit(columns: readonly Measure[], width: number): Fit[] {
  const fitting = columns.map((column, index) => ({ ...column, index, width: column.minWidth }));
  const shown = kept(fitting, width);
  shrink(shown, width);
  widen(shown, width);
  return shown.map((column) => ({ index: column.index, width: column.width }));
}
