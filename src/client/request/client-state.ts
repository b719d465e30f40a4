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

/** What happened on the wire, for `--debug`. Secrets are taken out already. */
export interface TraceEvent {
  readonly method: string;
  readonly url: string;
  /** Counted from 1. */
  readonly attempt: number;
  readonly status?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly requestId?: string | undefined;
  readonly error?: string | undefined;
  /** What the client does next: `again in 512 ms`. */
  readonly note?: string | undefined;
}

export interface Wire {
  readonly send: Send;
  /** That of the base URL. */
  readonly origin: string;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Attempts after the first. */
  readonly retries: number;
  readonly timeouts: CallTimeouts;
  /** How long an outage may last, from the first attempt of a call that fails. */
  readonly maxWaitMs: number;
  /** Whether anything was ever answered: then the address is right. */
  readonly contact: { made: boolean };
  readonly traffic: Traffic;
  /** Maximum number of bytes of an answer. */
  readonly most: number;
  readonly trace: ((event: TraceEvent) => void) | undefined;
  /** Controllers of attempts that ended well: making one costs more than all else that is done for a request. */
  readonly idle: AbortController[];
  /** Values that must not be shown, as far as they are known yet. */
  readonly secrets: () => readonly string[];
  /** Where the access token came from, if it was not a login: `EDU_TOKEN`. */
  readonly tokenFrom: string | undefined;
}

/** Characters of a path that an error shows. */
const MAX_PATH = 1000;

/** A request as errors name it. The path is made fit to be shown when it is asked for: most calls have no error. */
export const aboutOf = (wire: Wire, out: Pick<Outgoing, 'method' | 'path'>): About => ({
  method: out.method,
  tokenFrom: wire.tokenFrom,
  get path() {
    const path = redactPath(out.path, wire.secrets());
    // A cursor may be megabytes long, too much for an error message.
    return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
  },
});
