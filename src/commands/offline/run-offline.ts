/** Runs `edu offline info`, `reset` and `serve`. */
import { isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { usageError } from '../../core/errors.js';
import { shellLine } from '../../core/shell.js';
import { ownState } from '../../settings/own-state.js';
import { withExplainedErrors } from './service-errors.js';

const folderOf = (context: Context): string => ownState(context.env, 'offline');

export async function info(context: Context): Promise<unknown> {
  const { offlineInfo } = await import('../../service/state.js');
  return withExplainedErrors(() => offlineInfo(folderOf(context)));
}

export async function reset(values: Values, context: Context): Promise<void> {
  const { isSeedName } = await import('../../service/seeds/seed.js');
  const { readSeed } = await import('../../service/serve/service-options.js');
  const seed = await withExplainedErrors(() => readSeed(textOf(values, 'seed') ?? 'demo'));
  if (!isSeedName(seed)) return (await import('./import.js')).load(seed, context);
  const { resetOffline } = await import('../../service/state.js');
  const work = withExplainedErrors(() => resetOffline(folderOf(context), seed, context.now()));
  await context.during('Resetting', work);
  await context.say(`The bundled service was reset to the seed ${seed}.`);
  await (await import('./import.js')).forgetOfflineJobs(context);
}

/** Runs until it is interrupted, and then returns exit code 0, because that is the normal end. */
export async function serve(values: Values, context: Context): Promise<void> {
  const seed = textOf(values, 'seed');
  const isMemory = isOn(values, 'memory');
  if (seed !== undefined && !isMemory) {
    throw usageError(
      `--seed ${seed} needs --memory: the data on disk already has a seed.`,
      `Use: ${shellLine('edu', 'offline', 'reset', '--seed', seed)}`,
    );
  }
  const { serve: start } = await import('../../service/serve/serve.js');
  const serving = await withExplainedErrors(() =>
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
    // Printed as one line when requests are accepted, so that scripts can wait for it.
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
