/**
 * Opens an address in the user's browser, without a shell, and validates addresses from the service. A failure to open is
 * a result, not an error, because the user can open the address by hand.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { excerpt } from '../../core/clean-text.js';
import { EduError } from '../../core/errors.js';
import { codeOf } from '../../core/fs/disk-errors.js';
import type { Env } from '../../core/io.js';
import { isLoopback } from '../../core/loopback.js';
import { childEnv, findProgram, restrictOwnEnv } from './program.js';

export type Opened = { readonly opened: true } | { readonly opened: false; readonly reason: string };

export interface Opening {
  readonly env: Env;
  readonly platform: NodeJS.Platform;
  /** `EDU_BROWSER` or the setting: a program that gets the address as its only argument, or `none`. */
  readonly browser: string | undefined;
  /** Starts a program without waiting for it. Rejects if it cannot be started. */
  readonly start?: (program: string, argument: string, env: Env) => Promise<void>;
  /** Opens the address with the system's default browser. Rejects if there is none. */
  readonly handOver?: (address: string) => Promise<void>;
}

/** @param address validated before */
export async function openAddress(address: string, opening: Opening): Promise<Opened> {
  const { env, platform, browser, start = startProgram, handOver = openWithSystem } = opening;
  if (browser === 'none') return { opened: false, reason: 'the browser is set to none' };
  try {
    if (browser !== undefined) {
      const program = findProgram(browser, env, platform);
      const isRelative = basename(browser) !== browser;
      if (program === undefined)
        return {
          opened: false,
          reason: `${browser} ${isRelative ? 'is not an absolute path' : 'was not found in PATH'}`,
        };
      await start(program, address, childEnv(env, platform));
      return { opened: true };
    }
    const reason = noBrowserReason(env, platform);
    if (reason !== undefined) return { opened: false, reason };
    await handOver(address);
    return { opened: true };
  } catch (error) {
    const code = codeOf(error) ?? 'it did not start';
    return { opened: false, reason: `${browser ?? 'the browser'} could not be started (${code})` };
  }
}

async function startProgram(program: string, argument: string, env: Env): Promise<void> {
  const { spawn } = await import('node:child_process');
  await keepsRunning(spawn(program, [argument], { stdio: 'ignore', detached: true, shell: false, env }));
}

async function openWithSystem(address: string): Promise<void> {
  const { default: open } = await import('open');
  restrictOwnEnv();
  await keepsRunning(await open(address));
}

/** Time after which a program has opened the address, or still does. */
const MAX_FAILING_MS = 500;

/** Rejects if the program does not start, or fails at once, as one does that finds no browser. */
async function keepsRunning(child: ChildProcess): Promise<void> {
  child.unref();
  const ended = once(child, 'exit');
  const [code] = await Promise.race([ended, setTimeout(MAX_FAILING_MS, [0])]);
  // Later errors do not matter.
  ended.catch(() => {});
  child.on('error', () => {});
  if (code !== 0) throw Object.assign(new Error('The program failed.'), { code: `exit code ${code}` });
}

/** The reason why no browser can be opened; undefined if one can. */
export function noBrowserReason(env: Env, platform: NodeJS.Platform): string | undefined {
  if (env.SSH_CONNECTION || env.SSH_TTY || env.SSH_CLIENT) return 'this is a remote session (SSH)';
  // WSL opens browsers on the Windows host, which has a display.
  const isUnix = platform !== 'win32' && platform !== 'darwin' && !env.WSL_DISTRO_NAME;
  if (isUnix && !env.DISPLAY && !env.WAYLAND_DISPLAY) return 'there is no display';
  return undefined;
}

/**
 * The ssh command that forwards a port of this machine to the user's own.
 * @param host the name on which this machine listens: `127.0.0.1`, `localhost`, `[::1]`
 */
export function sshForward(env: Env, host: string, port: number): string {
  // "client address, client port, server address, server port" (ssh(1), ENVIRONMENT).
  const [, , server = 'THIS-MACHINE', serverPort = '22'] = env.SSH_CONNECTION?.trim().split(/\s+/) ?? [];
  const user = env.USER || env.LOGNAME;
  const safe = (text: string): string => text.replace(/[^\w.:@%+-]/g, '');
  const target = user ? `${safe(user)}@${safe(server)}` : safe(server);
  return `ssh -L ${port}:${host}:${port}${serverPort === '22' ? '' : ` -p ${safe(serverPort)}`} ${target}`;
}

/** In characters; some browsers accept fewer. */
const MAX_LENGTH = 8 * 1024;

/**
 * Accepts https (http on this machine) without user name and password, and nothing that a program could read as an
 * option, a second argument or a file.
 * @returns the normalized address, pure ASCII
 * @throws EduError `invalid_response` without the address, because anyone who reads it could use it once
 */
export function checkServiceAddress(address: unknown): string {
  const bad = (why: string): EduError =>
    new EduError('invalid_response', `Cannot open the address from the service: ${why}`, {
      hint: 'Report this to the operator of the service.',
    });
  if (typeof address !== 'string' || address === '') throw bad('it is not text');
  if (address.length > MAX_LENGTH) throw bad(`it is ${address.length} characters long`);
  // The URL parser would remove or repair these characters.
  if (/[\s\\\p{Cc}\p{Cf}"'<>`]/u.test(address)) throw bad('it contains an invalid character');
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) {
    const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(address) ?? [];
    throw bad(`it is not a web address${scheme === undefined ? '' : ` (${excerpt(scheme, 20)})`}`);
  }
  const url = new URL(address);
  if (/^https?:\/\/[^/?#]*@/i.test(address)) throw bad('it contains a user name or password');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw bad('it is not encrypted (http)');
  return url.href;
}
