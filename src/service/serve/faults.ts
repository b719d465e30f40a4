/** Parses faults: which requests they affect, and how. */
import { isObject } from '../../core/json.js';
import { grouped } from '../../core/maps.js';
import { OptionError } from './option-values.js';
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

export interface Fault {
  readonly action: FaultAction;
  readonly method?: string;
  /** Affects only requests to this path, relative to the base URL; `*` matches one segment, `**` any rest. May have query
   * parameters, among others. */
  readonly path?: string;
  /** Affects only requests of this persona or user (ID or e-mail address). */
  readonly as?: string;
  /** Affects only requests whose JSON body has these members, among others. */
  readonly where?: Readonly<Record<string, unknown>>;
  /** `after`: carries out the request and loses only its response. Default `before`. */
  readonly when?: 'before' | 'after';
  readonly status?: number;
  /** Retry-After: seconds or an HTTP date for `status`; `seconds`, `date`, `0` or `none` for `rate-limit`. */
  readonly retryAfter?: string;
  /** Body of the response (`status`): JSON if it starts with `{` or `[`, else HTML. */
  readonly body?: string;
  /** Delay before anything else, in milliseconds. */
  readonly latency?: number;
  /** Milliseconds between two bytes of the response (`drip`); default 20. */
  readonly pause?: number;
  /** Content type of the response (`content-type`); default `text/html`. */
  readonly type?: string;
  /** Requests per second that a `rate-limit` allows. */
  readonly rate?: number;
  /** Requests at once that a `rate-limit` allows; default `rate`. */
  readonly burst?: number;
  /** Affects every Nth matching request; default: each. */
  readonly every?: number;
  readonly skip?: number;
  /** Affects each matching request with this chance. */
  readonly percent?: number;
  readonly times?: number;
}

const bad = (message: string): OptionError =>
  new OptionError(message, 'Write it like "POST /v1/licenses 503 retry-after=1 every=5".');

export const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];

const wholeNumber =
  (name: string, minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  (value: unknown): number => {
    const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
    if (Number.isSafeInteger(number) && Number(number) >= minimum && Number(number) <= maximum) return Number(number);
    const range = maximum > 1e9 ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
    throw bad(`"${String(value)}" is not a valid ${name}: expected a whole number ${range}`);
  };

const oneOf =
  <T extends string>(name: string, choices: readonly T[]) =>
  (value: unknown): T => {
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    throw bad(`"${String(value)}" is not a valid ${name}: choose from ${choices.join(', ')}`);
  };

const textLike =
  (name: string, pattern: RegExp, expected: string) =>
  (value: unknown): string => {
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && pattern.test(text)) return text;
    throw bad(`${JSON.stringify(text)} is not a ${name}: expected ${expected}`);
  };

/** 11 days. Node's timers end at once above 24.8. */
const MAX_WAIT_MS = 1e9;

const readBody = textLike('body', /^/, 'text or an object');

