/**
 * Writes Parquet files row by row, in row groups of a fixed size. Nested lists and objects keep their structure. The same
 * rows give the same bytes on every machine, because hyparquet-writer compresses in JavaScript and stores no time.
 */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Field } from '../../contract/vocabulary.js';
import { excerpt } from '../../core/clean-text.js';
import { EduError } from '../../core/errors.js';
import { exactJson } from '../../core/exact-json.js';
import { isObject } from '../../core/json.js';
import { columnType } from '../column-types.js';

export interface ParquetColumn {
  readonly name: string;
  readonly field: Field;
  readonly read: (row: unknown) => unknown;
}

/** Rows that are held in memory and stored together. */
const ROW_GROUP = 5_000;

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];

/** A value as the encoder takes it; undefined for none. @throws Mismatch */
type Convert = (value: unknown) => unknown;

/** A value that is not of its column's type. */
class Mismatch extends Error {}

const isTime = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d{1,3})?)?$/;

/** A day or a time without a zone. */
function dateOf(value: unknown): Date | undefined {
  if (typeof value !== 'string' || !isTime.test(value)) return undefined;
  const time = new Date(`${value.length === 10 ? `${value}T00:00:00` : value.replace(' ', 'T')}Z`);
  // A day such as 31 June would become another one.
  return Number.isNaN(time.getTime()) || !time.toISOString().startsWith(value.slice(0, 10)) ? undefined : time;
}

/** The leaf values by kind; undefined if a value is of another kind. */
const LEAVES: Readonly<Partial<Record<Field['kind'], Convert>>> = {
  number: (value) => (typeof value === 'number' ? value : undefined),
  integer: (value) => (Number.isSafeInteger(value) ? BigInt(Number(value)) : undefined),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: dateOf,
  timestamp: dateOf,
};

function text(value: unknown, at: string): string {
  const written = typeof value === 'string' ? value : exactJson(value);
  // UTF-8 cannot represent it, so that writing it would change the text.
  if (!written.isWellFormed()) throw new Mismatch(`${at} has half of a surrogate pair: ${excerpt(written, 80)}`);
  return written;
}

/** True for a field whose structure is not known, which is stored as JSON. */
const isJson = ({ kind, of, fields = {} }: Field): boolean =>
  kind === 'list' ? of === undefined : kind === 'object' ? Object.keys(fields).length === 0 : kind === 'any';

function converter(field: Field, at: string): Convert {
  const mismatch = (value: unknown): Mismatch =>
    new Mismatch(`${at} is ${excerpt(exactJson(value), 80)}, which does not fit its column (${field.kind})`);
  let convert: Convert;
  if (isJson(field)) convert = (value) => (typeof value === 'object' ? JSON.parse(exactJson(value)) : value);
  else if (field.kind === 'list' && field.of !== undefined) {
    const element = converter(field.of, at);
    convert = (value) => (Array.isArray(value) ? value.map(element) : undefined);
  } else if (field.kind === 'object') {
    const members = Object.entries(field.fields ?? {}).map(
      ([name, part]) => [name, converter(part, `${at}.${name}`)] as const,
    );
    convert = (value) =>
      isObject(value)
        ? Object.fromEntries(
            members.map(([name, member]) => [name, member(Object.hasOwn(value, name) ? value[name] : null)]),
          )
        : undefined;
  } else convert = LEAVES[field.kind] ?? ((value) => text(value, at));
  return (value) => {
    if (value === null || value === undefined) return undefined;
    const converted = convert(value);
    if (converted === undefined) throw mismatch(value);
    return converted;
  };
}

/** A field in the depth-first order of a schema. Every value may be missing. */
function elements(name: string, field: Field): Schema {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  if (isJson(field)) return [{ ...optional, ...columnType({ kind: 'any' }).parquet }];
  if (field.kind === 'list' && field.of !== undefined)
    return [
      { ...optional, num_children: 1, converted_type: 'LIST' },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...elements('element', field.of),
    ];
  if (field.kind !== 'object') return [{ ...optional, ...columnType(field).parquet }];
  const members = Object.entries(field.fields ?? {});
  return [{ ...optional, num_children: members.length }, ...members.flatMap(([own, part]) => elements(own, part))];
}

export class ParquetFile {
  readonly #columns: readonly (ParquetColumn & { readonly convert: Convert })[];
  readonly #bytes = new ByteWriter();
  readonly #file: ParquetWriter;
  #values: unknown[][];
  #rows = 0;

  constructor(columns: readonly ParquetColumn[]) {
    this.#columns = columns.map((column) => ({ ...column, convert: converter(column.field, column.name) }));
    this.#values = columns.map(() => []);
    this.#file = new ParquetWriter({
      writer: this.#bytes,
      schema: [
        { name: 'root', num_children: columns.length },
        ...columns.flatMap(({ name, field }) => elements(name, field)),
      ],
      createdBy: 'edu',
    });
  }

  /** @throws EduError `invalid_response` for a value that its column cannot hold */
  row(row: unknown): void {
    try {
      for (const [place, { read, convert }] of this.#columns.entries()) this.#values[place]?.push(convert(read(row)));
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      const id = isObject(row) && typeof row.id === 'string' ? ` (in ${excerpt(row.id, 40)})` : '';
      throw new EduError('invalid_response', `Cannot write parquet: ${error.message}${id}.`, {
        hint: 'Write ndjson, which keeps every value as it is.',
      });
    }
    if (++this.#rows === ROW_GROUP) this.#store();
  }

  #store(): void {
    const columnData = this.#columns.map(({ name }, place) => ({ name, data: this.#values[place] ?? [] }));
    if (this.#rows > 0) this.#file.write({ columnData, rowGroupSize: this.#rows });
    this.#values = this.#columns.map(() => []);
    this.#rows = 0;
  }

  end(): void {
    this.#store();
    this.#file.finish();
  }

  /** The bytes since the last call. */
  take(): Uint8Array {
    const bytes = this.#bytes.getBytes().slice();
    this.#bytes.index = 0;
    return bytes;
  }
}
