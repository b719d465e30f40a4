import type { Layout } from '../../../../src/output/writers/writer.js';

/** The layout of a pipe, without flags. */
export const PLAIN: Layout = {
  title: 'licences',
  fields: undefined,
  header: undefined,
  excel: undefined,
  wide: false,
  columns: undefined,
  terminal: false,
  color: false,
};
