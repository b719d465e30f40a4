/** Writes the contract as OpenAPI 3.1 for docs/openapi.json. Open choices become schemas without `enum`. */

/** @typedef {import('../../src/contract/vocabulary.ts').Field} Field */
/** @typedef {import('../../src/contract/vocabulary.ts').Fields} Fields */
/** @typedef {import('../../src/contract/vocabulary.ts').Endpoint} Endpoint */
/** @typedef {Record<string, unknown>} Json */

const REASONS = /** @type {Readonly<Record<number, string>>} */ ({
  400: 'Invalid or missing input',
  401: 'The access token is not, or no longer, valid',
  403: 'No access token, or not allowed',
  404: 'Nothing has this id',
  500: 'The service failed',
  503: 'Another process has locked the state',
});

/** The error body of the bundled service; the API document shows none. */
const ERROR = {
  type: 'object',
  description: 'Why a request was refused',
  properties: {
    error: { type: 'string', description: 'Name of the status' },
    message: { type: 'string', description: 'Reason' },
    fields: {
      type: 'array',
      description: 'One entry for each thing wrong with the input',
      items: {
        type: 'object',
        properties: {
          field: { type: 'string', description: 'Dotted path in the body, or name of the query parameter' },
          message: { type: 'string', description: 'What is wrong with it' },
        },
        required: ['field', 'message'],
      },
    },
  },
  required: ['error', 'message'],
};

/** @param {readonly number[]} statuses */
const errorResponses = (statuses) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]));

/** @param {string} description */
const sentence = (description) => description.charAt(0).toUpperCase() + description.slice(1);

/** @param {Field} field */
function description(field) {
  const { requiredWhen: when, choices, open } = field;
  const parts = [field.description];
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
      // `format` is for generators that know only OpenAPI 3.0.
      return { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };
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

/** Named schemas, each written once. If two have the same name, the second gets the name of its operation appended. */
class Components {
  /** @param {Readonly<Record<string, { readonly pattern: RegExp }>>} textFormats */
  constructor(textFormats) {
    this.textFormats = textFormats;
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

/** @param {Fields} fields @param {Components} components @param {string} operation @param {boolean} isInput @param {string} [at] dotted path of the object, with a last dot @returns {Json} */
function objectSchema(fields, components, operation, isInput, at = '') {
  const required = Object.entries(fields)
    // Responses contain all fields: those without a value are null.
    .filter(([, field]) => !isInput || field.required)
    .map(([name]) => name);
  const conditions = isInput ? conditionsIn(fields, at) : [];
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        schemaOf(field, components, operation, isInput, `${at}${name}.`),
      ]),
    ),
    ...(required.length === 0 ? {} : { required }),
    ...(conditions.length === 0 ? {} : { allOf: conditions }),
  };
}

/** Items of lists in input must not be blank. @param {Field} of @param {boolean} isInput @returns {Field} */
const itemOf = (of, isInput) => (isInput ? { ...of, required: true } : of);

/** @param {Field} field @param {Components} components @param {string} operation @param {boolean} isInput @param {string} [at] @returns {Json} */
function schemaOf(field, components, operation, isInput, at = '') {
  if (field.kind === 'object' && field.name !== undefined) {
    return components.refer(
      field.name,
      { description: sentence(field.description), ...objectSchema(field.fields ?? {}, components, operation, isInput) },
      operation,
    );
  }
  const plain =
    field.kind === 'object'
      ? objectSchema(field.fields ?? {}, components, operation, isInput, at)
      : field.kind === 'list'
        ? {
            type: 'array',
            ...(field.of === undefined
              ? {}
              : { items: schemaOf(itemOf(field.of, isInput), components, operation, isInput) }),
          }
        : plainSchema(field);
  return {
    ...(field.nullable ? orNull(plain) : plain),
    ...(isInput ? inputLimits(field, components) : {}),
    description: description(field),
    ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }),
    ...(field.minimum === undefined ? {} : { minimum: field.minimum }),
    ...(field.default === undefined ? {} : { default: field.default }),
  };
}

/** What the service requires of input beside its type. @param {Field} field @param {Components} components @returns {Json} */
function inputLimits({ kind, required, format }, { textFormats }) {
  const pattern = kind === 'text' ? textFormats[format ?? '']?.pattern.source : undefined;
  // Blank text is the same as none.
  if (pattern !== undefined) return { pattern: required ? pattern : `^$|${pattern}` };
  return kind === 'text' && required ? { minLength: 1, pattern: '\\S' } : {};
}

