/**
 * A local service of items without a natural key: classes, readers, subscriptions, end users, files. It fails creates
 * and lists as a test says, and counts what was created.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Reply, recordingServer } from '../support/recording-server.js';

/** The fate of one create: carried out or not, and answered, refused, broken off, or without a response. */
export type Fate =
  | 'ok'
  | { readonly status: number; readonly after?: boolean }
  | { readonly reset: 'before' | 'after' }
  | { readonly silent: 'before' | 'after' }
  /** Carried out, with an empty response. */
  | 'empty';

export type Thing = Readonly<Record<string, unknown>>;

export interface UnkeyedServer {
  readonly origin: string;
  /** All items, in order of creation. */
  readonly things: Thing[];
  /** Creates received, carried out or not. */
  readonly creates: () => number;
  readonly requests: readonly string[];
  /** Adds an item that another client has created. */
  add(body: Thing): string;
  close(): Promise<void>;
}

export interface UnkeyedServerOptions {
  /** By the number of the create, from 0. */
  readonly fate?: (index: number, body: Thing) => Fate;
  /** The status of the list, by the number of the request, from 0. */
  readonly list?: (index: number) => number;
  /** Delay of each response to a create, in milliseconds. */
  readonly latency?: number;
  /** Milliseconds until the list shows a created item. */
  readonly lag?: number;
  readonly port?: number;
}

/** How each resource returns what was sent. */
const SHOWN: Readonly<Record<string, (id: string, body: Thing) => Thing>> = {
  '/v1/classes': (id, { name, subjectId, schoolId }) => ({
    classId: id,
    className: name,
    classCode: `code-${id}`,
    subjectId,
    usersInClass: null,
    schoolId,
    creationDate: '2026-11-20T09:30:00.000',
    deactivationDate: null,
  }),
  '/v1/readers': (id, { title, subject, pdfDownloadable = false }) => ({
    id,
    ean: `9${id}`,
    title,
    subject: { id: subject, translatedName: null },
    organization: { id: 'd1', type: 'Distributor' },
    coverUrl: null,
    pdfUrl: null,
    type: { name: 'TeacherMaterial', translatedName: 'Material' },
    active: false,
    tableOfContents: null,
    pdfDownloadable,
  }),
  '/v1/subscriptions': (id, { maximumActivations, expirationDate }) => ({
    id,
    code: `code${id}`,
    maximumActivations,
    numberOfActivations: 0,
    expirationDate,
  }),
  '/v1/users/enduser': (id, { firstName, lastName, language }) => ({ id, email: null, firstName, lastName, language }),
  '/v1/files': (id) => ({ type: 'CloudStorage', id, url: `http://localhost/v1/api/file/get/${id}` }),
};

const LISTS: readonly (readonly [RegExp, (things: readonly Thing[]) => unknown])[] = [
  [/^\/v1\/schools\/[^/]+\/classes$/, (classes) => classes],
  [/^\/v1\/readers$/, (readers) => ({ readers, paging: { nextCursor: null } })],
  [/^\/v1\/subscriptions$/, (subscriptions) => ({ subscriptions, paging: { nextCursor: null } })],
];

/** Other requests of jobs. */
const FIXED: Readonly<Record<string, unknown>> = {
  '/v1/account': { id: 'u1', email: 'a@b.example', firstName: 'A', lastName: 'B', roles: [], permissions: [] },
  '/v1/users/u1': { id: 'u1', email: 'a@b.example', organization: { id: 'd1', type: 'Distributor' }, roles: [] },
  '/v1/books/subjects': { subjects: [{ id: '0001', translatedName: 'Mathematics' }] },
  '/v1/schools/s1': { id: 's1', name: 'Gymnasium', country: 'DE', city: 'Berlin', roles: [] },
  '/v1/schools': { schools: [{ id: 's1', name: 'Gymnasium', country: 'DE', city: 'Berlin' }], paging: {} },
};

export async function unkeyedServer(path: string, options: UnkeyedServerOptions = {}): Promise<UnkeyedServer> {
  const { fate = () => 'ok', list = () => 200, latency = 0, lag = 0 } = options;
  const things: Thing[] = [];
  const madeAt = new Map<Thing, number>();
  const requests: string[] = [];
  let creates = 0;
  let lists = 0;
  let made = 0;
  const shownBy = SHOWN[path];
  if (shownBy === undefined) throw new TypeError(`nothing is created at ${path}`);

  function make(body: Thing): Thing {
    const thing = shownBy?.(`n${++made}`, body) ?? {};
    things.push(thing);
    madeAt.set(thing, Date.now());
    return thing;
  }

  function create(body: Thing): Reply | Promise<Reply> {
    const what = fate(creates++, body);
    if (what === 'ok') return { body: make(body) };
    if (what === 'empty') {
      make(body);
      return { body: '' };
    }
    if ('status' in what) {
      if (what.after) make(body);
      return { status: what.status, body: { message: 'fault' } };
    }
    if (('reset' in what ? what.reset : what.silent) === 'after') make(body);
    return 'reset' in what ? { reset: true } : new Promise(() => {});
  }

  function read(asked: string): Reply {
    const shown = LISTS.find(([pattern]) => pattern.test(asked))?.[1];
    const one = things.find(({ id, classId }) => asked === `${path}/${id ?? classId}`);
    // A class by its ID has no dates (service-api-v1.md, "Class").
    const { schoolId: _, creationDate: __, deactivationDate: ___, ...shownById } = one ?? {};
    const fixed = FIXED[asked] ?? (one && shownById);
    if (shown === undefined)
      return fixed === undefined ? { status: 404, body: { message: 'nothing' } } : { body: fixed };
    const status = list(lists++);
    const listed = things.filter((thing) => Date.now() - (madeAt.get(thing) ?? 0) >= lag);
    return { status, body: status === 200 ? shown(listed) : { message: 'no list today' } };
  }

  const { origin, close } = await recordingServer(async ({ method, url, body }) => {
    const [asked = ''] = url.split('?');
    requests.push(`${method} ${asked}`);
    if (method === 'GET') return read(asked);
    if (latency > 0) await delay(latency);
    const text = body.toString();
    return create(text.startsWith('{') ? JSON.parse(text) : {});
  }, options.port);
  return {
    origin,
    close,
    things,
    creates: () => creates,
    requests,
    add: (body) => {
      const { id, classId } = make(body);
      return String(id ?? classId);
    },
  };
}
