/** The SQL statements that create the tables of exported resources, generated from the contract. */
import type { Field } from '../../contract/vocabulary.js';
import { columnType, type Dialect } from '../../output/column-types.js';
import { EXPORTED, type Resource } from '../collect/resources.js';

const quoted = (name: string, dialect: Dialect): string => (dialect === 'bigquery' ? `\`${name}\`` : `"${name}"`);

/** The type of a column. Postgres and SQLite hold lists and objects as JSON. */
function typeOf(field: Field, dialect: Dialect): string {
  const isNested = dialect === 'duckdb' || dialect === 'bigquery';
  if (isNested && field.kind === 'list' && field.of !== undefined) {
    const element = typeOf(field.of, dialect);
    return dialect === 'duckdb' ? `${element}[]` : `ARRAY<${element}>`;
  }
  if (isNested && field.kind === 'object') {
    const members = Object.entries(field.fields ?? {}).map(
      ([name, part]) => `${quoted(name, dialect)} ${typeOf(part, dialect)}`,
    );
    return dialect === 'duckdb' ? `STRUCT(${members.join(', ')})` : `STRUCT<${members.join(', ')}>`;
  }
  return columnType(field)[dialect];
}

/** The statement that creates the table of a resource. Its ID is the primary key, if items have one that is never null. */
export function ddlOf(resource: Resource, dialect: Dialect): string {
  const { shape, key, addition, repeats } = EXPORTED[resource];
  const columns = Object.entries(shape.fields ?? {}).map(
    ([name, field]) => `${quoted(name, dialect)} ${typeOf(field, dialect)}`,
  );
  const names = key.map((name) => quoted(name, dialect)).join(', ');
  const primary = `PRIMARY KEY (${names})${dialect === 'bigquery' ? ' NOT ENFORCED' : ''}`;
  const lines = repeats || addition !== undefined ? columns : [...columns, primary];
  return `CREATE TABLE IF NOT EXISTS ${quoted(resource, dialect)} (\n  ${lines.join(',\n  ')}\n);\n`;
}
