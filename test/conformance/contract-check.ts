/**
 * Compares the body of a response with its endpoint's row of the contract: nothing missing, nothing extra, right types.
 */
import type { Endpoint, Field, Fields } from '../../src/contract/vocabulary.js';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The formats of "Resources and their fields". */
const FORMATS: Readonly<Record<string, RegExp>> = {
  'yyyy-MM-dd': /^\d{4}-\d\d-\d\d$/,
  'yyyy-MM-dd HH:mm:ss': /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
  "yyyy-MM-dd'T'HH:mm:ss.SSS": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/,
  'ISO 3166-1 alpha-2': /^[A-Z]{2}$/,
};

function fieldsProblems(fields: Fields, value: Record<string, unknown>, path: string): string[] {
  const missing = Object.keys(fields).filter((name) => !Object.hasOwn(value, name));
  const extra = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
  return [
    ...missing.map((name) => `${path}.${name} is missing`),
    ...extra.map((name) => `${path}.${name} is not in the contract`),
    ...Object.entries(fields).flatMap(([name, field]) =>
      Object.hasOwn(value, name) ? fieldProblems(field, value[name], `${path}.${name}`) : [],
    ),
  ];
}

const expected = (what: string, path: string, value: unknown): string[] => [
  `${path} is not ${what}: ${JSON.stringify(value)}`,
];

function fieldProblems(field: Field, value: unknown, path: string): string[] {
  if (field.kind === 'any') return [];
  if (value === null) return field.nullable ? [] : [`${path} is null`];
  switch (field.kind) {
    case 'object':
      return isObject(value) ? fieldsProblems(field.fields ?? {}, value, path) : expected('an object', path, value);
    case 'list':
      if (!Array.isArray(value)) return expected('a list', path, value);
      return value.flatMap((item, at) => (field.of ? fieldProblems(field.of, item, `${path}[${at}]`) : []));
    case 'number':
    case 'integer': {
      const fits = field.kind === 'integer' ? Number.isInteger(value) : Number.isFinite(value);
      return fits ? [] : expected(`of kind ${field.kind}`, path, value);
    }
    case 'boolean':
      return typeof value === 'boolean' ? [] : expected('a boolean', path, value);
    case 'choice':
      return field.choices?.some((choice) => choice === value) ? [] : expected('one of the choices', path, value);
    default: {
      if (typeof value !== 'string') return expected('a string', path, value);
      const format = FORMATS[field.format ?? ''];
      return format === undefined || format.test(value) ? [] : expected(`written ${field.format}`, path, value);
    }
  }
}

/**
 * The problems of a response.
 * @param body the parsed JSON; undefined for an empty body
 * @returns a sentence for each problem; none if the response matches the contract
 */
export function answerProblems(endpoint: Endpoint, body: unknown): string[] {
  const { returns, list } = endpoint;
  if (returns !== undefined) return fieldProblems(returns, body, 'answer');
  if (list === undefined) return body === undefined ? [] : expected('empty', 'answer', body);
  const items: Field = { kind: 'list', description: '', of: list.of };
  if (list.key === null) return fieldProblems(items, body, 'answer');
  if (!isObject(body)) return expected('an object', 'answer', body);
  const paging: Fields = {
    paging: {
      kind: 'object',
      description: '',
      fields: { nextCursor: { kind: 'text', description: '', nullable: true } },
    },
  };
  return fieldsProblems({ [list.key]: items, ...(list.paged ? paging : {}) }, body, 'answer');
}