/**
 * The conditions of the fields that others make required, in an object at a dotted path.
 * @param {Fields} fields @param {string} [at] @returns {Json[]}
 */
function conditionsIn(fields, at = '') {
  return Object.entries(fields).flatMap(([name, { requiredWhen, kind, fields: inner = {} }]) => {
    if (requiredWhen === undefined || !requiredWhen.field.startsWith(at)) return [];
    const given = requiredWhen.field.slice(at.length);
    if (given.includes('.')) return [];
    const innerRequired = Object.entries(inner).flatMap(([one, field]) =>
      field.requiredWhen?.field === requiredWhen.field ? [one] : [],
    );
    const limits =
      kind === 'list' ? { minItems: 1 } : innerRequired.length > 0 ? { required: innerRequired } : undefined;
    return [
      {
        if: { properties: { [given]: { const: requiredWhen.is } }, required: [given] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { required: [name], ...(limits === undefined ? {} : { properties: { [name]: limits } }) },
      },
    ];
  });
}

/**
 * Multipart bodies have flat names: `settings.indexPageNumber`.
 * @param {Fields} fields
 * @param {string} [above]
 * @returns {Fields}
 */
function flat(fields, above = '') {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.kind === 'object'
        ? Object.entries(flat(field.fields ?? {}, `${above}${name}.`))
        : // A form can omit a field, but it can't send null.
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

/**
 * The error statuses of the API document and those that the bundled service adds: any request may repeat a query
 * parameter (400), have an invalid token (401) or none (403), or find a state file that
 * is damaged (500) or locked (503).
 * @param {Endpoint} row
 */
const errorsOf = (row) =>
  [...new Set([...row.errors, 400, 401, 403, ...(row.params === undefined ? [] : [404]), 500, 503])].sort();

/** @param {Endpoint} row */
function descriptionOf({ description, list, repeat, destroys }) {
  const parts = [description];
  if (list?.paged) parts.push('Paged: pass `paging.nextCursor` as `cursor` until it is null, absent or empty.');
  if (repeat === 'unkeyed') parts.push('Each call creates another one: not to be repeated after an unknown outcome.');
  if (destroys) parts.push('Cannot be undone.');
  return parts.join(' ');
}

/** @param {Endpoint} row @param {Json | undefined} schema @returns {Json} */
function successOf(row, schema) {
  if (schema === undefined) {
    const status = row.method === 'DELETE' ? '204' : '200';
    return { [status]: { description: 'Done; the body is empty' } };
  }
  const done = { description: 'Done', content: { 'application/json': { schema } } };
  return row.repeat === 'safe' ? { 200: done } : { 200: done, 201: { ...done, description: 'Created' } };
}

/** @param {string} operation `licenses.create` @param {Endpoint} row @param {Components} components @returns {Json} */
function operationOf(operation, row, components) {
  const schema = answerSchema(row, components, operation);
  const body = row.encoding === 'multipart' ? flat(row.body ?? {}) : row.body;
  const parameters = [
    ...parametersIn('path', row.params ?? {}, components, operation),
    ...parametersIn('query', row.query ?? {}, components, operation),
    ...(row.list?.paged ? PAGING : []),
  ];
  return {
    operationId: operation,
    tags: [operation.split('.')[0]],
    summary: row.description.replace(/\.$/, ''),
    description: descriptionOf(row),
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
      ...successOf(row, schema),
      ...errorResponses(errorsOf(row)),
    },
  };
}

const HTML = { 'text/html': { schema: { type: 'string' } } };
const REDIRECT = {
  description: 'Back to the callback, with `code` and `state`, or with `error`, `error_description` and `state`',
  headers: { Location: { description: 'The callback', schema: { type: 'string', format: 'uri' } } },
};

/** @param {typeof import('../../src/contract/oauth.ts').oauth} oauth @param {Components} components @returns {Record<string, Json>} */
function oauthPaths({ authorize, token }, components) {
  const tokenError = components.refer(
    'TokenError',
    {
      type: 'object',
      description: 'Why a token request was refused',
      properties: {
        error: { type: 'string', description: 'MissingClientCredentials or InvalidClientCredentials' },
        message: { type: 'string', description: 'Reason' },
      },
      required: ['error', 'message'],
    },
    'oauth.token',
  );
  const body = { schema: objectSchema(token.body, components, 'oauth.token', true) };
  /** @param {string} description */
  const refusedToken = (description) => ({ description, content: { 'application/json': { schema: tokenError } } });
  const page = { description: 'Page that says why the login cannot go on', content: HTML };
  return {
    [authorize.path]: {
      get: {
        operationId: 'oauth.authorize',
        tags: ['oauth'],
        summary: authorize.description.replace(/\.$/, ''),
        description: 'Answers with a page for the user, or redirects to the registered callback with an error.',
        security: [],
        parameters: parametersIn('query', authorize.query, components, 'oauth.authorize'),
        responses: {
          200: { description: 'Page on which the user allows or refuses', content: HTML },
          303: REDIRECT,
          400: page,
        },
      },
      post: {
        operationId: 'oauth.consent',
        tags: ['oauth'],
        summary: 'Answer the authorization page',
        description: 'The form of the bundled service: another service has pages of its own.',
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                type: 'object',
                properties: {
                  consent: { type: 'string', description: 'Token of the page' },
                  persona: { type: 'string', description: 'Who logs in' },
                  user: { type: 'string', description: 'ID or e-mail address of another user who logs in' },
                  decision: { type: 'string', enum: ['allow', 'deny'], description: 'Answer of the user' },
                },
                required: ['consent', 'decision'],
              },
            },
          },
        },
        responses: { 303: REDIRECT, 400: page, 403: page },
      },
    },
    [token.path]: {
      post: {
        operationId: 'oauth.token',
        tags: ['oauth'],
        summary: token.description.replace(/\.$/, ''),
        description: 'The fields are read from the body, form-urlencoded or JSON, and from no Authorization header.',
        security: [],
        requestBody: { required: true, content: { [TYPES.form]: body, [TYPES.json]: body } },
        responses: {
          200: {
            description: 'Done',
            content: { 'application/json': { schema: schemaOf(token.returns, components, 'oauth.token', false) } },
          },
          400: refusedToken('Missing or wrong'),
          401: refusedToken('Missing or wrong, with the variant token-error-status=401'),
          403: refusedToken('Missing or wrong, with the variant token-error-status=403'),
        },
      },
    },
  };
}

