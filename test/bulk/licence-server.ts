/**
 * A local service of licences that fails requests as a test says (loses the response, returns 500, asks for a pause,
 * breaks the connection) and counts what was created.
 */
import { createServer, type ServerResponse } from 'node:http';
import { onLoopback } from '../support/loopback.js';

/**
 * The fate of one create: `ok`; a status before or after the work, with an optional body; a broken connection before or
 * after it; or a licence of another organization.
 */
export type Fate =
  | 'ok'
  | { readonly status: number; readonly after?: boolean; readonly retryAfter?: number; readonly text?: string }
  | { readonly reset: 'before' | 'after' };

export interface LicenceServer {
  readonly origin: string;
  /** Bodies of all creates that were carried out, in order. */
  readonly created: readonly Readonly<Record<string, unknown>>[];
  /** Creates received, carried out or not. */
  readonly posts: () => number;
  /** The maximum of simultaneous creates. */
  readonly atOnce: () => number;
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export interface LicenceServerOptions {
  /** By the number of the create, from 0. */
  readonly fate?: (index: number, body: Readonly<Record<string, unknown>>) => Fate;
  /** Delay of each response in milliseconds. */
  readonly latency?: number;
  /** Codes of licences that the caller may not see. */
  readonly foreign?: readonly string[];
  /** Return 403 for each licence, as for licences owned by a school; `listed` shows them in the list. */
  readonly hidden?: 'everywhere' | 'listed';
  /** True for requests by code that a proxy answers with a page. */
  readonly isPage?: () => boolean;
  /** True for requests by code that do not find a new licence yet. */
  readonly isLate?: () => boolean;
  /** IDs of organizations by access token; d1 for any other. */
  readonly organizations?: Readonly<Record<string, string>>;
  /** The status for the caller's own user, which alone names the organization (default 200). */
  readonly ownStatus?: () => number;
  readonly port?: number;
}

export async function licenceServer(options: LicenceServerOptions = {}): Promise<LicenceServer> {
  const { fate = () => 'ok', latency = 0, foreign = [] } = options;
  const created: Record<string, unknown>[] = [];
  const byCode = new Map<string, Record<string, unknown>>();
  const requests: string[] = [];
  let posts = 0;
  let running = 0;
  let most = 0;

  const answer = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
  const shown = (licence: Record<string, unknown>): Record<string, unknown> => ({
    numberOfActivations: 0,
    organization: { id: 'd1', type: 'Distributor' },
    endUsers: [],
    licenseCategory: 'Standard',
    ...licence,
    books: ((licence.books as string[] | undefined) ?? []).map((id) => ({ id, ean: '9780000000000', name: 'Book' })),
  });

  function create(response: ServerResponse, body: Record<string, unknown>): void {
    const what = fate(posts++, body);
    const work = (): boolean => {
      const code = String(body.code);
      if (byCode.has(code) || foreign.includes(code)) return false;
      const licence = { ...body, id: `L${created.length + 1}` };
      byCode.set(code, licence);
      created.push(licence);
      return true;
    };
    if (what === 'ok') {
      const isNew = work();
      if (isNew) answer(response, 200, shown(byCode.get(String(body.code)) ?? {}));
      else answer(response, 400, { message: 'the code exists' });
      return;
    }
    if ('reset' in what) {
      if (what.reset === 'after') work();
      response.socket?.resetAndDestroy();
      return;
    }
    if (what.after) work();
    if (what.text !== undefined) {
      response.writeHead(what.status, { 'content-type': 'text/html' }).end(what.text);
      return;
    }
    answer(
      response,
      what.status,
      { message: 'fault' },
      what.retryAfter === undefined ? {} : { 'retry-after': String(what.retryAfter) },
    );
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      requests.push(`${request.method} ${request.url}`);
      running++;
      most = Math.max(most, running);
      const act = (): unknown => {
        running--;
        if (request.method === 'POST') return create(response, JSON.parse(Buffer.concat(chunks).toString() || '{}'));
        const code = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
        if (foreign.includes(code)) return answer(response, 403, { message: 'not yours' });
        const found = byCode.get(code);
        const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
        const organization = options.organizations?.[token] ?? 'd1';
        if (request.url === '/v1/account')
          return answer(response, 200, { id: `u-${organization}`, email: 'a@b.example', roles: [] });
        if (request.url === `/v1/users/u-${organization}`)
          return answer(response, options.ownStatus?.() ?? 200, {
            id: code,
            organization: { id: organization, type: 'Distributor' },
          });
        if (request.url?.startsWith('/v1/books/'))
          return answer(response, 200, { id: code.split('?')[0], ean: '9780000000001', title: 'Fractions' });
        if (request.url?.startsWith('/v1/licenses?')) {
          const licenses = options.hidden === 'everywhere' ? [] : created.map(shown);
          return answer(response, 200, { licenses, paging: { nextCursor: null } });
        }
        if (options.isPage?.()) return response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>');
        if (found !== undefined && options.hidden !== undefined) return answer(response, 403, { message: 'not yours' });
        if (found === undefined || options.isLate?.()) return answer(response, 404, { message: 'no such licence' });
        const { books, ...rest } = shown(found) as { books: { name: string }[] };
        answer(response, 200, { ...rest, books: books.map(({ name, ...book }) => ({ ...book, title: name })) });
      };
      if (latency === 0) act();
      else setTimeout(act, latency);
      return undefined;
    });
  });
  const loopback = await onLoopback(server, options.port);
  return {
    ...loopback,
    created,
    posts: () => posts,
    atOnce: () => most,
    requests,
  };
}
