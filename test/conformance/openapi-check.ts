/**
 * Compares each exchange with docs/openapi.json: the operation exists, its status is listed, the body has the listed
 * media type and schema, and a successful request has the required parameters and body.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chunksOf, type HttpRequest, type HttpResponse, type Send } from '../../src/core/http.js';

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is walked
type Node = any;

const file = join(import.meta.dirname, '..', '..', 'docs', 'openapi.json');
const openapi: Node = JSON.parse(readFileSync(file, 'utf8'));

const resolve = (node: Node): Node =>
  node?.$ref === undefined
    ? node
    : resolve(
        node.$ref
          .slice(2)
          .split('/')
          .reduce((found: Node, name: string) => found[name], openapi),
      );

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
};

/** The problems of a value by a schema, for the keywords that the document uses. */
function problemsOf(given: Node, value: unknown, path: string): string[] {
  const schema = resolve(given);
  if (schema.anyOf !== undefined) {
    const all = schema.anyOf.map((one: Node) => problemsOf(one, value, path));
    return all.some((problems: string[]) => problems.length === 0) ? [] : (all[0] ?? []);
  }
  const types: string[] = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => TYPES[type]?.(value))) return [`${path} is not ${types.join(' or ')}`];
  const problems: string[] = [];
  if (schema.enum !== undefined && !schema.enum.includes(value)) problems.push(`${path} is not one of ${schema.enum}`);
  if (typeof value === 'string' && [...value].length > (schema.maxLength ?? Number.POSITIVE_INFINITY)) {
    problems.push(`${path} is longer than ${schema.maxLength}`);
  }
  if (typeof value === 'number' && value < (schema.minimum ?? Number.NEGATIVE_INFINITY)) {
    problems.push(`${path} is less than ${schema.minimum}`);
  }
  if (typeof value === 'string' && schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) {
    problems.push(`${path} does not match ${schema.pattern}`);
  }
  if (schema.const !== undefined && schema.const !== value) problems.push(`${path} is not ${schema.const}`);
  if (Array.isArray(value) && value.length < (schema.minItems ?? 0)) problems.push(`${path} is too short`);
  for (const one of schema.allOf ?? []) {
    if (problemsOf(one.if, value, path).length === 0) problems.push(...problemsOf(one.then, value, path));
  }
  if (Array.isArray(value) && schema.items !== undefined) {
    problems.push(...value.flatMap((item, index) => problemsOf(schema.items, item, `${path}[${index}]`)));
  }
  if (isObject(value)) {
    const missing = (schema.required ?? []).filter((name: string) => value[name] === undefined);
    problems.push(...missing.map((name: string) => `${path}.${name} is missing`));
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      if (value[name] !== undefined) problems.push(...problemsOf(member, value[name], `${path}.${name}`));
    }
  }
  return problems;
}

const operations: readonly { method: string; pattern: RegExp; literals: number; operation: Node; name: string }[] =
  Object.entries<Node>(openapi.paths)
    .flatMap(([path, methods]) =>
      Object.entries<Node>(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
        literals: path.split('/').filter((segment) => !segment.startsWith('{')).length,
        operation,
        name: `${method.toUpperCase()} ${path}`,
      })),
    )
    .sort((one, other) => other.literals - one.literals);

const decoded = (path: string): string => path.split('/').map(decodeURIComponent).join('/');

/** The operation of a request; undefined for an undocumented path. */
export function operationOf(method: string, path: string) {
  try {
    // Literal segments are compared decoded; a slash in a parameter does not split segments.
    const plain = path.replace(/%2f/gi, '_');
    return operations.find((one) => one.method === method && one.pattern.test(decoded(plain)));
  } catch {
    return undefined;
  }
}

function problemsOfRequest(operation: Node, query: URLSearchParams, type: string, body: Buffer): string[] {
  const problems: string[] = [];
  for (const { name, in: place, required } of operation.parameters ?? []) {
    if (place === 'query' && required && !query.get(name)) problems.push(`the parameter ${name} is missing`);
  }
  if (operation.requestBody === undefined) return problems;
  const content = operation.requestBody.content[type];
  if (content === undefined) return [...problems, `a body of ${type || 'no type'} is not listed`];
  if (type === 'application/json') problems.push(...problemsOf(content.schema, JSON.parse(body.toString()), 'body'));
  return problems;
}

function problemsOfResponse(operation: Node, status: number, type: string, body: Buffer): string[] {
  const response = resolve(operation.responses[status]);
  if (response === undefined) return [`status ${status} is not listed`];
  if (response.content === undefined) return body.length === 0 ? [] : ['a body is not listed'];
  const content = response.content[type] ?? response.content['*/*'];
  if (content === undefined) return [`a body of ${type} is not listed for ${status}`];
  return type === 'application/json' ? problemsOf(content.schema, JSON.parse(body.toString()), 'answer') : [];
}

const typeOf = (headers: Readonly<Record<string, string>>): string => headers['content-type']?.split(';')[0] ?? '';

async function bytesOf(body: HttpResponse['body']): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(body)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Wraps a service's `Send` with the check.
 * @param problems receives the problems found
 */
export function checked(send: Send, baseUrl: string, problems: Set<string>): Send {
  return async (request: HttpRequest) => {
    const { method, url, headers } = request;
    const [path = '', query = ''] = url.slice(baseUrl.length).split('?', 2);
    const found = operationOf(method, path);
    if (found === undefined) return send(request);
    const isJson = typeOf(headers) === 'application/json' && request.body !== undefined;
    const sent = isJson ? await bytesOf(request.body ?? '') : Buffer.alloc(0);
    const response = await send(isJson ? { ...request, method, url, headers, body: sent } : request);
    const body = await bytesOf(response.body);
    const all = problemsOfResponse(found.operation, response.status, typeOf(response.headers), body);
    if (response.status < 300) {
      all.push(...problemsOfRequest(found.operation, new URLSearchParams(query), typeOf(headers), sent));
    }
    for (const problem of all) problems.add(`${found.name} ${response.status}: ${problem}`);
    return { ...response, body };
  };
}
