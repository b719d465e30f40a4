/** Finds the contract endpoint of a method and path, so that a raw request is retried like that endpoint. */
import { contract, oauth } from '../../contract/index.js';
import type { Endpoint } from '../../contract/vocabulary.js';

const endpoints = (): Endpoint[] =>
  [...Object.values(contract), oauth].flatMap((resource) => Object.values(resource) as Endpoint[]);

const isParameter = (part: string): boolean => part.startsWith('{');

function matches(pattern: string, path: string): boolean {
  const [expected, actual] = [pattern.split('/'), path.split('/')];
  return (
    expected.length === actual.length &&
    expected.every((part, index) => (isParameter(part) ? actual[index] !== '' : part === actual[index]))
  );
}

const literals = (pattern: string): number => pattern.split('/').filter((part) => !isParameter(part)).length;

/** The endpoint; undefined if the contract has none. Literal segments win over parameters (`books/types`). */
export function endpointOf(method: string, path: string): Endpoint | undefined {
  const [pathname = ''] = path.split('?');
  return endpoints()
    .filter((endpoint) => endpoint.method === method && matches(endpoint.path, pathname))
    .sort((a, b) => literals(b.path) - literals(a.path))[0];
}
