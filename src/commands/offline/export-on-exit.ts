/** `edu offline serve --import DIR --export-on-exit DIR`: keeps the data between runs as an export. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { OFFLINE_BASE_URL } from '../../client/transport/local.js';
import { EduError, usageError } from '../../core/errors.js';
import { describeErrno } from '../../core/fs/disk-errors.js';
import { ensureFolder } from '../../core/fs/mkdir.js';
import type { Send } from '../../core/http.js';
import { shellLine } from '../../core/shell.js';
import { personaToken } from '../../service/personas.js';

const isVacant = (folder: string): boolean =>
  !existsSync(folder) || (statSync(folder).isDirectory() && readdirSync(folder).length === 0);

/**
 * @returns the seed to start with, as in `SharedOptions`: that of `--import` or `--seed`
 * @throws EduError `usage` when both are given, or another service was exported to the folder of `--export-on-exit`
 */
export async function seedOf(values: Values): Promise<string | undefined> {
  const [seed, from, to] = [textOf(values, 'seed'), textOf(values, 'import'), textOf(values, 'export-on-exit')];
  if (seed !== undefined && from !== undefined)
    throw usageError(`--seed ${seed} and --import ${from} cannot be given together; use one of them.`);
  if (to !== undefined) await requireExportable(to);
  if (from === undefined) return seed;
  if (to !== undefined && resolve(from) === resolve(to) && isVacant(from)) return 'empty';
  // A name without a dot or slash could be that of a seed.
  return /[./\\]/.test(from) ? from : `./${from}`;
}

/** Fails before the start, because the data would be lost at the end. */
async function requireExportable(folder: string): Promise<void> {
  const start = `Cannot export to ${folder}`;
  try {
    ensureFolder(folder);
  } catch (error) {
    throw usageError(`${start}: ${describeErrno(error)}.`, 'Name another folder with --export-on-exit.');
  }
  const { findManifest } = await import('../../export/files/manifest.js');
  const baseUrl = (await findManifest(folder))?.manifest.baseUrl ?? OFFLINE_BASE_URL;
  if (baseUrl !== OFFLINE_BASE_URL)
    throw usageError(`${start}: it is an export of ${baseUrl}.`, 'Name another folder with --export-on-exit.');
}

/** @param send sends requests to the service, which has stopped listening @throws EduError when the export fails */
export async function exportServed(folder: string, send: Send, context: Context): Promise<void> {
  const authorization = `Bearer ${personaToken('distributor')}`;
  const line = ['--offline', '--quiet', 'export', `--to=${folder}`, '--fresh'];
  const code = await context.runLine(line, {
    io: context.io,
    env: context.env,
    interrupted: new Promise(() => {}),
    filter: () => (request) => send({ ...request, headers: { ...request.headers, authorization } }),
  });
  if (code !== 0) throw new EduError('partial', `Cannot export the data to ${folder}: the export failed.`);
  const next = shellLine('edu', 'offline', 'serve', '--import', folder);
  await context.say(`The data was exported to ${folder}. Start with it: ${next}`);
}
