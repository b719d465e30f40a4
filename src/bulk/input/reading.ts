/** The flags for reading a file: `--map`, `--ignore`, `--date-format` and others. */

/** Stored in the manifest of a job; flags that were not given are absent. */
export interface Reading {
  /** `HEADER=COLUMN`. */
  readonly map?: readonly string[];
  /** Headers of columns that are not read. */
  readonly ignore?: readonly string[];
  readonly ignoreUnknown?: true;
  readonly dateFormat?: string;
  /** Name of the sheet of a workbook. */
  readonly sheet?: string;
  /** Cells that look like formulas have an apostrophe for Excel, which is removed. */
  readonly excel?: true;
}
