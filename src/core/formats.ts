/** The names of the formats. */
export const FORMATS = ['table', 'tsv', 'json', 'ndjson', 'csv', 'ids'] as const;
export type Format = (typeof FORMATS)[number];
