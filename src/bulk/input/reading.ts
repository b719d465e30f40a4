/** The flags for reading a file: `--map`, `--ignore`, `--date-format` and others. */

/** As given, so that a job keeps it; members that were not given are left out. */
export interface Reading {
  /** `HEADER=COLUMN`. */
  readonly map?: readonly string[];
  /** Headers of columns that are not read. */
  readonly ignore?: readonly string[];
  readonly ignoreUnknown?: true;
  readonly dateFormat?: string;
  /** Of a workbook. */
  readonly sheet?: string;
  /** Cells that look like formulas were given an apostrophe for Excel. */
  readonly excel?: true;
}