const READERS: { readonly [K in keyof Fault]-?: (value: unknown) => NonNullable<Fault[K]> } = {
  action: oneOf('action', ACTIONS),
  method: (value) => oneOf('method', METHODS)(typeof value === 'string' ? value.toUpperCase() : value),
  path: textLike('path', /^\//, 'one that starts with "/"'),
  as: textLike('user', /./, 'a persona, an ID or an e-mail address'),
  where: (value) => {
    if (isObject(value)) return value;
    throw bad(`${JSON.stringify(value)} is not an object with fields of the body`);
  },
  when: oneOf('time', ['before', 'after']),
  status: wholeNumber('status', 200, 599),
  retryAfter: textLike('Retry-After', /^[\x20-\x7e]+$/, 'seconds or an HTTP date'),
  body: (value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : readBody(value)),
  latency: wholeNumber('latency in milliseconds', 0, MAX_WAIT_MS),
  pause: wholeNumber('pause in milliseconds', 0, MAX_WAIT_MS),
  type: textLike('media type', /^[\w.+-]+\/[\w.+-]+$/, 'one such as text/html'),
  rate: wholeNumber('rate (requests in a second)', 1),
  burst: wholeNumber('burst', 1),
  every: wholeNumber('distance (every)', 1),
  skip: wholeNumber('number to skip', 0),
  percent: wholeNumber('percent', 1, 100),
  times: wholeNumber('number of times', 1),
};

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

const isMember = (name: string): name is keyof Fault => Object.hasOwn(READERS, name);

/** Builds a fault from its members. `status` and `latency` imply the action. @throws OptionError */
function faultOf(parts: Readonly<Record<string, unknown>>): Fault {
  const fault: Partial<Record<keyof Fault, unknown>> = {};
  for (const [name, value] of Object.entries(parts)) {
    if (value === undefined) continue;
    if (!isMember(name)) throw bad(`a fault has no "${name}": it has ${Object.keys(READERS).join(', ')}`);
    fault[name] = READERS[name](value);
  }
  requireEndpoint(fault.method as string | undefined, fault.path as string | undefined);
  fault.action ??= fault.status !== undefined ? 'status' : fault.latency !== undefined ? 'latency' : undefined;
  if (fault.action === undefined) throw bad(`a fault needs an action: ${ACTIONS.join(', ')}, or status=503`);
  const [needed, example] = NEEDED[fault.action as FaultAction] ?? [];
  if (needed !== undefined && fault[needed] === undefined) {
    throw bad(`a fault with the action ${fault.action} needs ${example}`);
  }
  const unused = Object.keys(fault).find(
    (name) => USED_BY[name as keyof Fault]?.includes(fault.action as FaultAction) === false,
  );
  if (unused !== undefined) throw bad(`a fault with the action ${fault.action} has no use for "${unused}"`);
  return fault as Fault;
}

const kebabToCamel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The object with these values at dotted paths. */
function nested(values: readonly (readonly [path: string, value: string])[]): Record<string, unknown> {
  const groups = grouped(values, ([path]) => [path.split('.', 1)[0] ?? '']);
  return Object.fromEntries(
    [...groups].map(([name, all]) => {
      const inner = all.map(([path, value]) => [path.slice(name.length + 1), value] as const);
      return [name, inner.length === 1 && inner[0]?.[0] === '' ? inner[0][1] : nested(inner)];
    }),
  );
}

/**
 * Parses a line such as `POST /v1/licenses 503 retry-after=1 every=3 times=2` or `reset when=after`. Words are separated
 * by spaces or colons; a word without `=` is a method, a path, a status or an action; `where.code=abc` is a
 * member of the request's body; `body=` takes the rest of the line.
 * @throws OptionError
 */
export function parseFault(line: string): Fault {
  const parts: Record<string, unknown> = {};
  const put = (name: string, value: string): void => {
    if (Object.hasOwn(parts, name)) throw bad(`"${name}" is given twice in "${line}"`);
    parts[name] = value;
  };
  const where: [path: string, value: string][] = [];
  const [words = '', body] = line.split(/(?<=^|\s)body=(.*)$/s);
  if (body !== undefined) put('body', body);
  for (const word of words.split(/[\s:]+/).filter((part) => part !== '')) {
    const equals = word.indexOf('=');
    if (word.startsWith('/')) put('path', word);
    else if (/^\d+$/.test(word)) put('status', word);
    else if (/^where\.[^=]+=/.test(word)) where.push([word.slice('where.'.length, equals), word.slice(equals + 1)]);
    else if (equals > 0) put(kebabToCamel(word.slice(0, equals)), word.slice(equals + 1));
    else if (METHODS.includes(word.toUpperCase())) put('method', word);
    else put('action', word);
  }
  return faultOf(where.length === 0 ? parts : { ...parts, where: nested(where) });
}

/** Parses JSON or one fault per line, without empty lines and those starting with `#`. @throws OptionError */
export function parseFaults(script: string): Fault[] {
  if (!/^\s*[[{]/.test(script)) {
    return script
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map(parseFault);
  }
  let value: unknown;
  try {
    value = JSON.parse(script);
  } catch (error) {
    throw bad(`the faults are not JSON: ${(error as Error).message}`);
  }
  return faultsOf(value);
}

/** Reads a fault or a list of them, each an object or a line. @throws OptionError */
export function faultsOf(value: unknown): Fault[] {
  return (Array.isArray(value) ? value : [value]).map((item: unknown) => {
    if (typeof item === 'string') return parseFault(item);
    if (typeof item === 'object' && item !== null) return faultOf(item as Record<string, unknown>);
    throw bad(`${JSON.stringify(item)} is not a fault: expected an object or a line`);
  });
}
