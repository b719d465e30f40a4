/** Prints a Parquet file: a row for each item, with a typed column for each field. */
import type { Field } from '../../contract/vocabulary.js';
import { fieldOf, fieldsBehind, type Path, valueReader } from '../select/fields.js';
import { type ParquetColumn, ParquetFile } from './parquet-file.js';
import type { Layout, ListWriter, Writer } from './writer.js';

const ANY = fieldOf('any');

/** The field at a path; behind a list, a list of it. */
function fieldBehind(shape: Field, [name, ...rest]: Path): Field {
  if (name === undefined) return shape;
  if (shape.kind === 'list') return { ...shape, of: fieldBehind(shape.of ?? ANY, [name, ...rest]) };
  const own = shape.fields !== undefined && Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
  return own === undefined ? ANY : fieldBehind(own, rest);
}

/** A column for each field of a shape, or for each requested field. */
export function parquetColumns(shape: Field, names?: readonly string[]): readonly ParquetColumn[] {
  if (shape.fields === undefined) return [{ name: 'value', field: shape, read: (item) => item }];
  const fields = names?.flatMap((name) => fieldsBehind(name, shape)) ?? Object.keys(shape.fields);
  return [...new Set(fields)].map((name) => {
    const path = name.split('.');
    return { name, field: fieldBehind(shape, path), read: valueReader(path) };
  });
}

function listWriter(shape: Field, { fields }: Layout): ListWriter {
  const file = new ParquetFile(parquetColumns(shape, fields));
  return {
    page(items) {
      for (const item of items) file.row(item);
      return file.take();
    },
    end() {
      file.end();
      return file.take();
    },
  };
}

export const parquet: Writer = { list: listWriter };
