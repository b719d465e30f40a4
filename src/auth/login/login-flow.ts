/** A login from its first check to the stored token (RFC 6749, section 4.1; RFC 8252, section 7.3). */
import type { TraceEvent } from '../../client/request/client-state.js';
import type { Clock } from '../../client/request/clock.js';
import { redact } from '../../client/request/redact.js';
import { endSentence, excerpt } from '../../core/clean-text.js';
import { EduError, usageError } from '../../core/errors.js';
import type { Send } from '../../core/http.js';
import type { Env, Machine } from '../../core/io.js';
import { noBrowserReason, type Opened, sshForward } from '../../output/terminal/browser.js';
import { checkCanKeep, storeLogin } from '../credentials/credential-store.js';
import { checkToken, storedFor } from '../credentials/credentials.js';
import { type Attempt, digestOf, newAttempt, type TrueAnswer } from './browser-answer.js';
import { exchange } from './exchange-code.js';
import { type Listener, listenForAnswer } from './listener.js';
import type { LoginFacts } from './login-facts.js';
import { DONE, FAILED, REFUSED } from './pages.js';
import { forgetLogin, rememberLogin, startedLogins } from './pending.js';
import { inWords, type Mode, waitForAnswer } from './wait.js';

export interface LoginTools<Account> {
  readonly env: Env;
  readonly platform: NodeJS.Platform;
  readonly machine: Machine;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly send: Send;
  readonly trace?: ((event: TraceEvent) => void) | undefined;
  /** Requests the account of a token. @throws EduError if the token is rejected */
  readonly verify: (token: string) => Promise<Account>;
  readonly open: (address: string) => Promise<Opened>;
  readonly tell: (text: string) => Promise<void>;
  readonly lines: (signal: AbortSignal) => AsyncIterable<string>;
  readonly signal: AbortSignal;
}

export interface LoginOrder {
  readonly facts: LoginFacts;
  readonly mode: Exclude<Mode, 'with-token'>;
  /** Max wait for the redirect, in milliseconds. */
  readonly timeout: number;
}

export interface LoggedIn<Account> {
  readonly account: Account;
  readonly baseUrl: string;
  readonly token: string;
  readonly file: string;
}

/**
 * Logs in. No browser is opened before the port is bound, and no token stored before the service has accepted it.
 * @throws EduError; then neither token nor secret was stored
 */
export async function login<Account>(order: LoginOrder, tools: LoginTools<Account>): Promise<LoggedIn<Account>> {
  const { facts, mode } = order;
  const { env, machine, clock, signal, tell } = tools;
  checkCanKeep(env);
  signal.throwIfAborted();
  const attempt = newAttempt({ ...facts, randomBytes: tools.randomBytes });
  const listens = mode !== 'paste' && facts.callback.local;
  const earlier = mode === 'paste' ? startedLogins(env, machine, facts) : [];
  const listener = listens ? await listenForAnswer(facts.callback, attempt, clock, env) : undefined;
  try {
    await rememberLogin(env, machine, facts, attempt.stateDigest);
    await showAddress(order, tools, attempt, listens);
    const digests = [attempt.stateDigest, ...earlier];
    const answer = await waitForAnswer({ ...tools, listener, digests, timeout: order.timeout, tell });
    const result = await redeem(answer, order, tools, listener);
    await forgetLogin(env, machine, attempt.stateDigest);
    await listener?.finish(DONE);
    return result;
  } catch (error) {
    // An interruption does not wait for browsers.
    signal.throwIfAborted();
    throw error;
  } finally {
    await listener?.close();
  }
}

