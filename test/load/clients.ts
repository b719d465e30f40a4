/**
 * Concurrent clients of a service, each with its own connection, that know which data must exist afterwards. Each
 * response must follow the rules of the service or be caused by a fault.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { FORM_TYPE, formOf } from '../support/bundled-service.js';

/** The active faults. Each can be told from the service's own responses: by its body, or by the broken connection. */
export const FAULTS: readonly string[] = [
  'GET /v1/licenses 503 retry-after=0 every=11 body=injected',
  'GET /v1/users truncate every=7',
  'GET /v1/licenses dead-cursor every=9',
  'POST /v1/licenses reset when=after every=13',
  'POST /v1/licenses reset every=29',
  'PUT /v1/licenses/* 500 when=after every=19 body=injected',
  'DELETE /v1/licenses/* reset when=after every=23',
  'POST /v1/files reset every=7',
  'POST /v1/files truncate every=9',
  'GET /v1/account 429 retry-after=0 every=5 body=injected',
  'latency=15 every=7',
];

interface Answer {
  /** 0 if the connection broke. */
  readonly status: number;
  readonly bytes: Buffer;
}

/** The observations of all clients. */
export interface Tally {
  requests: number;
  /** Responses that only a fault can have caused, and broken connections. */
  injected: number;
  broken: number;
  uploads: number;
  /** Responses that the service must not have sent. */
  readonly wrong: string[];
  /** Codes of licences that exist, that do not, and whose outcome is unknown. */
  readonly there: Map<string, string>;
  readonly gone: Set<string>;
  readonly unknown: Set<string>;
}

export const newTally = (): Tally => ({
  requests: 0,
  injected: 0,
  broken: 0,
  uploads: 0,
  wrong: [],
  there: new Map(),
  gone: new Set(),
  unknown: new Set(),
});

interface Caller {
  (method: string, path: string, body?: unknown, type?: string): Promise<Answer>;
  close(): void;
}

/** Sends requests one after the other over one connection. */
function caller(baseUrl: string, token: string, tally: Tally): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const attempt = (method: string, path: string, body: unknown, type: string): Promise<Answer & { reused: boolean }> =>
    new Promise((resolve) => {
      const bytes = body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
      const chunks: Buffer[] = [];
      const lost = (): void => resolve({ status: 0, bytes: Buffer.concat(chunks), reused: sent.reusedSocket });
      const sent = request(
        `${baseUrl}${path}`,
        {
          method,
          agent,
          headers: {
            authorization: `Bearer ${token}`,
            ...(bytes === undefined ? {} : { 'content-type': type, 'content-length': bytes.length }),
          },
        },
        (answer: IncomingMessage) => {
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', lost);
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, bytes: Buffer.concat(chunks), reused: sent.reusedSocket }),
          );
        },
      );
      sent.on('error', lost);
      sent.end(bytes);
    });
  const call = async (method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> => {
    const answer = await attempt(method, path, body, type);
    tally.requests++;
    if (answer.status === 0) tally.broken++;
    else if (answer.bytes.toString() === 'injected') tally.injected++;
    return answer;
  };
  return Object.assign(call, { close: () => agent.destroy() });
}

const wasInjected = ({ status, bytes }: Answer): boolean => status === 0 || bytes.toString() === 'injected';

interface Entity {
  readonly id: string;
  readonly code: string;
  readonly nextCursor?: string | null;
  readonly [name: string]: unknown;
}

const parsed = ({ bytes }: Answer): Entity => JSON.parse(bytes.toString()) as Entity;

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The maximum of licences of a client: beyond that it deletes those that it creates, to limit their number. */
const KEPT = 3;

/**
 * One client: it creates, reads, changes and deletes its own licences, lists all of them, reads users, uploads and
 * downloads, until it is told to stop.
 */
