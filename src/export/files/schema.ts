/** Generates the JSON Schemas (draft 2020-12) and SQL tables of exported items from the contract, and checks items. */
import { createHash } from 'node:crypto';
import type { Field } from '../../contract/vocabulary.js';
import type { JsonSchema } from '../../core/checks.js';
import { isObject } from '../../core/json.js';
import { columnType, type Dialect } from '../../output/column-types.js';
import { EXPORTED, type Resource } from '../collect/resources.js';

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

type Schema = JsonSchema;

const DAY = String.raw`^\d{4}-\d{2}-\d{2}$`;

/** "Blank fields are returned as null; they are not omitted." (API document) */
const nullable = (type: string): readonly string[] => [type, 'null'];

/** The JSON Schema of a field's values. */
export function schemaOfField(field: Field): Schema {
  const description = field.description === '' ? {} : { description: field.description };
  switch (field.kind) {
    case 'object':
      return { ...description, ...objectSchema(field, nullable('object')) };
    case 'list':
      return {
        ...description,
        type: nullable('array'),
        ...(field.of === undefined ? {} : { items: schemaOfField(field.of) }),
      };
    case 'choice':
      // The choices are examples only, because unknown values are exported too.
      return { ...description, type: nullable('string'), examples: field.choices };
    default: {
      const { json } = columnType(field);
      if (json === undefined) return description;
      const typed = { ...description, type: nullable(json) };
      if (field.kind === 'date' && field.format === 'yyyy-MM-dd') return { ...typed, pattern: DAY };
      return field.format === undefined ? typed : { ...typed, $comment: `format ${field.format}` };
    }
  }
}

function objectSchema(field: Field, type: string | readonly string[]) {
  const properties = Object.entries(field.fields ?? {}).map(([name, part]) => [name, schemaOfField(part)]);
  // Unknown fields are exported too.
  return { type, properties: Object.fromEntries(properties), additionalProperties: true };
}

/** The schema of an item of a resource. */
export function schemaOf(resource: Resource): Schema {
  const { shape, addition, key, repeats } = EXPORTED[resource];
  const { fields = {} } = shape;
  const object = objectSchema(shape, 'object');
  const [id = ''] = key;
  // An item without an ID cannot be found again.
  const ofId = fields[id] === undefined || repeats ? {} : { [id]: { ...schemaOfField(fields[id]), type: 'string' } };
  return {
    $schema: DIALECT,
    $id: `urn:edu:export:1:${resource}`,
    title: shape.name ?? resource,
    description: `One item of ${resource} in an export: ${shape.description}.`,
    ...object,
    properties: { ...object.properties, ...ofId },
    required: Object.keys(fields).filter((name) => name !== addition),
  };
}

/** The schema of an object with the items of several resources by name: one document with the schemas of all. */
export const schemasOf = (resources: readonly Resource[]): Schema => ({
  $schema: DIALECT,
  $id: 'urn:edu:export:1',
  title: 'Export',
  type: 'object',
  properties: Object.fromEntries(
    resources.map((name) => [name, { type: 'array', items: { $ref: `#/$defs/${name}` } }]),
  ),
  $defs: Object.fromEntries(resources.map((name) => [name, schemaOf(name)])),
});

/** The content of the schema file. */
export const schemaText = (resource: Resource): string => `${JSON.stringify(schemaOf(resource), null, 2)}\n`;

/** SHA-256 of the schema file, in hex. */
export const schemaDigest = (resource: Resource): string =>
  createHash('sha256').update(schemaText(resource)).digest('hex');

export const schemaFile = (resource: Resource): string => `${resource}.schema.json`;

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The first mismatch: the end of "the item does not match: …". @param at path of the value in messages */
export function mismatch(value: unknown, schema: Schema, at = ''): string | undefined {
  const { type, required, properties, items, pattern } = schema;
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (types.length > 0 && !types.includes(typeOf(value))) {
    return `${at || 'it'} is ${typeOf(value)}, not ${types.join(' or ')}`;
  }
  if (typeof pattern === 'string' && typeof value === 'string' && !new RegExp(pattern).test(value)) {
    return `${at || 'it'} does not match ${pattern}`;
  }
  const below = at === '' ? '' : `${at}.`;
  if (isObject(value)) {
    const missing = Array.isArray(required) ? required.find((name) => !Object.hasOwn(value, name)) : undefined;
    if (missing !== undefined) return `${below}${missing} is missing`;
    for (const [name, part] of Object.entries(isObject(properties) ? properties : {})) {
      const found = Object.hasOwn(value, name) ? mismatch(value[name], part as Schema, `${below}${name}`) : undefined;
      if (found !== undefined) return found;
    }
  } else if (Array.isArray(value) && isObject(items)) {
    for (const [index, element] of value.entries()) {
      const found = mismatch(element, items, `${at}[${index}]`);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

const quoted = (name: string, dialect: Dialect): string => (dialect === 'bigquery' ? `\`${name}\`` : `"${name}"`);

/** The type of a column. Postgres and SQLite hold lists and objects as JSON. */
function sqlTypeOf(field: Field, dialect: Dialect): string {
  const isNested = dialect === 'duckdb' || dialect === 'bigquery';
  if (isNested && field.kind === 'list' && field.of !== undefined) {
    const element = sqlTypeOf(field.of, dialect);
    return dialect === 'duckdb' ? `${element}[]` : `ARRAY<${element}>`;
  }
  if (isNested && field.kind === 'object') {
    const members = Object.entries(field.fields ?? {}).map(
      ([name, part]) => `${quoted(name, dialect)} ${sqlTypeOf(part, dialect)}`,
    );
    return dialect === 'duckdb' ? `STRUCT(${members.join(', ')})` : `STRUCT<${members.join(', ')}>`;
  }
  return columnType(field)[dialect];
}

/** The statement that creates the table of a resource. Its ID is the primary key, if items have one that is never null. */
export function ddlOf(resource: Resource, dialect: Dialect): string {
  const { shape, key, addition, repeats } = EXPORTED[resource];
  const columns = Object.entries(shape.fields ?? {}).map(
    ([name, field]) => `${quoted(name, dialect)} ${sqlTypeOf(field, dialect)}`,
  );
  const names = key.map((name) => quoted(name, dialect)).join(', ');
  const primary = `PRIMARY KEY (${names})${dialect === 'bigquery' ? ' NOT ENFORCED' : ''}`;
  const lines = repeats || addition !== undefined ? columns : [...columns, primary];
  return `CREATE TABLE IF NOT EXISTS ${quoted(resource, dialect)} (\n  ${lines.join(',\n  ')}\n);\n`;
}
