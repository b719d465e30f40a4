/** Finds access tokens and client secrets, each of one profile and one origin (scheme, host, port). */
import { join } from 'node:path';
import { type Check, type Checked, isText, mapOf, objectOf, optional } from '../../core/checks.js';
import { EduError, usageError } from '../../core/errors.js';
import { readPrivate } from '../../core/fs/private-file.js';
import type { Env } from '../../core/io.js';
import { shellLine } from '../../core/shell.js';
import { originOf } from '../../settings/base-url.js';
import { configFolder } from '../../settings/folders.js';
import type { Effective } from '../../settings/in-effect.js';
import { type TokenCommand, tokenFromCommand } from './token-command.js';

export interface AccessToken {
  readonly token: string;
  readonly source: 'environment' | 'command' | 'file';
  /** `EDU_TOKEN`, the setting of the command, or the path of the file. */
  readonly from: string;
  /** A token in place of one that the service rejected. @throws EduError */
  readonly renew?: (rejected: string) => string;
}

/** True if a text can be a token in a header: visible ASCII (RFC 6750, section 2.1), at most 16 KiB. */
export const isToken: Check<string> = (text): text is string =>
  isText(text) && text.length <= 16_384 && /^[\x21-\x7e]+$/.test(text);

/** The stored credentials of a profile at an origin. */
const isCredential = objectOf({
  accessToken: optional(isToken),
  clientSecret: optional(isText),
  /** The client that the secret belongs to. */
  clientId: optional(isText),
  /** The encoding of the token request that the service accepts, once known: `form` or `json`. */
  tokenEncoding: optional(isText),
});
export type Credential = Checked<typeof isCredential>;

const isDocument = objectOf({ profiles: mapOf(isText, mapOf(isText, isCredential)) });

/** By profile, then by origin. */
export type Credentials = ReadonlyMap<string, ReadonlyMap<string, Credential>>;

export interface Place {
  readonly env: Env;
  readonly profile: string;
  /** Undefined if unknown, so that no stored credentials apply. */
  readonly baseUrl: string | undefined;
  /** The program that prints the token, if any. */
  readonly command?: TokenCommand | undefined;
}

/** The place of the effective settings. */
export const placeOf = (env: Env, { profile, baseUrl, tokenCommand }: Effective): Place => ({
  env,
  profile: profile.value,
  baseUrl: baseUrl?.value,
  command: tokenCommand,
});

/** The file has its own folder, so that the folder can have mode 0700 in any EDU_CONFIG_DIR. */
export const credentialsFile = (env: Env): string => join(configFolder(env), 'private', 'credentials.json');

/**
 * The access token in effect: `EDU_TOKEN`, else that of the token command, else that of the profile for this origin;
 * undefined if there is none.
 */
export function findAccessToken({ env, profile, baseUrl, command }: Place): AccessToken | undefined {
  const given = env.EDU_TOKEN?.trim();
  if (given) return { token: checkToken(given, 'EDU_TOKEN'), source: 'environment', from: 'EDU_TOKEN' };
  if (command !== undefined) {
    const { from } = command;
    const ask = (rejected?: string) => checkToken(tokenFromCommand(command, env, { rejected }), from);
    return { token: ask(), source: 'command', from, renew: ask };
  }
  const token = storedFor({ env, profile, baseUrl })?.accessToken;
  return token === undefined ? undefined : { token, source: 'file', from: credentialsFile(env) };
}

/** What takes precedence over a login: its name, and the command that removes it. */
export function precedence({ env, profile, command }: Place) {
  if (env.EDU_TOKEN?.trim()) return { from: 'EDU_TOKEN', remove: 'unset EDU_TOKEN' };
  if (command === undefined) return undefined;
  const { from } = command;
  const unset = ['edu', 'config', 'unset', 'token-command', '--profile', profile];
  return { from, remove: from === 'EDU_TOKEN_COMMAND' ? `unset ${from}` : shellLine(...unset) };
}

/** Like `findAccessToken`. @param canAsk whether the user can log in here @throws `unauthenticated` if there is none */
export function accessToken(place: Place, canAsk: boolean): AccessToken {
  const found = findAccessToken(place);
  if (found) return found;
  const { env, profile, baseUrl } = place;
  const login = profile === 'default' ? 'edu auth login' : shellLine('edu', 'auth', 'login', '--profile', profile);
  const others = [...(readCredentials(env).get(profile) ?? [])].filter(([, kept]) => kept.accessToken !== undefined);
  const elsewhere =
    others.length === 0
      ? ''
      : ` ${profile === 'default' ? 'You are' : 'It is'} logged in at ${others.map(([origin]) => origin).join(', ')}.`;
  const there = baseUrl === undefined ? '' : ` at ${originOf(baseUrl)}`;
  throw new EduError(
    'unauthenticated',
    `${profile === 'default' ? 'You are' : `Profile ${profile} is`} not logged in${there}.${elsewhere}`,
    {
      hint: canAsk
        ? `Run \`${login}\`.`
        : `Set EDU_TOKEN to an access token, or run \`${login}\` in a terminal first. To try things out, add --offline.`,
    },
  );
}

/** The client secret in effect: `EDU_CLIENT_SECRET`, else the stored one of this client at this origin. */
export function findClientSecret(place: Place, clientId: string): string | undefined {
  // Secrets from files and CI systems may end with a line break.
  const given = place.env.EDU_CLIENT_SECRET?.replace(/(?<![\r\n])[\r\n]+$/, '');
  if (given) return given;
  const kept = storedFor(place);
  return kept?.clientId === clientId ? kept.clientSecret : undefined;
}

/** The stored credentials of a profile at the origin of a base URL. */
export function storedFor({ env, profile, baseUrl }: Place): Credential | undefined {
  return baseUrl === undefined ? undefined : readCredentials(env).get(profile)?.get(originOf(baseUrl));
}

/** Like `isToken`, as a check. @throws a usage error that does not contain the text */
export function checkToken(token: string, where: string): string {
  if (isToken(token)) return token;
  throw usageError(
    `${where} contains no valid access token: it has a space, a line break or another character that tokens cannot have.`,
  );
}

/**
 * Reads the credentials file; empty if there is none.
 * @throws an `unauthenticated` error without the content if the file is invalid, a link, or accessible by others
 */
export function readCredentials(env: Env): Credentials {
  const file = credentialsFile(env);
  const text = readPrivate(file);
  if (text === undefined) return new Map();
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw damaged(file);
  }
  if (!isDocument(document)) throw damaged(file);
  return new Map(
    Object.entries(document.profiles).map(([profile, origins]) => [profile, new Map(Object.entries(origins))]),
  );
}

const damaged = (file: string): EduError =>
  new EduError('unauthenticated', `Cannot read the credentials file ${file}: it is damaged.`, {
    hint: `Rename it (${shellLine('mv', file, `${file}.broken`)}), then log in again: edu auth login`,
  });

/** Stars and the last four characters, or only stars for a token of less than 20. */
export function masked(token: string): string {
  return token.length >= 20 ? `****${token.slice(-4)}` : '****';
}
