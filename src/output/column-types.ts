/** The types of a column for each kind of field: in JSON Schema, in workbooks, in Parquet, and in SQL dialects. */
import type { Field, Kind } from '../contract/vocabulary.js';

/** How the cells of a column of a workbook are stored. Only numbers and dates of the contract are more than text. */
export type CellType = 'text' | 'number' | 'date' | 'time';

/** A leaf of a Parquet schema (parquet.thrift, SchemaElement). */
export interface ParquetType {
  readonly type: 'BOOLEAN' | 'DOUBLE' | 'INT32' | 'INT64' | 'BYTE_ARRAY';
  readonly converted_type?: 'UTF8' | 'DATE' | 'JSON';
  readonly logical_type?: { readonly type: 'TIMESTAMP'; readonly isAdjustedToUTC: boolean; readonly unit: 'MILLIS' };
}

/** The programs that tables are created for. */
export const DIALECTS = ['duckdb', 'postgres', 'sqlite', 'bigquery'] as const;
export type Dialect = (typeof DIALECTS)[number];

interface ColumnType extends Readonly<Record<Dialect, string>> {
  /** The type in JSON Schema; undefined for any. */
  readonly json?: 'string' | 'number' | 'boolean';
  readonly cell: CellType;
  readonly parquet: ParquetType;
}

const TEXT = {
  json: 'string',
  cell: 'text',
  parquet: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  duckdb: 'VARCHAR',
  postgres: 'text',
  sqlite: 'TEXT',
  bigquery: 'STRING',
} as const satisfies ColumnType;

const JSON_VALUE: ColumnType = {
  cell: 'text',
  parquet: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
  duckdb: 'JSON',
  postgres: 'jsonb',
  sqlite: 'TEXT',
  bigquery: 'JSON',
};

const NUMBER = {
  json: 'number',
  cell: 'number',
  parquet: { type: 'DOUBLE' },
  duckdb: 'DOUBLE',
  postgres: 'double precision',
  sqlite: 'NUMERIC',
  bigquery: 'FLOAT64',
} as const satisfies ColumnType;

const TYPES: Readonly<Record<Exclude<Kind, 'object' | 'list'>, ColumnType>> = {
  text: TEXT,
  choice: TEXT,
  number: NUMBER,
  integer: {
    ...NUMBER,
    parquet: { type: 'INT64' },
    duckdb: 'BIGINT',
    postgres: 'bigint',
    sqlite: 'INTEGER',
    bigquery: 'INT64',
  },
  boolean: {
    json: 'boolean',
    cell: 'number',
    parquet: { type: 'BOOLEAN' },
    duckdb: 'BOOLEAN',
    postgres: 'boolean',
    sqlite: 'INTEGER',
    bigquery: 'BOOL',
  },
  date: {
    ...TEXT,
    cell: 'date',
    parquet: { type: 'INT32', converted_type: 'DATE' },
    duckdb: 'DATE',
    postgres: 'date',
    bigquery: 'DATE',
  },
  // The API document names no time zone.
  timestamp: {
    ...TEXT,
    cell: 'time',
    parquet: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' } },
    duckdb: 'TIMESTAMP',
    postgres: 'timestamp',
    bigquery: 'DATETIME',
  },
  file: JSON_VALUE,
  any: JSON_VALUE,
};

/** The type of a column for a field; JSON for lists and objects, which only some places store with their structure. */
export const columnType = ({ kind }: Pick<Field, 'kind'>): ColumnType =>
  kind === 'list' || kind === 'object' ? JSON_VALUE : TYPES[kind];
