/** Runs `edu offline info`, `reset`, `import` and `serve`, whose data may be kept between runs as an export. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isOn, numberOf, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { OFFLINE_BASE_URL } from '../../client/transport/local.js';
import { endSentence } from '../../core/clean-text.js';
import { EduError, usageError } from '../../core/errors.js';
import { writing } from '../../core/fs/disk-errors.js';
import { lockOwner } from '../../core/fs/lock.js';
import { ensureFolder } from '../../core/fs/mkdir.js';
import type { Send } from '../../core/http.js';
import { plural } from '../../core/plural.js';
import { shellLine } from '../../core/shell.js';
import type { Import } from '../../service/import/index.js';
import { personaToken } from '../../service/personas.js';
import type { Serving } from '../../service/serve/serve.js';
import { ownState } from '../../settings/folders.js';

/** Words the errors of the bundled service, which have names and hints of their own. @param start the start of the message */
async function withExplainedErrors<T>(work: () => T | Promise<T>, start = ''): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const hint = 'hint' in error && typeof error.hint === 'string' && error.hint !== '' ? error.hint : undefined;
    const message = endSentence(`${start}${error.message}`.replace(/^./, (letter) => letter.toUpperCase()));
    if (error.name === 'OptionError') throw usageError(message, hint);
    throw error.name === 'StateError' ? new EduError('internal', message, { hint, cause: error }) : error;
  }
}

const folderOf = (context: Context): string => ownState(context.env, 'offline');

/** The export in a folder. @throws EduError `usage` when it cannot be loaded */
async function importOf(folder: string, signal: AbortSignal): Promise<Import> {
  const { readManifest } = await import('../../export/files/manifest.js');
  const { readDataFile, recordFile } = await import('../../export/files/read-data-file.js');
  const { isResource } = await import('../../export/collect/resources.js');
  const { requireWhole } = await import('../../service/import/import-source.js');
  const { manifest } = await readManifest(folder);
  const organization = requireWhole(manifest);
  const { language, languages, organizations } = manifest;
  return {
    organization,
    organizations,
    language,
    languages,
    holds: (resource) => isResource(resource) && typeof manifest.resources[resource]?.file === 'string',
    async *items(resource) {
      const file = isResource(resource) ? recordFile({ folder, manifest }, resource, signal) : undefined;
      if (file === undefined) return;
      for await (const entries of readDataFile(file)) yield entries.map(({ item }) => item);
    },
  };
}

async function dataAt(path: string, signal: AbortSignal): Promise<Import> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return importOf(path, signal);
  const { readSource } = await import('../../service/import/import-source.js');
  return readSource(path);
}

/** @param path the folder of an export, or a JSON file @throws EduError `usage` when it cannot be loaded */
export async function load(path: string, context: Context): Promise<void> {
  const { importState } = await import('../../service/import/index.js');
  const target = folderOf(context);
  await withExplainedErrors(async () => {
    const data = await dataAt(path, context.signal);
    await context.during(`Loading ${path}`, importState(target, data, context.now()));
  }, `Cannot load ${path}: `);
  await context.say(`The bundled service now contains the data of ${path}. Use it with --offline or EDU_OFFLINE=1.`);
  await forgetOfflineWork(context);
}

/** Forgets the jobs and plans of the former data, except those that are being run. */
async function forgetOfflineWork(context: Context): Promise<void> {
  const { allJobs, lockFile, removeFolder, removeJobFolder } = await import('../../bulk/job/job-store.js');
  const jobs = allJobs(context.env).filter(
    (job) => job.manifest.baseUrl === OFFLINE_BASE_URL && lockOwner(lockFile(job), context.now()) === undefined,
  );
  for (const { folder } of jobs) removeJobFolder(folder);
  const { plansOf } = await import('../../plan/apply/plan-records.js');
  const plans = plansOf(OFFLINE_BASE_URL, context);
  for (const folder of plans) removeFolder(folder);
  const removed = [
    ...(jobs.length === 0 ? [] : [plural(jobs.length, 'bulk job')]),
    ...(plans.length === 0 ? [] : [`the records of ${plural(plans.length, 'applied plan')}`]),
  ];
  if (removed.length > 0) await context.say(`Removed with the former data: ${removed.join(' and ')}.`);
}

export async function info(context: Context): Promise<unknown> {
  const { offlineInfo } = await import('../../service/state.js');
  return withExplainedErrors(() => offlineInfo(folderOf(context)));
}

export async function reset(values: Values, context: Context): Promise<void> {
  const { isSeedName } = await import('../../service/seeds/seed.js');
  const { readSeed } = await import('../../service/serve/service-options.js');
  const seed = await withExplainedErrors(() => readSeed(textOf(values, 'seed') ?? 'demo'));
  if (!isSeedName(seed)) return load(seed, context);
  const { resetOffline } = await import('../../service/state.js');
  const work = withExplainedErrors(() => resetOffline(folderOf(context), seed, context.now()));
  await context.during('Resetting', work);
  await context.say(`The bundled service was reset to the seed ${seed}.`);
  await forgetOfflineWork(context);
}

const isVacant = (folder: string): boolean =>
  !existsSync(folder) || (statSync(folder).isDirectory() && readdirSync(folder).length === 0);

/**
 * @returns the seed to start with, as in `SharedOptions`: that of `--import` or `--seed`
 * @throws EduError `usage` when both are given, or another service was exported to the folder of `--export-on-exit`
 */
