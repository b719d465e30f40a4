/** The control route, outside `/v1`: reset, snapshots, clock, faults, journal. */
import { BodyTooLarge, type HttpRequest, type HttpResponse, readBytes, type Send } from '../../core/http.js';
import { isObject, isTooDeep, type JsonObject, MAX_JSON_DEPTH } from '../../core/json.js';
import { JSON_HEADERS, Refusal } from '../error-answer.js';
import type { Rehearsal } from '../rehearsal.js';
import { addressOf, isSameOrigin } from '../router.js';
import { isSeedName, SEED_NAMES } from '../seeds/seed.js';
import { countsIn } from '../state.js';
import { StateError } from '../store/state-error.js';
import { defaultVariants } from '../variants.js';
import { faultsOf } from './faults.js';
import { OptionError, requireDuration, requireKnown } from './option-values.js';
import { readClient, readKept, readTime, readVariantOptions } from './service-options.js';
import { recordsIn } from './test-users.js';

const CONTROL_PATH = '/_control';
const HEALTH_PATH = '/_health';
/** Required with any non-empty value. */
const CONTROL_HEADER = 'x-edu-control';

const MAX_BODY_BYTES = 1024 * 1024;

const json = (value: unknown): HttpResponse => ({
  status: 200,
  headers: JSON_HEADERS,
  body: `${JSON.stringify(value)}\n`,
});

type Action = (rehearsal: Rehearsal, input: Input) => unknown;

interface Input {
  readonly baseUrl: string;
  /** The path segment that `*` matched. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** The body, whose members are some of these. @throws OptionError for others, or another body */
function membersOf({ body = {} }: Input, ...known: readonly string[]): JsonObject {
  requireKnown(body, known);
  return body as JsonObject;
}

const bad = (message: string): Refusal => new Refusal(400, message);

function afterIn(query: URLSearchParams): number {
  const after = Number(query.get('after') ?? 0);
  if (!Number.isSafeInteger(after)) throw bad('after must be a whole number');
  return after;
}

const time = ({ clock }: Rehearsal) => ({ now: new Date(clock.now()).toISOString() });

const state: Action = (rehearsal, { baseUrl }) => ({
  baseUrl,
  seed: rehearsal.seedName(),
  ...time(rehearsal),
  faults: rehearsal.faults.state(),
  variants: rehearsal.variants,
  snapshots: rehearsal.snapshots.names(),
  requests: rehearsal.journal.last(),
});

async function reset(rehearsal: Rehearsal, input: Input): Promise<unknown> {
  const { keep, seed } = membersOf(input, 'keep', 'seed');
  // Not a path, because whoever can send requests would read the files of this user.
  if (seed !== undefined && !(typeof seed === 'string' && isSeedName(seed)))
    throw bad(`seed must be one of ${SEED_NAMES.join(', ')}`);
  await rehearsal.reset(readKept(keep), seed);
  return { seed: rehearsal.seedName() };
}

function takeSnapshot({ snapshots }: Rehearsal, input: Input): unknown {
  const { name } = membersOf(input, 'name');
  if (name !== undefined && (typeof name !== 'string' || !/^[\w.-]{1,60}$/.test(name) || /^\.+$/.test(name))) {
    throw bad('name must consist of letters, digits, "_", "-" and "."');
  }
  return { name: snapshots.take(name) };
}

const known = (done: boolean, name: string): unknown => {
  if (!done) throw new Refusal(404, `there is no snapshot ${JSON.stringify(name)}`);
  return { name };
};

function moveClock(rehearsal: Rehearsal, input: Input): unknown {
  const { advance, now } = membersOf(input, 'advance', 'now');
  if ((advance === undefined) === (now === undefined)) {
    throw bad('give either advance, such as "90s" or "2d", or now, an ISO 8601 time');
  }
  if (advance === undefined) rehearsal.clock.set(readTime('now', now));
  else rehearsal.clock.advance(requireDuration('advance', advance));
  return time(rehearsal);
}

const setFaults =
  (keep: boolean): Action =>
  ({ faults }, { body }) => {
    faults.add(body === undefined ? [] : faultsOf(body), !keep);
    return { faults: faults.state() };
  };

/** Sets variants, with `strange` on top of that mix. @param keep keeps the other variants as they are */
const setVariants =
  (keep: boolean): Action =>
  ({ variants }, { body = {} }) => {
    if (!isObject(body)) throw bad('give an object such as {"createdStatus": 201}');
    const { strange, ...given } = body;
    const changes = readVariantOptions(given, strange as number | undefined);
    return Object.assign(variants, keep ? {} : defaultVariants(), changes);
  };

function issueToken({ people }: Rehearsal, input: Input): unknown {
  const { user, expiresIn } = membersOf(input, 'user', 'expiresIn');
  if (typeof user !== 'string') throw bad('give user, an ID or an e-mail address');
  return { token: people.token(user, expiresIn === undefined ? undefined : requireDuration('expiresIn', expiresIn)) };
}

const endToken =
  (how: 'revoke' | 'expire'): Action =>
  ({ people }, input) => {
    people[how](String(membersOf(input, 'token').token ?? ''));
    return {};
  };

/** By method and path relative to the control path; `*` matches one segment. */
const ACTIONS: Readonly<Record<string, Action>> = {
  'GET ': state,
  'POST /reset': reset,
  'POST /restart': async (rehearsal) => {
    await rehearsal.restart();
    return { seed: rehearsal.seedName() };
  },
  'GET /snapshots': ({ snapshots }) => ({ snapshots: snapshots.names() }),
  'POST /snapshots': takeSnapshot,
  'POST /snapshots/*/restore': ({ snapshots }, input) =>
    known(snapshots.restore(input.name, readKept(membersOf(input, 'keep').keep)), input.name),
  'DELETE /snapshots/*': ({ snapshots }, { name }) => known(snapshots.remove(name), name),
  'GET /clock': time,
  'POST /clock': moveClock,
  'DELETE /clock': (rehearsal) => {
    rehearsal.clock.restore();
    return time(rehearsal);
  },
  'GET /faults': ({ faults }) => ({ faults: faults.state() }),
  'POST /faults': setFaults(true),
  'PUT /faults': setFaults(false),
  'DELETE /faults': setFaults(false),
  'GET /variants': ({ variants }) => variants,
  'PUT /variants': setVariants(false),
  'POST /variants': setVariants(true),
  'DELETE /variants': ({ variants }) => Object.assign(variants, defaultVariants()),
  'POST /tokens': issueToken,
  'POST /tokens/revoke': endToken('revoke'),
  'POST /tokens/expire': endToken('expire'),
  'POST /users/*/verify': ({ people }, { name }) => {
    people.verify(name);
    return { user: name };
  },
  'GET /emails': ({ people }) => ({ emails: people.emails() }),
  'POST /authorize': async (rehearsal, { body }) => ({ location: await rehearsal.authorize(body) }),
  'POST /clients': ({ people }, { body }) => people.register(readClient(body as never)),
  'GET /requests': ({ journal }, { query }) => ({ requests: journal.entries(afterIn(query)) }),
  'POST /verify': (rehearsal, input) => {
    const { expected, only } = Array.isArray(input.body)
      ? { expected: input.body, only: false }
      : membersOf(input, 'expected', 'only');
    if (!Array.isArray(expected)) throw bad('give a list such as ["POST /v1/licenses 200"]');
    return rehearsal.verify(expected, only === true);
  },
  'GET /state': ({ store }) => ({ counts: countsIn(store) }),
  'GET /state/*': ({ store }, { name, query }) => recordsIn(store, name, afterIn(query)),
  'DELETE /requests': ({ journal }) => {
    journal.clear();
    return { requests: [] };
  },
};

/** Rejects pages of other sites: they cannot send the header without a preflight. The service's own page can. */
function requireOwnSite(request: HttpRequest): void {
  if (!isSameOrigin(request) || !request.headers[CONTROL_HEADER]) {
    throw new Refusal(403, `this is for programs on this machine: send the header ${CONTROL_HEADER}: 1`);
  }
}

/** Returns true if a browser opens the control route as a page. The page itself sends the header for its data. */
const isNavigation = ({ method, headers }: HttpRequest, path: string): boolean =>
  method === 'GET' && path === '' && headers['sec-fetch-mode'] === 'navigate' && headers[CONTROL_HEADER] === undefined;

/** Reads a JSON object or list; for `/faults` also a text, which is the line of a fault. */
async function bodyOf({ body }: HttpRequest, path: string): Promise<unknown> {
  if (body === undefined) return undefined;
  try {
    const text = (await readBytes(body, MAX_BODY_BYTES)).toString();
    if (text.trim() === '') return undefined;
    if (isTooDeep(text)) throw bad(`the body is nested more than ${MAX_JSON_DEPTH} levels deep`);
    const value: unknown = JSON.parse(text);
    const isLine = typeof value === 'string' && path === '/faults';
    if (isLine || (typeof value === 'object' && value !== null)) return value;
    throw bad(`the body must be a JSON object or list, not ${JSON.stringify(value)}`);
  } catch (error) {
    if (error instanceof BodyTooLarge) throw bad(`the body must have at most ${MAX_BODY_BYTES} bytes`);
    if (error instanceof SyntaxError) throw bad(`the body is not valid JSON: ${error.message}`);
    throw error;
  }
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof Refusal) return error.status;
  if (error instanceof StateError) return error.isLocked ? 503 : 500;
  return error instanceof OptionError || error instanceof URIError ? 400 : undefined;
}

