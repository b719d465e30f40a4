/** A service over HTTP with unusual but valid data, which a test gives it. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { RESOURCES } from '../../src/export/collect/resources.js';
import { onLoopback } from '../support/loopback.js';

export type Item = Readonly<Record<string, unknown>>;

export interface Strange {
  readonly account: Item;
  /** By the path of the list, with its organization or type. */
  readonly lists: ReadonlyMap<string, readonly Item[]>;
  /** By the ID of the licence; others are refused. */
  readonly activations: ReadonlyMap<string, readonly Item[]>;
}

const OWN = { id: 'd1', type: 'Distributor' };
const ACCOUNT = 'acc';

/** The data files of an export, each behind its name. */
export const linesIn = (folder: string): string =>
  RESOURCES.map((name) => `${name}\n${readFileSync(join(folder, `${name}.ndjson`), 'utf8')}`).join('');

const answerOf = ({ account, lists, activations }: Strange, { pathname, searchParams }: URL): unknown => {
  if (pathname === '/v1/account') return account;
  if (pathname === `/v1/users/${ACCOUNT}`) return { id: ACCOUNT, email: null, organization: OWN, roles: null };
  const licence = /^\/v1\/licenses\/(\w+)\/activations$/.exec(pathname)?.[1];
  if (licence !== undefined) {
    const shown = activations.get(licence);
    return shown === undefined ? undefined : { activations: shown };
  }
  const organization = searchParams.get('organization');
  const type = pathname === '/v1/licenses' ? searchParams.get('type') : null;
  const of = organization !== null ? `?organization=${organization}` : type === null ? '' : `?type=${type}`;
  const items = lists.get(pathname + of) ?? [];
  if (pathname.endsWith('/classes')) return items;
  return { [pathname.slice(pathname.lastIndexOf('/') + 1)]: items, paging: { nextCursor: null } };
};

/**
 * Starts one that stops when the test is over.
 * @returns its environment, and a function that replaces its data
 */
export async function strangeService(): Promise<{
  readonly env: Readonly<Record<string, string>>;
  readonly hold: (data: Strange) => void;
}> {
  let data: Strange | undefined;
  const server = createServer((request, response) => {
    const answer = data === undefined ? undefined : answerOf(data, new URL(request.url ?? '/', 'http://service'));
    response.writeHead(answer === undefined ? 403 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { message: 'not for you' }));
  });
  const { origin, close } = await onLoopback(server);
  onTestFinished(close);
  return {
    env: { EDU_BASE_URL: origin, EDU_TOKEN: 'token-of-a-test' },
    hold: (other) => {
      data = other;
    },
  };
}