async function seedOf(values: Values): Promise<string | undefined> {
  const seed = textOf(values, 'seed');
  const from = textOf(values, 'import');
  const to = textOf(values, 'export-on-exit');
  if (seed !== undefined && from !== undefined)
    throw usageError(`--seed ${seed} and --import ${from} cannot be given together; use one of them.`);
  if (to !== undefined) await requireExportable(to);
  if (from === undefined) return seed;
  if (to !== undefined && resolve(from) === resolve(to) && isVacant(from)) return 'empty';
  if (!existsSync(from))
    throw usageError(
      `Cannot load ${from}: there is no such file or folder.`,
      'Give the folder of an export, or a JSON file.',
    );
  const { isSeedName } = await import('../../service/seeds/seed.js');
  return isSeedName(from) ? `./${from}` : from;
}

/** Fails before the start, because the data would be lost at the end. */
async function requireExportable(folder: string): Promise<void> {
  const start = `Cannot export to ${folder}`;
  writing(folder, () => ensureFolder(folder), 'Name another folder with --export-on-exit.');
  const { findManifest } = await import('../../export/files/manifest.js');
  const baseUrl = (await findManifest(folder))?.manifest.baseUrl ?? OFFLINE_BASE_URL;
  if (baseUrl !== OFFLINE_BASE_URL)
    throw usageError(`${start}: it is an export of ${baseUrl}.`, 'Name another folder with --export-on-exit.');
  const { requireOwnFiles } = await import('../../export/collect/export.js');
  const { RESOURCES } = await import('../../export/collect/resources.js');
  await requireOwnFiles({ folder, resources: new Set(RESOURCES), format: 'ndjson', gzip: false });
}

/** @param send sends requests to the service, which has stopped listening @throws EduError when the export fails */
async function exportServed(folder: string, send: Send, context: Context): Promise<void> {
  const authorization = `Bearer ${personaToken('distributor')}`;
  const line = ['--offline', '--quiet', 'export', `--to=${folder}`, '--fresh'];
  const errors: EduError[] = [];
  await context.runLine(line, {
    io: context.io,
    env: context.env,
    interrupted: new Promise(() => {}),
    filter: () => (request) => send({ ...request, headers: { ...request.headers, authorization } }),
    onError: (error) => errors.push(error),
  });
  for (const error of errors) throw error.with({ kind: 'partial' });
  const next = shellLine('edu', 'offline', 'serve', '--import', folder);
  await context.say(`The data was exported to ${folder}. Start with it: ${next}`);
}

/** Runs until it is interrupted, and then returns exit code 0, because that is the normal end. */
export async function serve(values: Values, context: Context): Promise<void> {
  const seed = await seedOf(values);
  const isMemory = isOn(values, 'memory') || textOf(values, 'import') !== undefined;
  if (seed !== undefined && !isMemory) {
    throw usageError(
      `--seed ${seed} needs --memory: the data on disk already has a seed.`,
      `Use: ${shellLine('edu', 'offline', 'reset', '--seed', seed)}`,
    );
  }
  const { serve: start } = await import('../../service/serve/serve.js');
  const serving = await withExplainedErrors(() =>
    start({
      directory: isMemory ? undefined : folderOf(context),
      seed,
      port: numberOf(values, 'port'),
      hosts: textsOf(values, 'host'),
      tlsCert: textOf(values, 'tls-cert'),
      tlsKey: textOf(values, 'tls-key'),
      variants: textsOf(values, 'variant'),
      strange: numberOf(values, 'strange'),
      strictInput: isOn(values, 'strict-input') || undefined,
      clients: textsOf(values, 'client'),
      tokensFor: textsOf(values, 'token-for'),
      verified: textsOf(values, 'verify'),
      now: textOf(values, 'now'),
      randomSeed: numberOf(values, 'random-seed'),
      cors: textsOf(values, 'cors'),
      faults: textsOf(values, 'fault'),
      latency: textOf(values, 'latency'),
      callbackUrl: textOf(values, 'callback-url'),
      basePath: textOf(values, 'base-path'),
      clock: context.now,
      log: context.quiet ? undefined : (line) => void context.io.stderr.write(line),
    }),
  );
  const stopped = new Promise<void>((stop) => {
    if (context.signal.aborted) stop();
    else context.signal.addEventListener('abort', () => stop(), { once: true });
  });
  const { baseUrl, clientId, clientSecret, callbackUrl } = serving.facts;
  const folder = textOf(values, 'export-on-exit');
  let last: Parameters<Serving['stop']>[0];
  try {
    // Printed as one line when requests are accepted, so that scripts can wait for it.
    const json = JSON.stringify({ ...serving.facts, tokens: serving.tokens, pid: process.pid });
    const line = `Ready: base URL ${baseUrl}  client ID ${clientId}  client secret ${clientSecret}  callback URL ${callbackUrl}  control page ${baseUrl}/_control`;
    const tokens = Object.entries(serving.tokens).map(([user, token]) => `  token of ${user} ${token}`);
    const printer = await context.printer();
    await context.io.stdout.write(`${printer.traits.machine ? json : line + tokens.join('')}
`);
    await stopped;
    if (folder !== undefined) last = (sendAt) => exportServed(folder, sendAt(OFFLINE_BASE_URL), context);
  } finally {
    await serving.stop(last);
  }
}
