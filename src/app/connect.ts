/** Connects a command to the service: its client, and the caller's own organization. */

import { isOn, textOf, type Values } from '../cli/command.js';
import type { Context } from '../cli/context.js';
import { debugTrace } from '../cli/debug-trace.js';
import { LONG_MAX_WAIT_MS } from '../client/request/client-state.js';
import { createClient } from '../client/request/create-client.js';
import { traceContext } from '../client/request/trace-context.js';
import { account } from '../contract/account.js';
import type { OrganizationReference } from '../contract/shared.js';
import { version } from '../core/version.js';
import { ownState } from '../settings/folders.js';
import { type Effective, requireBaseUrl } from '../settings/in-effect.js';
import type { Runtime } from './runtime.js';

/** The caller's organization. It is cached by service and token, but not with --offline. */
export async function callersOrganization(context: Context): Promise<OrganizationReference> {
  const { ownOrganization } = await import('../client/create/list-of-created.js');
  const fetch = async () => ownOrganization(await context.client(), { signal: context.signal });
  if (context.isOffline) return fetch();
  const { findAccessToken, placeOf } = await import('../auth/credentials/credentials.js');
  const { rememberedOrganization, rememberOrganization } = await import('../settings/remembered.js');
  const { baseUrl } = context.effective();
  const token = findAccessToken(placeOf(context.env, context.effective()))?.token;
  if (baseUrl === undefined || token === undefined) return fetch();
  const caller = { baseUrl: baseUrl.value, token };
  const remembered = await rememberedOrganization(context.env, caller, context.machine);
  if (remembered !== undefined) return remembered;
  const found = await fetch();
  await rememberOrganization(context.env, caller, found, context.machine);
  return found;
}

interface ConnectOptions {
  readonly globals: Values;
  readonly runtime: Runtime;
  readonly effective: Effective;
  readonly isOffline: boolean;
  readonly isLong: boolean;
  /** True if the terminal allows questions; decides which hint an error without a token has. */
  readonly canAsk: boolean;
  readonly onWait: (reason: string) => void;
}

async function bundledService({ globals, runtime }: ConnectOptions) {
  const { createLocal, OFFLINE_BASE_URL } = await import('../client/transport/local.js');
  const { personaToken, PERSONAS } = await import('../service/personas.js');
  const { env, now, randomBytes, io } = runtime;
  const say = isOn(globals, 'quiet') ? undefined : (line: string) => void io.stderr.write(line);
  const persona = PERSONAS.find((name) => name === textOf(globals, 'as')) ?? PERSONAS[0];
  return {
    transport: createLocal({ directory: ownState(env, 'offline'), now, randomBytes, say }),
    baseUrl: OFFLINE_BASE_URL,
    token: personaToken(persona),
    tokenFrom: undefined,
    renew: undefined,
    secrets: [],
  };
}

async function remoteService({ globals, runtime: { env }, effective, canAsk }: ConnectOptions) {
  const { accessToken, placeOf } = await import('../auth/credentials/credentials.js');
  const { createNetwork } = await import('../client/transport/network.js');
  // A missing token is reported before a missing base URL.
  const { token, source, from, renew } = accessToken(placeOf(env, effective), canAsk);
  const baseUrl = requireBaseUrl(effective);
  return {
    transport: createNetwork({
      timeoutMs: effective.timeout?.value,
      env,
      insecure: isOn(globals, 'insecure'),
      plainHosts: effective.plainHosts,
    }),
    baseUrl,
    token,
    tokenFrom: source === 'file' ? undefined : from,
    renew,
    secrets: env.EDU_CLIENT_SECRET ? [env.EDU_CLIENT_SECRET] : [],
  };
}

/** Connects a command to the service: its client, and the caller's own organization. */
export async function connect(options: ConnectOptions) {
  const { globals, runtime, effective, isOffline, isLong } = options;
  const service = await (isOffline ? bundledService(options) : remoteService(options));
  const { transport, baseUrl, token, tokenFrom, renew } = service;
  const { authorized } = await import('../client/transport/authorization.js');
  const secrets = [...service.secrets, token];
  const renewal = renew && {
    check: `${baseUrl}${account.show.path}`,
    renew: (rejected: string): string => {
      const fresh = renew(rejected);
      secrets.push(fresh);
      return fresh;
    },
  };
  const send = authorized(transport.send, { origin: baseUrl, token, renewal });
  const client = createClient({
    send: runtime.filter?.(send) ?? send,
    baseUrl,
    token,
    tokenFrom,
    secrets,
    userAgent: `edu/${version()}`,
    retries: effective.retries?.value,
    maxWaitMs: effective.maxWait?.value ?? (isLong ? LONG_MAX_WAIT_MS : undefined),
    timeoutMs: effective.timeout?.value,
    trace: debugTrace(globals, runtime),
    onWait: options.onWait,
    traceContext: traceContext(runtime.env.TRACEPARENT, Math.random),
  });
  return { client, close: transport.close };
}