/** Exchanges the authorization response for a stored token, and shows a failure in the waiting browser. */
async function redeem<Account>(
  answer: TrueAnswer,
  { facts }: LoginOrder,
  tools: LoginTools<Account>,
  listener: Listener | undefined,
): Promise<LoggedIn<Account>> {
  const { env, machine, verify, signal } = tools;
  const { profile, baseUrl, clientId, clientSecret, keepSecret, settings } = facts;
  try {
    await forgetLogin(env, machine, digestOf(answer.state));
    if (answer.kind === 'refused') throw refusal(answer, facts);
    const known = storedFor({ env, profile, baseUrl })?.tokenEncoding === 'json' ? 'json' : 'form';
    const { code, state } = answer;
    const { token, encoding } = await exchange(
      { baseUrl, clientId, clientSecret, code, state, encoding: known },
      tools,
    );
    const account = await verify(token);
    signal.throwIfAborted();
    const secret = keepSecret ? { clientSecret, clientId } : {};
    const credential = { accessToken: token, tokenEncoding: encoding, ...secret };
    const file = await storeLogin(env, machine, { profile, baseUrl, settings, credential });
    return { account, baseUrl, token, file };
  } catch (error) {
    if (!signal.aborted) await listener?.finish(answer.kind === 'refused' ? REFUSED : FAILED);
    throw error;
  }
}

async function showAddress<Account>(
  { facts, mode, timeout }: LoginOrder,
  { tell, open, env, platform }: LoginTools<Account>,
  { address }: Attempt,
  listens: boolean,
): Promise<void> {
  const { callback } = facts;
  for (const line of ['Open this address in a browser to log in:', '', address, '']) await tell(line);
  if (listens) {
    await tell(`Waiting up to ${inWords(timeout)} for the redirect to ${callback.host}. Press Ctrl-C to cancel.`);
    await tell('If the browser shows a page that does not load, paste its URL here.');
  } else {
    if (!callback.local) await tell(`The browser will be redirected to ${callback.url}, where edu cannot listen.`);
    await tell("Paste the final URL from the browser's address bar:");
  }
  if (mode === 'browser') {
    const opened = await open(address);
    if (opened.opened) return;
    await tell(`Cannot open a browser: ${opened.reason}.`);
  }
  if (listens && noBrowserReason(env, platform) !== undefined) {
    await tell('To use a browser on another machine, forward the port first. Run there:');
    await tell(`  ${sshForward(env, callback.hostname, callback.port)}`);
  }
}

/** What failed and what to do about it, by the error of the redirect. */
const REFUSALS: Readonly<Record<string, (callbackUrl: string) => readonly [what: string, hint: string]>> = {
  access_denied: () => ['access was denied in the browser', 'Run `edu auth login` again and allow access.'],
  redirect_uri_mismatch: (url) => [
    'the service rejected the callback URL',
    `The registered callback URL must have the host and port of ${url}; set the registered one with ` +
      '`edu config set callback-url URL`. If it has, the service may not accept deeper paths: edu config set exact-callback true',
  ],
  application_suspended: () => ['the application is suspended', 'Contact the operator of the service.'],
};

/** The error for a refused authorization, with the service's description, sanitized and shortened. */
function refusal({ error, description }: Extract<TrueAnswer, { kind: 'refused' }>, facts: LoginFacts): EduError {
  const said = !description ? '' : `: ${excerpt(redact(description, [facts.clientSecret]), 200)}`;
  const known = Object.hasOwn(REFUSALS, error) ? REFUSALS[error] : undefined;
  const [what, hint] = known?.(facts.callback.url) ?? [
    `the service rejected the login (${excerpt(error, 60)})`,
    'Run `edu auth login` again.',
  ];
  return new EduError('refused', endSentence(`Cannot log in: ${what}${said}`), { hint });
}

/** The token on the only line that is not blank. @throws a usage error that does not contain the input */
export async function tokenFrom(lines: AsyncIterable<string>): Promise<string> {
  const hint = 'Pipe one in: edu auth login --with-token < token.txt';
  let token = '';
  for await (const line of lines) {
    if (line.trim() === '') continue;
    if (token !== '') throw usageError('Cannot log in: stdin contains more than one line.', hint);
    token = checkToken(line.trim(), 'stdin');
  }
  if (token === '') throw usageError('Cannot log in: stdin contains no token.', hint);
  return token;
}
