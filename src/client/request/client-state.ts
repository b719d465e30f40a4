/** The state that all calls of one client share: base URL, clock, randomness, limits and trace. */
import type { Send } from '../../core/http.js';
import type { About } from './answer.js';
import type { Traffic } from './client.js';
import type { Clock } from './clock.js';
import { redactPath } from './redact.js';
import type { Outgoing } from './request.js';

/** Limits of time, in milliseconds. Those of a connection belong to the transport. */
export interface CallTimeouts {
  /** One attempt of a call without a file, from its beginning to the answer's end. */
  readonly whole: number;
}

/** An attempt in the output of `--debug`, with secrets redacted. */
export interface TraceEvent {
  readonly method: string;
  readonly url: string;
  /** Counted from 1. */
  readonly attempt: number;
  readonly status?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly requestId?: string | undefined;
  readonly error?: string | undefined;
  /** What the client does next: `retrying in 512 ms`. */
  readonly note?: string | undefined;
}

export interface Wire {
  readonly send: Send;
  /** Origin of the base URL. */
  readonly origin: string;
  readonly clock: Clock;
  /** A random number from 0 to below 1. */
  readonly random: () => number;
  /** Attempts after the first. */
  readonly retries: number;
  readonly timeouts: CallTimeouts;
  /** Max duration of an outage, from the first failed attempt of a call. */
  readonly maxWaitMs: number;
  /** Whether the service has ever responded, which proves that the address is right. */
  readonly contact: { made: boolean };
  readonly traffic: Traffic;
  /** Max bytes of a response. */
  readonly maxBytes: number;
  readonly trace: ((event: TraceEvent) => void) | undefined;
  /** Unused controllers for reuse, because creating one costs more than the rest of a request. */
  readonly idle: AbortController[];
  /** Values to redact. */
  readonly secrets: readonly string[];
  /** The source of the access token if it was not a login: `EDU_TOKEN`. */
  readonly tokenFrom: string | undefined;
}

/** Max characters of a path in an error. */
const MAX_PATH = 1000;

/** The request in an error. Its path is redacted lazily, because most calls have no error. */
export const aboutOf = (wire: Wire, out: Pick<Outgoing, 'method' | 'path'>): About => ({
  method: out.method,
  tokenFrom: wire.tokenFrom,
  get path() {
    const path = redactPath(out.path, wire.secrets);
    // A cursor may be megabytes long, too much for an error message.
    return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
  },
});
