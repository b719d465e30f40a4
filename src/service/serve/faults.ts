/** Parses faults: which requests they affect, and how. */
import { any, choice, type InputFields, integer, text } from '../../contract/vocabulary.js';
import { METHODS } from '../../core/http.js';
import { isObject } from '../../core/json.js';
import { grouped } from '../../core/maps.js';
import { badOption, OptionError, partsOf, readGiven } from './option-values.js';
import { requireEndpoint } from './request-pattern.js';

const ACTIONS = [
  'status',
  'reset',
  'truncate',
  'hang',
  'drip',
  'content-type',
  'hostile',
  'dead-cursor',
  'loop-cursor',
  'insert',
  'remove',
  'move',
  'rate-limit',
  'latency',
] as const;
type FaultAction = (typeof ACTIONS)[number];

/** In milliseconds: 11 days. Node's timers end at once above 24.8. */
const WAIT = { minimum: 0, maximum: 1e9 } as const;

const FAULT = {
  action: choice(ACTIONS, 'what happens; `status` and `latency` imply it'),
  method: choice(METHODS, 'method of the affected requests'),
  path: text(
    'their path below the base URL: `*` is one segment, `**` any rest; may have query parameters, among others',
  ),
  as: text('the persona or user who sends them (ID or e-mail address)'),
  where: any('members of their JSON body, among others'),
  when: choice(['before', 'after'], '`after`: carries out the request and loses only its response'),
  status: integer('status of the response', { minimum: 200, maximum: 599 }),
  retryAfter: text('Retry-After: seconds or an HTTP date; with `rate-limit` `seconds`, `date`, `0` or `none`'),
  body: text('body of the response (`status`): JSON if it starts with `{` or `[`, else HTML'),
  latency: integer('delay before anything else, in milliseconds', WAIT),
  pause: integer('milliseconds between two bytes of the response (`drip`); default 20', WAIT),
  type: text('content type of the response (`content-type`); default `text/html`'),
  rate: integer('requests per second that a `rate-limit` allows', { minimum: 1 }),
  burst: integer('requests at once that a `rate-limit` allows; default `rate`', { minimum: 1 }),
  every: integer('every Nth matching request; default: each', { minimum: 1 }),
  skip: integer('not the first N matching requests', { minimum: 0 }),
  percent: integer('the chance of each matching request', { minimum: 1, maximum: 100 }),
  times: integer('at most so often', { minimum: 1 }),
} as const;

export type Fault = InputFields<typeof FAULT> & { readonly action: FaultAction };

const HINT = 'Write it like "POST /v1/licenses 503 retry-after=1 every=5".';

const bad = (message: string): OptionError => new OptionError(message, HINT);

/** The member that an action needs, with an example for the error. */
const NEEDED: { readonly [A in FaultAction]?: readonly [needed: keyof Fault, example: string] } = {
  status: ['status', 'the status: status=503'],
  latency: ['latency', 'milliseconds: latency=200'],
  'rate-limit': ['rate', 'requests in a second: rate=5'],
};

/** The members that only some actions use, with these actions. */
const USED_BY: { readonly [K in keyof Fault]?: readonly FaultAction[] } = {
  when: ['status', 'reset', 'hang'],
  status: ['status'],
  retryAfter: ['status', 'rate-limit'],
  body: ['status'],
  pause: ['drip'],
  type: ['content-type'],
  rate: ['rate-limit'],
  burst: ['rate-limit'],
};

/** Builds a fault from its members. `status` and `latency` imply the action. @throws OptionError */
function faultOf(given: Readonly<Record<string, unknown>>, fromText = false): Fault {
  const { retryAfter, body } = given;
  const texts = {
    ...(typeof retryAfter === 'number' ? { retryAfter: String(retryAfter) } : {}),
    ...(typeof body === 'object' && body !== null ? { body: JSON.stringify(body) } : {}),
  };
  const parts = readGiven('the fault', FAULT, { ...given, ...texts }, HINT, fromText);
  if (parts.where !== undefined && !isObject(parts.where)) throw badOption('where', parts.where, HINT);
  requireEndpoint(parts.method, parts.path);
  const action = parts.action ?? (parts.status !== undefined ? 'status' : parts.latency !== undefined && 'latency');
  if (!action) throw bad(`a fault needs an action: ${ACTIONS.join(', ')}, or status=503`);
  const [needed, example] = NEEDED[action] ?? [];
  if (needed !== undefined && parts[needed] === undefined) {
    throw bad(`a fault with the action ${action} needs ${example}`);
  }
  const unused = Object.keys(parts).find((name) => USED_BY[name as keyof Fault]?.includes(action) === false);
  if (unused !== undefined) throw bad(`a fault with the action ${action} has no use for "${unused}"`);
  return { ...parts, action };
}

/** The object with these values at dotted paths. */
function nested(values: readonly (readonly [path: string, value: unknown])[]): Record<string, unknown> {
  const groups = grouped(values, ([path]) => [path.split('.', 1)[0] ?? '']);
  return Object.fromEntries(
    [...groups].map(([name, all]) => {
      const inner = all.map(([path, value]) => [path.slice(name.length + 1), value] as const);
      return [name, inner.length === 1 && inner[0]?.[0] === '' ? inner[0][1] : nested(inner)];
    }),
  );
}

/**
 * Parses a line such as `POST /v1/licenses 503 retry-after=1 every=3 times=2` or `reset when=after`. `where.code=abc` is
 * a member of the request's body; `body=` takes the rest of the line.
 * @throws OptionError
 */
export function parseFault(line: string): Fault {
  const [words = '', body] = line.split(/(?<=^|\s)body=(.*)$/s);
  const parts = [...partsOf(words, (word) => ['action', word])];
  return faultOf(nested(body === undefined ? parts : [...parts, ['body', body]]), true);
}

/** Parses one fault per line, without empty lines and those starting with `#`. @throws OptionError */
export const parseFaults = (script: string): Fault[] =>
  script
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseFault);

/** Reads a fault or a list of them, each an object or a line. @throws OptionError */
export const faultsOf = (value: unknown): Fault[] =>
  [value].flat().map((item: unknown) => {
    if (typeof item === 'string') return parseFault(item);
    if (isObject(item)) return faultOf(item);
    throw badOption('the fault', item, HINT);
  });
