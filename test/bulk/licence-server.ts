/**
 * A local service of licences that fails requests as a test says (loses the response, returns 500, asks for a pause,
 * breaks the connection) and counts what was created.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Recorded, type Reply, recordingServer } from '../support/recording-server.js';

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

  const shown = (licence: Record<string, unknown>): Record<string, unknown> => ({
    numberOfActivations: 0,
    organization: { id: 'd1', type: 'Distributor' },
    endUsers: [],
    licenseCategory: 'Standard',
    ...licence,
    books: ((licence.books as string[] | undefined) ?? []).map((id) => ({ id, ean: '9780000000000', name: 'Book' })),
  });

  function create(body: Record<string, unknown>): Reply {
    const what = fate(posts++, body);
    const work = (): boolean => {
      const code = String(body.code);
      if (byCode.has(code) || foreign.includes(code)) return false;
      const licence = { ...body, id: `L${created.length + 1}` };
      byCode.set(code, licence);
      created.push(licence);
      return true;
    };
    if (what === 'ok')
      return work()
        ? { body: shown(byCode.get(String(body.code)) ?? {}) }
        : { status: 400, body: { message: 'the code exists' } };
    if ('reset' in what) {
      if (what.reset === 'after') work();
      return { reset: true };
    }
    const { status, after, text, retryAfter } = what;
    if (after) work();
    if (text !== undefined) return { status, headers: { 'content-type': 'text/html' }, body: text };
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    return { status, headers, body: { message: 'fault' } };
  }

  function read({ url, headers }: Recorded): Reply {
    const code = decodeURIComponent(url.split('/').at(-1) ?? '');
    const forbidden = { status: 403, body: { message: 'not yours' } };
    if (foreign.includes(code)) return forbidden;
    const found = byCode.get(code);
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    const organization = options.organizations?.[token] ?? 'd1';
    if (url === '/v1/account') return { body: { id: `u-${organization}`, email: 'a@b.example', roles: [] } };
    if (url === `/v1/users/u-${organization}`)
      return {
        status: options.ownStatus?.() ?? 200,
        body: { id: code, organization: { id: organization, type: 'Distributor' } },
      };
    if (url.startsWith('/v1/books/'))
      return { body: { id: code.split('?')[0], ean: '9780000000001', title: 'Fractions' } };
    if (url.startsWith('/v1/licenses?')) {
      const licenses = options.hidden === 'everywhere' ? [] : created.map(shown);
      return { body: { licenses, paging: { nextCursor: null } } };
    }
    if (options.isPage?.()) return { headers: { 'content-type': 'text/html' }, body: '<p>Sign in</p>' };
    if (found !== undefined && options.hidden !== undefined) return forbidden;
    if (found === undefined) return { status: 404, body: { message: 'no such licence' } };
    const { books, ...rest } = shown(found) as { books: { name: string }[] };
    return { body: { ...rest, books: books.map(({ name, ...book }) => ({ ...book, title: name })) } };
  }

  const { origin, close } = await recordingServer(async (request) => {
    requests.push(`${request.method} ${request.url}`);
    if (latency > 0) await delay(latency);
    return request.method === 'POST' ? create(JSON.parse(request.body.toString() || '{}')) : read(request);
  }, options.port);
  return {
    origin,
    close,
    created,
    posts: () => posts,
    requests,
  };
}
