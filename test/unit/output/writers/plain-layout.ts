import type { Layout } from '../../../../src/output/writers/writer.js';

/** The layout of a pipe, without flags. */
export const PLAIN: Layout = {
  fields: undefined,
  header: undefined,
  excel: false,
  wide: false,
  columns: undefined,
  terminal: false,
  color: false,
};
