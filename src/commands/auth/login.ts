/** Runs `edu auth login`: collects the settings of the login, runs it and prints the result. */
import { checkCanKeep, storeLogin } from '../../auth/credentials/credential-store.js';
import { checkToken, placeOf, precedence } from '../../auth/credentials/credentials.js';
import { type LoginFacts, loginFacts, settingsToKeep } from '../../auth/login/login-facts.js';
import { type LoggedIn, login, tokenFrom } from '../../auth/login/login-flow.js';
import { linesOf } from '../../auth/login/paste.js';
import { inWords, type Mode } from '../../auth/login/wait.js';
import { isOn, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { debugTrace } from '../../cli/debug-trace.js';
import { systemClock } from '../../client/request/clock.js';
import { type Account as AccountShape, account, callingUser } from '../../contract/account.js';
import { labelOf } from '../../contract/resource.js';
import type { Answer } from '../../contract/vocabulary.js';
import { cleanText, excerpt } from '../../core/clean-text.js';
import { milliseconds } from '../../core/duration.js';
import { EduError, usageError } from '../../core/errors.js';
import { version } from '../../core/version.js';
import { openAddress } from '../../output/terminal/browser.js';
import { type Effective, requireBaseUrl, resolveProfile } from '../../settings/in-effect.js';
import { changeProfile } from '../../settings/write-settings.js';
import { LOGIN, shownLogin } from './status.js';

/** Time for the user to log in. */
const maxWaitMs = ({ globals }: Context): number => milliseconds(textOf(globals, 'timeout') ?? '') ?? 5 * 60_000;

type Account = Answer<typeof AccountShape>;

export async function logIn(values: Values, context: Context): Promise<void> {
  const { env, io } = context;
  const mode = (['with-token', 'paste', 'no-browser'] as const).find((name) => isOn(values, name)) ?? 'browser';
  // Warns of settings in another form before the login waits for the user.
  context.effective();
  const asked = context.asked();
  const effective = resolveProfile({ ...asked, flags: { ...context.globals, ...values } });
  if (context.isOffline) throw usageError('--offline needs no login.', 'Choose a persona with --as.');
  const first = precedence(placeOf(env, effective));
  if (first !== undefined)
    throw usageError(`${first.from} is set and takes precedence over a login.`, `Unset it first: ${first.remove}`);
  if (mode === 'browser' && !(io.stdin.isTTY && io.stderr.isTTY))
    throw usageError(
      'Cannot log in without a terminal.',
      'Set EDU_TOKEN, pipe a token to `edu auth login --with-token`, or run `edu auth login --no-browser`.',
    );
  const held = asked.settings.profiles.get(effective.profile.value) ?? {};
  const done =
    mode === 'with-token' ? await withToken(effective, held, context) : await flow(mode, effective, held, context);
  await report(done, effective, context);
}

async function withToken(
  effective: Effective,
  held: Readonly<Record<string, string>>,
  context: Context,
): Promise<LoggedIn<Account>> {
  const { env, io, machine } = context;
  const baseUrl = requireBaseUrl(effective);
  const token = io.stdin.isTTY
    ? checkToken((await (await context.prompt()).secret({ message: 'Access token:' })).trim(), 'The answer')
    : await pipedToken(context);
  const { verify } = await connection(baseUrl, effective, context, effective.timeout?.value);
  checkCanKeep(env);
  const account = await verify(token);
  const profile = effective.profile.value;
  const stored = { profile, baseUrl, settings: settingsToKeep(effective, held), credential: { accessToken: token } };
  return { account, file: await storeLogin(env, machine, stored), baseUrl, token };
}

/** Reads a token to the end of stdin. @throws a usage error if that does not come in time */
async function pipedToken(context: Context): Promise<string> {
  const waitMs = maxWaitMs(context);
  const late = AbortSignal.timeout(waitMs);
  async function* lines(): AsyncGenerator<string> {
    yield* pastedLines(AbortSignal.any([late, context.signal]), context);
    if (late.aborted)
      throw usageError(`Cannot log in: stdin did not end within ${inWords(waitMs)}.`, 'End it after the token.');
  }
  return tokenFrom(lines());
}

async function flow(
  mode: Exclude<Mode, 'with-token'>,
  effective: Effective,
  held: Readonly<Record<string, string>>,
  context: Context,
): Promise<LoggedIn<Account>> {
  const { env, machine, randomBytes, signal } = context;
  const tell = async (text: string): Promise<void> => context.io.stderr.write(`${text}\n`);
  const prompt = context.canAsk ? context.prompt : undefined;
  const facts = await loginFacts({ effective, env, held, prompt, tell });
  // Here --timeout limits the wait for the user, not for a response.
  const { send, trace, verify } = await connection(facts.baseUrl, effective, context, undefined);
  const work = login<Account>(
    { facts, mode, timeout: maxWaitMs(context) },
    {
      env,
      platform: process.platform,
      machine,
      clock: systemClock,
      randomBytes,
      send,
      trace,
      verify,
      open: (address) => openAddress(address, { browser: effective.browser?.value, env, platform: process.platform }),
      tell,
      lines: (stop) => pastedLines(stop, context),
      signal,
    },
  );
  // On interruption, waits until the port is closed.
  context.onEnd(() => work.then(() => {}).catch(() => {}));
  try {
    return await work;
  } catch (error) {
    // After Ctrl-C nothing is stored, because the user may have mistyped something.
    if (!signal.aborted) await storeTyped(facts, context);
    throw error;
  }
}

/** Stores the settings typed for a failed login, so that the next one does not ask for them. */
async function storeTyped({ profile, typed }: LoginFacts, { env, machine, io }: Context): Promise<void> {
  const names = Object.keys(typed);
  if (names.length === 0) return;
  try {
    await changeProfile(env, machine, profile, typed);
  } catch (error) {
    if (error instanceof EduError) return;
    throw error;
  }
  const flags = names.map((name) => `--${name}`).join(', ');
  await io.stderr.write(
    `Profile ${profile} keeps ${names.join(', ')} for the next login (${flags} to change); the client secret is not kept.\n`,
  );
}

/** The connection of a login, which is opened with the first request. @param timeoutMs of `verify` (default: the client's) */
async function connection(
  baseUrl: string,
  { retries, plainHosts }: Effective,
  context: Context,
  timeoutMs: number | undefined,
) {
  const { env, signal, globals } = context;
  const trace = debugTrace(globals, context);
  const { createNetwork } = await import('../../client/transport/network.js');
  const network = createNetwork({ env, insecure: isOn(globals, 'insecure'), plainHosts });
  context.onEnd(network.close);
  const { send } = network;
  /** The account of a token. @throws EduError `unauthenticated` if the service rejects it */
  async function verify(token: string): Promise<Account> {
    const { authorized } = await import('../../client/transport/authorization.js');
    const { createClient } = await import('../../client/request/create-client.js');
    const sending = authorized(send, { origin: baseUrl, token });
    const own = { baseUrl, token, retries: retries?.value, timeoutMs, trace, userAgent: `edu/${version()}` };
    return createClient({ ...own, send: sending }).call(account.show, {}, { signal });
  }
  return { send, trace, verify };
}

/** Reads lines from stdin; on a terminal with a prompt that hides the pasted address. */
async function* pastedLines(stop: AbortSignal, context: Context): AsyncGenerator<string> {
  const { stdin } = context.io;
  if (stdin.isTTY) {
    if (!context.canAsk) return;
    const prompt = await context.prompt(stop);
    while (!stop.aborted) {
      try {
        yield await prompt.secret({ message: 'Address:' });
      } catch (error) {
        if (stop.aborted) return;
        throw error;
      }
    }
    return;
  }
  stop.addEventListener('abort', () => stdin.stop?.(), { once: true });
  try {
    yield* linesOf(stdin);
  } catch (error) {
    // Stopping the stream makes it end with an error.
    if (!stop.aborted) throw error;
  }
}

async function report(
  { account: own, baseUrl, token, file }: LoggedIn<Account>,
  effective: Effective,
  context: Context,
): Promise<void> {
  const profile = effective.profile.value;
  if (!context.quiet) {
    const who = excerpt(labelOf(callingUser, own), 200) || own.id;
    // An account may have neither name, e-mail address nor ID.
    const as = who ? ` as ${who}` : '';
    await context.io.stderr.write(`Logged in${as} at ${baseUrl}, in profile ${profile}.\n`);
    await context.io.stderr.write(`The token is kept in ${cleanText(file)}.\n`);
  }
  const printer = await context.printer();
  if (!printer.traits.machine) return;
  await printer.item(shownLogin(effective, own, baseUrl, { token, source: 'file', from: file }), LOGIN);
}
