/** Runs `edu offline …`: describes, resets and serves the bundled service. */
import { join } from 'node:path';
import { isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { EduError, usageError } from '../../core/errors.js';
import { stateFolder } from '../../settings/folders.js';

const folderOf = (context: Context): string => join(stateFolder(context.env), 'offline');

/** What the bundled service's own errors look like to the user: a state or an option that can't be used. */
function explained(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const hint = 'hint' in error && typeof error.hint === 'string' && error.hint !== '' ? error.hint : undefined;
  const message = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
  if (error.name === 'OptionError' || error.name === 'BadSeed') return usageError(message, hint);
  return error.name === 'StateError' ? new EduError('internal', message, { hint, cause: error }) : error;
}

async function explaining<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(error);
  }
}

/** The facts of `edu offline info`. */
export async function info(context: Context): Promise<unknown> {
  const { offlineInfo } = await import('../../service/state.js');
  return explaining(() => offlineInfo(folderOf(context)));
}

/** Runs `edu offline reset`: fills the state with a seed, or with the data at a path. */
export async function reset(values: Values, context: Context): Promise<void> {
  const { isSeedName } = await import('../../service/seeds/seed.js');
  const { readSeed } = await import('../../service/serve/options.js');
  const seed = await explaining(async () => readSeed(textOf(values, 'seed') ?? 'demo'));
  if (!isSeedName(seed)) return (await import('./import.js')).load(seed, context);
  const { resetOffline } = await import('../../service/state.js');
  const work = explaining(() => resetOffline(folderOf(context), seed, context.now()));
  await context.during('Resetting', work);
  await context.say(`The bundled service was reset to the seed ${seed}.`);
  await (await import('./offline-jobs.js')).forgetOfflineJobs(context);
}

/** Serves until the program is interrupted, and ends with exit code 0 then: that is how it is meant to end. */
export async function serve(values: Values, context: Context): Promise<void> {
  const seed = textOf(values, 'seed');
  const isMemory = isOn(values, 'memory');
  if (seed !== undefined && !isMemory) {
    throw usageError(
      `--seed ${seed} needs --memory: the data on disk already has a seed.`,
      `Use: edu offline reset --seed ${seed}`,
    );
  }
  const { serve: start } = await import('../../service/serve/serve.js');
  const serving = await explaining(() =>
    start({
      ...(isMemory ? {} : { directory: folderOf(context) }),
      ...(seed === undefined ? {} : { seed }),
      ...(typeof values.port === 'number' ? { port: values.port } : {}),
      hosts: textsOf(values, 'host'),
      tlsCert: textOf(values, 'tls-cert'),
      tlsKey: textOf(values, 'tls-key'),
      variants: textsOf(values, 'variant'),
      ...(typeof values.strange === 'number' ? { strange: values.strange } : {}),
      clients: textsOf(values, 'client'),
      tokensFor: textsOf(values, 'token-for'),
      verified: textsOf(values, 'verify'),
      now: textOf(values, 'now'),
      ...(typeof values['random-seed'] === 'number' ? { randomSeed: values['random-seed'] } : {}),
      ipv6: isOn(values, 'ipv6'),
      cors: textsOf(values, 'cors'),
      faults: textsOf(values, 'fault'),
      latency: textOf(values, 'latency'),
      callbackUrl: textOf(values, 'callback-url'),
      basePath: textOf(values, 'base-path'),
      clock: context.now,
      random: context.randomBytes,
      ...(context.quiet ? {} : { log: (line: string) => void context.io.stderr.write(line) }),
    }),
  );
  const stopped = new Promise<void>((resolve) => {
    if (context.signal.aborted) resolve();
    else context.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const { baseUrl, clientId, clientSecret, callbackUrl } = serving.facts;
  try {
    // One line in every format: from now on requests are answered.
    const json = JSON.stringify({ ...serving.facts, tokens: serving.tokens, pid: process.pid });
    const line = `Ready: base URL ${baseUrl}  client id ${clientId}  client secret ${clientSecret}  callback URL ${callbackUrl}`;
    const tokens = Object.entries(serving.tokens).map(([user, token]) => `  token of ${user} ${token}`);
    const printer = await context.printer();
    await context.io.stdout.write(`${printer.traits.machine ? json : line + tokens.join('')}
`);
    await stopped;
  } finally {
    await serving.stop();
  }
}
