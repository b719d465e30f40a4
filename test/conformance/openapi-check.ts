/**
 * Compares each exchange with docs/openapi.json: the operation exists, its status is listed, the body has the listed
 * media type and schema, and a successful request has the required parameters and body.
 */
import { chunksOf, type HttpRequest, type HttpResponse, type Send } from '../../src/core/http.js';
import { type Node, nodeAt, openapi, resolved, validator } from '../support/openapi.js';

const operations = Object.entries<Node>(openapi.paths)
  .flatMap(([path, methods]) =>
    Object.entries<Node>(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      literals: path.split('/').filter((segment) => !segment.startsWith('{')).length,
      operation,
      place: ['paths', path, method] as const,
      name: `${method.toUpperCase()} ${path}`,
    })),
  )
  .sort((one, other) => other.literals - one.literals);

type Operation = (typeof operations)[number];

const decoded = (path: string): string => path.split('/').map(decodeURIComponent).join('/');

/** The operation of a request; undefined for an undocumented path. */
export function operationOf(method: string, path: string): Operation | undefined {
  try {
    // Literal segments are compared decoded; a slash in a parameter does not split segments.
    const plain = path.replace(/%2f/gi, '_');
    return operations.find((one) => one.method === method && one.pattern.test(decoded(plain)));
  } catch {
    return undefined;
  }
}

/** The problems of JSON by the schema at a place. */
function problemsOf(name: string, json: string, ...place: readonly (string | number)[]): string[] {
  const isValid = validator(...place);
  if (isValid(JSON.parse(json))) return [];
  return (isValid.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
}

function problemsOfRequest({ operation, place }: Operation, query: URLSearchParams, type: string, body: Buffer) {
  const problems: string[] = [];
  for (const { name, in: given, required } of operation.parameters ?? []) {
    if (given === 'query' && required && !query.get(name)) problems.push(`the parameter ${name} is missing`);
  }
  if (operation.requestBody === undefined) return problems;
  if (operation.requestBody.content[type] === undefined)
    return [...problems, `a body of ${type || 'no type'} is not listed`];
  if (type !== 'application/json') return problems;
  return [...problems, ...problemsOf('body', body.toString(), ...place, 'requestBody', 'content', type, 'schema')];
}

function problemsOfResponse({ place }: Operation, status: number, type: string, body: Buffer): string[] {
  const at = resolved(...place, 'responses', status);
  const response = nodeAt(...at);
  if (response === undefined) return [`status ${status} is not listed`];
  if (response.content === undefined) return body.length === 0 ? [] : ['a body is not listed'];
  if (response.content[type] === undefined && response.content['*/*'] === undefined)
    return [`a body of ${type} is not listed for ${status}`];
  return type === 'application/json' ? problemsOf('answer', body.toString(), ...at, 'content', type, 'schema') : [];
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
    const all = problemsOfResponse(found, response.status, typeOf(response.headers), body);
    if (response.status < 300) {
      all.push(...problemsOfRequest(found, new URLSearchParams(query), typeOf(headers), sent));
    }
    for (const problem of all) problems.add(`${found.name} ${response.status}: ${problem}`);
    return { ...response, body };
  };
}
