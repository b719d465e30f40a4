/** Limits of a sheet ("Excel specifications and limits", support.microsoft.com). */

/** With the header. */
export const MAX_ROWS = 1_048_576;
export const MAX_COLUMNS = 16_384;
/** UTF-16 units of a cell. */
export const MAX_CELL = 32_767;
