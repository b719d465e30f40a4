/**
 * Opens an address in the user's browser: one argument, no shell. Failure is a result, not an error, because the
 * address can be opened by hand.
 */
import { basename } from 'node:path';
import { codeOf } from '../../core/fs/disk-errors.js';
import type { Env } from '../../core/io.js';
import { whyNoBrowser } from './headless.js';
import { childEnv, findProgram, restrictOwnEnv } from './program.js';

export type Opened = { readonly opened: true } | { readonly opened: false; readonly reason: string };

export interface Opening {
  readonly env: Env;
  readonly platform: NodeJS.Platform;
  /** A program that gets the address as its only argument, or `none`: `EDU_BROWSER` or the setting. */
  readonly browser: string | undefined;
  /** Starts a program and does not wait for it. Rejects when it can't be started. */
  readonly start?: (program: string, argument: string, env: Env) => Promise<void>;
  /** Hands the address to the system. Rejects when it has no way to open one. */
  readonly handOver?: (address: string) => Promise<void>;
}

/** Opens an address that was checked before. */
export async function openAddress(address: string, opening: Opening): Promise<Opened> {
  const { env, platform, browser, start = startProgram, handOver = handToSystem } = opening;
  if (browser === 'none') return { opened: false, reason: 'the browser is set to none' };
  try {
    if (browser !== undefined) {
      const program = findProgram(browser, env, platform);
      if (program === undefined) return { opened: false, reason: notFound(browser) };
      await start(program, address, childEnv(env, platform));
      return { opened: true };
    }
    const reason = whyNoBrowser(env, platform);
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
  const child = spawn(program, [argument], { stdio: 'ignore', detached: true, shell: false, env });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}

async function handToSystem(address: string): Promise<void> {
  const { default: open } = await import('open');
  restrictOwnEnv();
  const child = await open(address);
  // What happens to it from here on is not ours.
  child.on('error', () => {});
}

function notFound(browser: string): string {
  const isRelative = basename(browser) !== browser;
  return isRelative ? `${browser} is not an absolute path` : `${browser} was not found in PATH`;
}
