/** The client of one command: where its requests go, who it acts as, how long it waits, and what `--debug` shows of it. */
import { textOf, type Values } from '../cli/command.js';
import { debugTrace } from '../cli/debug-trace.js';
import type { Client } from '../client/request/client.js';
import { createClient } from '../client/request/create-client.js';
import type { Transport } from '../client/transport/network.js';
import { version } from '../core/version.js';
import { type Effective, requireBaseUrl } from '../settings/in-effect.js';
import { ownState } from '../settings/own-state.js';
import type { Surroundings } from './runtime.js';

export interface Connection {
  readonly client: Client;
  readonly close: () => Promise<void>;
}

export interface ConnectOptions {
  readonly globals: Values;
  readonly surroundings: Surroundings;
  readonly effective: Effective;
  readonly isOffline: boolean;
  /** Runs unattended, and takes long to start again: an export or a bulk job. */
  readonly isLong: boolean;
  /** Whether the user could log in on this terminal. */
  readonly canAsk: boolean;
}

/** How long a connection may take, and an answer's head or the pause between two of its parts, in milliseconds. */
const CONNECT = 10_000;
const ANSWER = 30_000;
/** How long exports and bulk jobs ride out an outage (PRODUCT.md section 3). */
const LONG_MAX_WAIT_MS = 5 * 60_000;

interface Place {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly token: () => Promise<string | undefined>;
  /** The variable that holds the token, if one does. */
  readonly tokenFrom?: string | undefined;
  /** Values besides the token that must not be shown. */
  readonly secrets: readonly string[];
}

async function bundled({ globals, surroundings }: ConnectOptions): Promise<Place> {
  const { createLocal, OFFLINE_BASE_URL } = await import('../client/transport/local.js');
  const { personaToken, PERSONAS } = await import('../service/personas.js');
  const { env, now, randomBytes } = surroundings;
  const persona = PERSONAS.find((name) => name === textOf(globals, 'as')) ?? PERSONAS[0];
  return {
    transport: createLocal({ directory: ownState(env, 'offline'), now, randomBytes }),
    baseUrl: OFFLINE_BASE_URL,
    token: async () => personaToken(persona),
    secrets: [],
  };
}

async function remote({ surroundings: { env }, effective, canAsk }: ConnectOptions): Promise<Place> {
  const { accessToken } = await import('../auth/credentials/credentials.js');
  const { createNetwork } = await import('../client/transport/network.js');
  // First: without a token no request can succeed.
  const place = { env, profile: effective.profile.value, baseUrl: effective.baseUrl?.value };
  const { token, source, from } = accessToken(place, canAsk);
  const baseUrl = requireBaseUrl(effective);
  const answer = effective.timeout?.value ?? ANSWER;
  const timeouts = { connect: Math.min(CONNECT, answer), firstByte: answer, silence: answer };
  return {
    transport: createNetwork({ timeouts, env }),
    baseUrl,
    token: async () => token,
    tokenFrom: source === 'environment' ? from : undefined,
    secrets: env.EDU_CLIENT_SECRET ? [env.EDU_CLIENT_SECRET] : [],
  };
}

/** Makes the client of a command. It connects to nothing before its first request. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { globals, surroundings, effective, isOffline, isLong } = options;
  const { transport, baseUrl, token, tokenFrom, secrets } = await (isOffline ? bundled(options) : remote(options));
  const { authorized } = await import('../client/transport/authorization.js');
  const onTrace = debugTrace(globals, surroundings);
  const client = createClient({
    send: authorized(transport.send, { origin: baseUrl, token }),
    baseUrl,
    token,
    tokenFrom,
    secrets,
    userAgent: `edu/${version()}`,
    ...(effective.retries === undefined ? {} : { retries: effective.retries.value }),
    maxWaitMs: effective.maxWait?.value ?? (isLong ? LONG_MAX_WAIT_MS : undefined),
    ...(effective.timeout === undefined ? {} : { timeouts: { whole: effective.timeout.value } }),
    ...(onTrace === undefined ? {} : { onTrace }),
  });
  return { client, close: transport.close };
}
