/** docs/openapi.json: the service's interface as OpenAPI 3.1, from the contract. What the contract leaves open stays open. */

/** @typedef {import('../../src/contract/vocabulary.ts').Field} Field */
/** @typedef {import('../../src/contract/vocabulary.ts').Fields} Fields */
/** @typedef {import('../../src/contract/vocabulary.ts').Endpoint} Endpoint */
/** @typedef {Record<string, unknown>} Json */

const REASONS = /** @type {Readonly<Record<number, string>>} */ ({
  400: 'Invalid or missing input',
  403: 'Not authenticated, or not allowed',
  404: 'There is no such thing',
});

/** @param {string} about */
const sentence = (about) => about.charAt(0).toUpperCase() + about.slice(1);

/** @param {Field} field */
function description(field) {
  const { requiredWhen: when, choices, open } = field;
  const parts = [field.about];
  if (when !== undefined) parts.push(`required when ${when.field} is ${when.is}`);
  if (choices !== undefined && open) parts.push(`seen so far: ${choices.join(', ')}`);
  if (field.format !== undefined && field.kind === 'timestamp') parts.push(`written ${field.format}`);
  return sentence(parts.join('; '));
}

/** @param {Field} field @returns {Json} */
function plainSchema(field) {
  switch (field.kind) {
    case 'text':
    case 'timestamp':
      return { type: 'string' };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'number':
      return { type: 'number' };
    case 'integer':
      return { type: 'integer' };
    case 'boolean':
      return { type: 'boolean' };
    case 'file':
      return { type: 'string', contentMediaType: 'application/octet-stream' };
    case 'choice':
      return {
        type: typeof field.choices?.[0] === 'number' ? 'number' : 'string',
        ...(field.open ? {} : { enum: field.choices }),
      };
    default:
      return {};
  }
}

/** @param {Json} schema @returns {Json} */
function orNull(schema) {
  if (typeof schema.type === 'string' && schema.enum === undefined) return { ...schema, type: [schema.type, 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
}

/** Named shapes go into components once; two shapes of one name are told apart by the first operation that has them. */
class Components {
  constructor() {
    /** @type {Map<string, Json>} */
    this.schemas = new Map();
    /** @type {Map<string, string>} */
    this.names = new Map();
  }

  /** @param {string} name @param {Json} schema @param {string} operation @returns {Json} */
  refer(name, schema, operation) {
    const text = `${name} ${JSON.stringify(schema)}`;
    const known = this.names.get(text) ?? (this.schemas.has(name) ? `${name}.${operation}` : name);
    this.names.set(text, known);
    this.schemas.set(known, schema);
    return { $ref: `#/components/schemas/${known}` };
  }
}

/** @param {Fields} fields @param {Components} components @param {string} operation @param {boolean} isInput @returns {Json} */
function objectSchema(fields, components, operation, isInput) {
  const required = Object.entries(fields)
    // Answers have all their fields: blank ones are null, not omitted.
    .filter(([, field]) => !isInput || field.required)
    .map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, schemaOf(field, components, operation, isInput)]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** @param {Field} field @param {Components} components @param {string} operation @param {boolean} isInput @returns {Json} */
function schemaOf(field, components, operation, isInput) {
  if (field.kind === 'object' && field.name !== undefined) {
    return components.refer(
      field.name,
      { description: sentence(field.about), ...objectSchema(field.fields ?? {}, components, operation, isInput) },
      operation,
    );
  }
  const plain =
    field.kind === 'object'
      ? objectSchema(field.fields ?? {}, components, operation, isInput)
      : field.kind === 'list'
        ? {
            type: 'array',
            ...(field.of === undefined ? {} : { items: schemaOf(field.of, components, operation, isInput) }),
          }
        : plainSchema(field);
  return {
    ...(field.nullable ? orNull(plain) : plain),
    description: description(field),
    ...(field.longest === undefined ? {} : { maxLength: field.longest }),
    ...(field.least === undefined ? {} : { minimum: field.least }),
    ...(field.default === undefined ? {} : { default: field.default }),
  };
}

/** Multipart names are flat: `settings.indexPageNumber`.
 * @param {Fields} fields @param {string} [above] @returns {Fields} */
function flat(fields, above = '') {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.kind === 'object'
        ? Object.entries(flat(field.fields ?? {}, `${above}${name}.`))
        : // A part of a form is there or not; null is not among what it can hold.
          [[`${above}${name}`, (({ nullable: _, ...rest }) => rest)(field)]],
    ),
  );
}