/** The endpoint behind `File.url`. @returns {Json} */
const download = () => ({
  operationId: 'files.download',
  tags: ['files'],
  summary: 'Download a file',
  description: 'The bytes behind the `url` of a file.',
  parameters: [{ name: 'id', in: 'path', required: true, description: 'File id', schema: { type: 'string' } }],
  responses: {
    200: { description: 'The bytes', content: { '*/*': { schema: {} } } },
    ...errorResponses([400, 401, 403, 404, 500, 503]),
  },
});

/**
 * @param {Pick<import('../../src/commands/help/all-pages.ts').Manual, 'contract' | 'nodes' | 'oauth' | 'textFormats'>} manual
 * @returns {string} JSON, indented, with a final line break
 */
export function openapi({ contract, nodes, oauth, textFormats }) {
  const components = new Components(textFormats);
  components.refer('Error', ERROR, '');
  /** @type {Record<string, Json>} */
  const paths = {};
  for (const [resource, rows] of Object.entries(/** @type {Record<string, Record<string, Endpoint>>} */ (contract))) {
    for (const [name, row] of Object.entries(rows)) {
      const path = paths[row.path] ?? {};
      path[row.method.toLowerCase()] = operationOf(`${resource}.${name}`, row, components);
      paths[row.path] = path;
    }
  }
  paths['/v1/api/file/get/{id}'] = { get: download() };
  Object.assign(paths, oauthPaths(oauth, components));
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Content and Licensing Service',
      version: 'v1',
      description:
        'As edu understands it: made from the rows that its client, its commands and its bundled service share. The statuses and bodies of errors are those of the bundled service, where the API document does not show them.',
      contact: { name: 'The operator of your service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{base_url}',
        variables: { base_url: { default: 'http://127.0.0.1:4010', description: 'Default: edu offline serve' } },
      },
    ],
    tags: [
      ...Object.keys(contract).map((name) => ({
        name,
        description: nodes.find(({ path }) => path === name)?.entry.summary,
      })),
      { name: 'oauth', description: 'Login: the authorization page and the token request' },
    ],
    security: [{ accessToken: [] }],
    paths,
    components: {
      schemas: Object.fromEntries([...components.schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: Object.fromEntries(
        Object.entries(REASONS).map(([status, description]) => [
          status,
          { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
        ]),
      ),
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer' } },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
