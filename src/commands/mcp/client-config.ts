/** `edu mcp install`: the configuration with which an assistant starts `edu mcp`. */
import { join } from 'node:path';
import { type Flag, isOn, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { lineWords } from '../../cli/format-line.js';
import { usageError } from '../../core/errors.js';
import { codeOf, describeErrno } from '../../core/fs/disk-errors.js';
import { writeOutput } from '../../core/fs/output-file.js';
import { readRegularFile } from '../../core/fs/regular-file.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { appData, homeFolder } from '../../settings/folders.js';
import clients from './clients.json' with { type: 'json' };
import { fixedFlags } from './session.js';

interface AssistantClient {
  /** The member of its configuration with the servers; a table for TOML. */
  readonly key: string;
  readonly format?: string;
  readonly more?: JsonObject;
  /** The file by platform; `~` is the home folder, `*` any platform. */
  readonly file: Readonly<Record<string, string>>;
}

const CLIENTS: Readonly<Record<string, AssistantClient>> = clients;

const MAX_BYTES = 16 * 1024 * 1024;

function fileOf({ file }: AssistantClient, { env }: Context): string {
  const path = file[process.platform] ?? file['*'] ?? '';
  return path.startsWith('~') ? join(homeFolder(env), path.slice(2)) : join(appData(env), path);
}

/** What a configuration file contains; empty if there is none. @throws EduError `usage` */
function contentOf(file: string, text: string): JsonObject {
  const byHand = `Add it by hand: ${text}`;
  try {
    const document: unknown = JSON.parse(readRegularFile(file, MAX_BYTES).replace(/^\uFEFF/, '') || '{}');
    if (isObject(document)) return document;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    if (!(error instanceof SyntaxError)) throw usageError(`Cannot read ${file}: ${describeErrno(error)}.`, byHand);
  }
  throw usageError(`Cannot change ${file}: it is not plain JSON, it may have comments.`, byHand);
}

/** @param flags those of `edu mcp serve`, which the assistant passes as this line does */
export async function installMcp(flags: readonly Flag[], values: Values, context: Context): Promise<void> {
  const client = CLIENTS[textOf(values, 'client') ?? ''];
  if (client === undefined) return;
  const { key, format, more } = client;
  const { profile, baseUrl, plainHosts } = context.effective();
  // The assistant starts the line in another folder, with other variables.
  const chosen = (one: typeof baseUrl) =>
    one?.source === 'folder' || one?.source === 'environment' ? one.value : undefined;
  const plain = plainHosts.length === 0 ? undefined : plainHosts;
  const here = { profile: chosen(profile), 'base-url': chosen(baseUrl), 'insecure-http': plain };
  const found = context.isOffline ? { offline: true } : here;
  const args = lineWords({ flags }, 'mcp', values, fixedFlags({ ...found, ...context.globals }));
  const file = fileOf(client, context);
  const isToml = format === 'toml';
  const entry = { ...more, command: 'edu', args };
  const text = isToml
    ? `[${key}.edu]\ncommand = "edu"\nargs = ${JSON.stringify(args)}`
    : JSON.stringify({ [key]: { edu: entry } }, null, 2);
  if (!isOn(values, 'write')) {
    await context.say(`Add to ${file}:`);
    return context.io.stdout.write(`${text}\n`);
  }
  if (isToml) throw usageError(`Cannot change ${file}: only JSON files can be changed.`, `Add it by hand: ${text}`);
  const document = contentOf(file, text);
  const servers = isObject(document[key]) ? document[key] : {};
  const next = { ...document, [key]: { ...servers, edu: entry } };
  await writeOutput(file, [`${JSON.stringify(next, null, 2)}\n`], { signal: context.signal });
  await context.say(`Wrote ${file}. Start the assistant again to use it.`);
}