/** @param {'path' | 'query'} place @param {Fields} fields @param {Components} components @param {string} operation */
const parametersIn = (place, fields, components, operation) =>
  Object.entries(fields).map(([name, field]) => ({
    name,
    in: place,
    description: description(field),
    ...(place === 'path' || field.required ? { required: true } : {}),
    schema: (({ description: _, ...schema }) => schema)(schemaOf(field, components, operation, true)),
  }));

const PAGING = [
  {
    name: 'limit',
    in: 'query',
    description: 'Upper bound on the items of a page',
    schema: { type: 'integer', minimum: 1 },
  },
  {
    name: 'cursor',
    in: 'query',
    description: 'Start of the page: the nextCursor of the page before; short-lived',
    schema: { type: 'string' },
  },
];

/** @param {Endpoint} row @param {Components} components @param {string} operation @returns {Json | undefined} */
function answerSchema(row, components, operation) {
  if (row.returns !== undefined) return schemaOf(row.returns, components, operation, false);
  if (row.list === undefined) return undefined;
  const items = { type: 'array', items: schemaOf(row.list.of, components, operation, false) };
  if (row.list.key === null) return items;
  const paging = {
    type: 'object',
    properties: { nextCursor: { type: ['string', 'null'], description: 'Cursor of the next page; none on the last' } },
  };
  return {
    type: 'object',
    properties: { [row.list.key]: items, ...(row.list.paged ? { paging } : {}) },
    required: [row.list.key],
  };
}

const TYPES = {
  json: 'application/json',
  multipart: 'multipart/form-data',
  form: 'application/x-www-form-urlencoded',
};

/** @param {string} operation `licenses.create` @param {Endpoint} row @param {Components} components @returns {Json} */
function operationOf(operation, row, components) {
  const schema = answerSchema(row, components, operation);
  const isOpen = row.authenticated === false;
  const errors = isOpen ? row.errors : [...new Set([...row.errors, 403])].sort();
  const body = row.encoding === 'multipart' ? flat(row.body ?? {}) : row.body;
  const parameters = [
    ...parametersIn('path', row.params ?? {}, components, operation),
    ...parametersIn('query', row.query ?? {}, components, operation),
    ...(row.list?.paged ? PAGING : []),
  ];
  return {
    operationId: operation,
    tags: [operation.split('.')[0]],
    summary: row.about,
    ...(isOpen ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { [TYPES[row.encoding ?? 'json']]: { schema: objectSchema(body, components, operation, true) } },
          },
        }),
    responses: {
      '2XX': {
        description: schema === undefined ? 'Done; the body is empty' : 'Done',
        ...(schema === undefined ? {} : { content: { 'application/json': { schema } } }),
      },
      ...Object.fromEntries(errors.map((status) => [String(status), { description: REASONS[status] ?? 'Refused' }])),
    },
  };
}

/**
 * @param {Pick<import('../../src/cli/all-pages.ts').Manual, 'contract' | 'oauth'>} manual
 * @returns {string} the document, indented, with a line break at its end
 */
export function openapi({ contract, oauth }) {
  const components = new Components();
  /** @type {Record<string, Json>} */
  const paths = {};
  const resources = /** @type {Record<string, Record<string, Endpoint>>} */ ({ ...contract, oauth });
  for (const [resource, rows] of Object.entries(resources)) {
    for (const [name, row] of Object.entries(rows)) {
      const path = paths[row.path] ?? {};
      path[row.method.toLowerCase()] = operationOf(`${resource}.${name}`, row, components);
      paths[row.path] = path;
    }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Content and Licensing Service',
      version: 'v1',
      description:
        'As edu understands it: made from the rows that its client, its commands and its bundled service share.',
    },
    servers: [
      {
        url: '{base_url}',
        variables: { base_url: { default: 'http://127.0.0.1:4010', description: 'Default: edu offline serve' } },
      },
    ],
    security: [{ accessToken: [] }],
    paths,
    components: {
      schemas: Object.fromEntries([...components.schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer' } },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
