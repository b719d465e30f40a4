/** The options of a client, and the state that all its calls share. */
import { type Send, withoutTrailingSlash } from '../../core/http.js';
import type { About } from './answer.js';
import type { Traffic } from './client.js';
import { type Clock, systemClock } from './clock.js';
import { redactPath } from './redact.js';
import { type CommonHeaders, commonHeaders, type Outgoing } from './request.js';
import type { TraceContext } from './trace-context.js';

/** An attempt in the output of `--debug`, with secrets redacted. */
export interface TraceEvent {
  readonly method: string;
  readonly url: string;
  /** Counted from 1. */
  readonly attempt: number;
  readonly status?: number | undefined;
  readonly durationMs?: number | undefined;
  /** The service's ID of the request, if it returned one. */
  readonly requestId?: string | undefined;
  readonly traceparent?: string | undefined;
  readonly error?: string | undefined;
  /** What the client does next: `retrying in 512 ms`. */
  readonly note?: string | undefined;
}

/** True if the token is valid according to GET account; `unknown` if that fails for another reason. */
export type Verdict = 'good' | 'refused' | 'unknown';

/** The choices of a client's creator. */
interface Choices {
  readonly clock: Clock;
  /** A random number from 0 to below 1. */
  readonly random: () => number;
  /** Max number of attempts after the first, in an outage too; by default 3, and in an outage until `maxWaitMs`. */
  readonly retries?: number | undefined;
  /** Timeout of one attempt of a call without a file, from its beginning to the end of the response. */
  readonly timeoutMs: number;
  /** Max duration of an outage, from the first failed attempt of a call. */
  readonly maxWaitMs: number;
  readonly maxBytes: number;
  readonly trace?: ((event: TraceEvent) => void) | undefined;
  /** Called before each wait for the service, with its status or `no response`. */
  readonly onWait?: ((reason: string) => void) | undefined;
  /** Gives requests to the service a `traceparent`. */
  readonly traceContext?: TraceContext | undefined;
  /** Values to redact besides the access token. */
  readonly secrets: readonly string[];
  /** The source of the access token if it was not a login: `EDU_TOKEN`. */
  readonly tokenFrom?: string | undefined;
}

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

export interface ClientOptions extends Optional<Choices> {
  /** Sends requests, and adds the access token. */
  readonly send: Send;
  /** Must have been checked: https, or http on this machine. */
  readonly baseUrl: string;
  /** The access token in use, if any, to redact it and to distinguish "not logged in" from "not allowed". */
  readonly token?: string | undefined;
  /** `edu/1.0.0` */
  readonly userAgent?: string | undefined;
}

export interface ClientState extends Choices {
  readonly send: Send;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly origin: string;
  /** True if the service has ever responded, which proves that the address is right. */
  readonly contact: { made: boolean };
  readonly traffic: Traffic;
  readonly token: string | undefined;
  /** The last check of the token by GET account, for diagnose-403.ts. */
  readonly tokenCheck: { goodAt?: number; asking?: Promise<Verdict> | undefined };
  readonly headers: CommonHeaders;
  /** Paths of lists that reject a page size. */
  readonly sizeRefused: Set<string>;
  /** Controllers of attempts that ended unaborted: making one costs as much as building a request. */
  readonly idle: AbortController[];
}

const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const MAX_WAIT_MS = 60_000;
/** Default of --max-wait in exports and bulk jobs. */
export const LONG_MAX_WAIT_MS = 5 * 60_000;

export function stateOf({
  baseUrl: given,
  token,
  secrets = [],
  userAgent = 'edu',
  ...choices
}: ClientOptions): ClientState {
  const baseUrl = withoutTrailingSlash(given);
  return {
    ...choices,
    baseUrl,
    origin: new URL(baseUrl).origin,
    clock: choices.clock ?? systemClock,
    random: choices.random ?? Math.random,
    timeoutMs: choices.timeoutMs ?? TIMEOUT_MS,
    maxWaitMs: choices.maxWaitMs ?? MAX_WAIT_MS,
    maxBytes: choices.maxBytes ?? MAX_BYTES,
    contact: { made: false },
    traffic: { requests: 0, retries: 0, waitedMs: 0 },
    // The caller may add a renewed token.
    secrets: token === undefined || secrets.includes(token) ? secrets : [...secrets, token],
    token,
    tokenCheck: {},
    // gzip reduces the size of a list by nine tenths; decompression is limited where responses are read.
    headers: commonHeaders({ 'accept-encoding': 'gzip', 'user-agent': userAgent }),
    sizeRefused: new Set(),
    idle: [],
  };
}

/** The request in an error. */
export function aboutOf(state: ClientState, { method, path }: Pick<Outgoing, 'method' | 'path'>): About {
  return { method, path: redactPath(path, state.secrets), tokenFrom: state.tokenFrom };
}
