/** Parses faults: which requests they affect, and how. */

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
export type FaultAction = (typeof ACTIONS)[number];

export interface Fault {
  readonly action: FaultAction;
  readonly method?: string;
  /** Affects only requests to this path, relative to the base URL; `*` matches one segment, `**` any rest. */
  readonly path?: string;
  /** `after`: carries out the request and loses only its response. Default `before`. */
  readonly when?: 'before' | 'after';
  /** Status of the response (`status`). */
  readonly status?: number;
  /**
   * Retry-After header of the response: seconds or an HTTP date for `status`; `seconds`, `date`, `0` or `none` for
   * `rate-limit`.
   */
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
  readonly times?: number;
}

/** Thrown for a fault that cannot be parsed. The message names the invalid word and the valid ones. */
export class BadFault extends Error {
  override readonly name = 'BadFault';
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];

const wholeNumber = (name: string, value: unknown, minimum: number): number => {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= minimum) return number;
  throw new BadFault(`"${String(value)}" is not a valid ${name}: expected a whole number of at least ${minimum}`);
};

const oneOf = <T extends string>(name: string, value: unknown, choices: readonly T[]): T => {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw new BadFault(`"${String(value)}" is not a valid ${name}: choose from ${choices.join(', ')}`);
};

const textOf = (name: string, value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw new BadFault(`${name} must be text, not ${JSON.stringify(value)}`);
};

const READERS: { readonly [K in keyof Fault]-?: (value: unknown) => NonNullable<Fault[K]> } = {
  action: (value) => oneOf('action', value, ACTIONS),
  method: (value) => oneOf('method', textOf('method', value).toUpperCase(), METHODS),
  path: (value) => {
    const path = textOf('path', value);
    if (path.startsWith('/')) return path;
    throw new BadFault(`"${path}" is not a path: it must start with "/"`);
  },
  when: (value) => oneOf('time', value, ['before', 'after'] as const),
  status: (value) => {
    const status = wholeNumber('status', value, 200);
    if (status <= 599) return status;
    throw new BadFault(`"${status}" is not a status: it must be from 200 to 599`);
  },
  retryAfter: (value) => {
    const text = textOf('retryAfter', value);
    if (/^[\x20-\x7e]+$/.test(text)) return text;
    throw new BadFault(`"${text}" is not a valid Retry-After: expected seconds or an HTTP date`);
  },
  body: (value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf('body', value)),
  latency: (value) => wholeNumber('latency in milliseconds', value, 0),
  pause: (value) => wholeNumber('pause in milliseconds', value, 0),
  type: (value) => {
    const type = textOf('type', value);
    if (/^[\w.+-]+\/[\w.+-]+$/.test(type)) return type;
    throw new BadFault(`"${type}" is not a media type such as text/html`);
  },
  rate: (value) => wholeNumber('rate (requests in a second)', value, 1),
  burst: (value) => wholeNumber('burst', value, 1),
  every: (value) => wholeNumber('distance (every)', value, 1),
  skip: (value) => wholeNumber('number to skip', value, 0),
  times: (value) => wholeNumber('number of times', value, 1),
};

/** The member that an action needs, with an example for the error. */
const NEEDED: { readonly [A in FaultAction]?: readonly [needed: keyof Fault, example: string] } = {
  status: ['status', 'the status: status=503'],
  latency: ['latency', 'milliseconds: latency=200'],
  'rate-limit': ['rate', 'requests in a second: rate=5'],
};

const isMember = (name: string): name is keyof Fault => Object.hasOwn(READERS, name);

/** Builds a fault from its members. `status` and `latency` imply the action. @throws BadFault */
export function faultOf(parts: Readonly<Record<string, unknown>>): Fault {
  const fault: Partial<Record<keyof Fault, unknown>> = {};
  for (const [name, value] of Object.entries(parts)) {
    if (value === undefined) continue;
    if (!isMember(name)) {
      throw new BadFault(`a fault has no "${name}": it has ${Object.keys(READERS).join(', ')}`);
    }
    fault[name] = READERS[name](value);
  }
  fault.action ??= fault.status !== undefined ? 'status' : fault.latency !== undefined ? 'latency' : undefined;
  if (fault.action === undefined) {
    throw new BadFault(`a fault needs an action: ${ACTIONS.join(', ')}, or status=503`);
  }
  const [needed, example] = NEEDED[fault.action as FaultAction] ?? [];
  if (needed !== undefined && fault[needed] === undefined) {
    throw new BadFault(`a fault with the action ${fault.action} needs ${example}`);
  }
  return fault as Fault;
}

const kebabToCamel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Parses a line such as `POST /v1/licenses 503 retry-after=1 every=3 times=2` or `reset when=after`. Words are separated
 * by spaces or colons; a word without `=` is a method, a path, a status or an action; `body=` takes the rest of the
 * line.
 * @throws BadFault
 */
export function parseFault(line: string): Fault {
  const parts: Record<string, unknown> = {};
  const put = (name: string, value: string): void => {
    if (Object.hasOwn(parts, name)) throw new BadFault(`"${name}" is given twice in "${line}"`);
    parts[name] = value;
  };
  const [words = '', body] = line.split(/(?<=^|\s)body=(.*)$/s);
  if (body !== undefined) put('body', body);
  for (const word of words.split(/[\s:]+/).filter((part) => part !== '')) {
    const equals = word.indexOf('=');
    if (/^\d+$/.test(word)) put('status', word);
    else if (equals > 0) put(kebabToCamel(word.slice(0, equals)), word.slice(equals + 1));
    else if (word.startsWith('/')) put('path', word);
    else if (METHODS.includes(word.toUpperCase())) put('method', word);
    else put('action', word);
  }
  return faultOf(parts);
}

/**
 * Parses JSON (one fault or a list), or one fault per line; empty lines and lines starting with `#` are ignored.
 * @throws BadFault
 */
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
    throw new BadFault(`the faults are not JSON: ${(error as Error).message}`);
  }
  return faultsOf(value);
}

/** Reads a fault or a list of them, each an object or a line. @throws BadFault */
export function faultsOf(value: unknown): Fault[] {
  return (Array.isArray(value) ? value : [value]).map((item: unknown) => {
    if (typeof item === 'string') return parseFault(item);
    if (typeof item === 'object' && item !== null) return faultOf(item as Record<string, unknown>);
    throw new BadFault(`${JSON.stringify(item)} is not a fault: expected an object or a line`);
  });
}