export async function client(
  number: number,
  baseUrl: string,
  token: string,
  tally: Tally,
  goesOn: () => boolean,
): Promise<void> {
  const call = caller(baseUrl, token, tally);
  const own: { readonly id: string; readonly code: string }[] = [];
  let made = 0;

  /**
   * Any status except these, and those of faults, is wrong.
   * @returns whether it is one of these
   */
  const expected = (what: string, answer: Answer, ...statuses: readonly number[]): boolean => {
    if (wasInjected(answer)) return false;
    if (statuses.includes(answer.status)) return true;
    tally.wrong.push(`${what}: ${answer.status} ${answer.bytes.toString('utf8', 0, 200)}`);
    return false;
  };

  async function create(): Promise<void> {
    const code = `load${number}x${made++}`;
    const answer = await call('POST', '/v1/licenses', { name: code, code, type: 'Teacher', maximumActivations: 3 });
    if (!expected('create', answer, 200)) {
      tally.unknown.add(code);
      return;
    }
    own.push({ id: parsed(answer).id, code });
    tally.there.set(code, code);
  }

  async function change(): Promise<void> {
    const one = own.at(-1);
    if (one === undefined) return;
    const name = `${one.code} changed ${made++}`;
    const body = { name, code: one.code, type: 'Teacher', maximumActivations: 4 };
    const answer = await call('PUT', `/v1/licenses/${one.id}`, body);
    // The fault was injected after the request was carried out.
    if (expected('change', answer, 200) || answer.bytes.toString() === 'injected') tally.there.set(one.code, name);
  }

  async function remove(): Promise<void> {
    const one = own.shift();
    if (one === undefined) return;
    const answer = await call('DELETE', `/v1/licenses/${one.id}`);
    tally.there.delete(one.code);
    // The only fault here breaks the connection after the work.
    if (expected('delete', answer, 200, 204) || answer.status === 0) tally.gone.add(one.code);
  }

  async function read(): Promise<void> {
    const one = own[0];
    if (one === undefined) return;
    const byId = await call('GET', `/v1/licenses/${one.id}`);
    if (expected('get', byId, 200) && parsed(byId).code !== one.code) tally.wrong.push('get: another licence');
    const byCode = await call('GET', `/v1/licenses/code/${one.code}`);
    if (expected('get by code', byCode, 200) && parsed(byCode).id !== one.id) tally.wrong.push('code: another licence');
  }

  async function list(): Promise<void> {
    let cursor = '';
    for (let page = 0; page < 3; page++) {
      const answer = await call('GET', `/v1/licenses?type=BOOKS&limit=50${cursor}`);
      // Other clients delete licences meanwhile, which invalidates cursors.
      if (!expected('list', answer, 200, ...(page > 0 ? [400] : [])) || answer.status === 400) return;
      const { licenses, paging } = JSON.parse(answer.bytes.toString());
      if (licenses.length !== 50) tally.wrong.push(`list: ${licenses.length} licences on a page`);
      cursor = `&cursor=${encodeURIComponent(paging.nextCursor)}`;
    }
  }

  async function look(): Promise<void> {
    expected('account', await call('GET', '/v1/account'), 200);
    expected('users', await call('GET', '/v1/users?organization=d1&type=Distributor&limit=20'), 200);
    expected('nothing', await call('GET', '/v1/licenses/nothing-of-this-id'), 404);
    expected('no name', await call('POST', '/v1/classes', { subjectId: '0001' }), 400);
    expected('a stranger', await call('GET', '/v1/schools/s9'), 403);
  }

  async function upload(): Promise<void> {
    const bytes = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      randomBytes(20_000 + 1_000 * (number % 64)),
    ]);
    const parts = [
      { name: 'fileType', value: 'Image' },
      { name: 'file', value: bytes, filename: 'a.png', type: 'image/png' },
    ];
    const answer = await call('POST', '/v1/files', formOf(parts), FORM_TYPE);
    if (!expected('upload', answer, 200)) return;
    tally.uploads++;
    const back = await call('GET', `/v1/api/file/get/${parsed(answer).id}`);
    if (expected('download', back, 200) && hash(back.bytes) !== hash(bytes)) tally.wrong.push('download: other bytes');
  }

  try {
    for (let turn = number; goesOn(); turn++) {
      await create();
      await change();
      await read();
      if (own.length > KEPT) await remove();
      if (turn % 3 === 0) await list();
      if (turn % 4 === 0) await look();
      if (turn % 16 === 0) await upload();
    }
  } finally {
    call.close();
  }
}