/** Handles requests under the control path and passes all others to the service. */
export function withControl(rehearsal: Rehearsal, baseUrl: string): Send {
  const send = rehearsal.sendAt(baseUrl);
  const respond = async (request: HttpRequest, path: string, query: string): Promise<HttpResponse> => {
    if (isNavigation(request, path)) return (await import('./control-page.js')).controlPage();
    requireOwnSite(request);
    const [, first = '', segment = '', ...rest] = path.split('/');
    const pattern = ['', first, '*', ...rest].join('/');
    const action = ACTIONS[`${request.method} ${path}`] ?? ACTIONS[`${request.method} ${pattern}`];
    if (action === undefined) throw new Refusal(404, `there is no ${request.method} ${CONTROL_PATH}${path}`);
    const name = decodeURIComponent(segment);
    const body = await bodyOf(request, path);
    const given = { baseUrl, name, query: new URLSearchParams(query), body };
    return json(await rehearsal.store.whenFree(() => action(rehearsal, given), request.signal));
  };
  return async (request) => {
    const { path, query } = addressOf(request.url, rehearsal.basePath);
    if (path === HEALTH_PATH) return json({ status: 'ok' });
    if (path === '/' && request.headers['sec-fetch-mode'] === 'navigate')
      return { status: 303, headers: { location: `${baseUrl}${CONTROL_PATH}` }, body: '' };
    if (path !== CONTROL_PATH && !path.startsWith(`${CONTROL_PATH}/`)) return send(request);
    try {
      return await respond(request, path.slice(CONTROL_PATH.length).replace(/\/$/, ''), query);
    } catch (error) {
      const status = statusOf(error);
      if (status === undefined || !(error instanceof Error)) throw error;
      const hint = 'hint' in error && error.hint !== '' ? { hint: error.hint } : {};
      return { ...json({ error: error.name, message: error.message, ...hint }), status };
    }
  };
}
