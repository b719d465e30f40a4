/** Gets the access token from a program: a keychain, a password manager or a vault. */
import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { EduError } from '../../core/errors.js';
import { codeOf } from '../../core/fs/disk-errors.js';
import type { Env } from '../../core/io.js';
import { shellLine, splitWords } from '../../core/shell.js';
import { childEnv, findProgram } from '../../output/terminal/program.js';

export interface TokenCommand {
  /** The program and its arguments, quoted like for a shell, which is not used. */
  readonly value: string;
  /** Where it is set: `EDU_TOKEN_COMMAND`, or the setting of a profile. */
  readonly from: string;
}

/** A person may have to unlock the keychain first. */
const TIMEOUT_MS = 120_000;
const MAX_BYTES = 64 * 1024;

export interface TokenRequest {
  /** A token that the service rejected, so that it is not used again. */
  readonly rejected?: string | undefined;
  readonly timeoutMs?: number;
}

/** By command line, for this process. */
const tokens = new Map<string, string>();

/** True if any user of the machine can replace the program, or the link to it. */
function isOpenToAll(program: string): boolean {
  if (process.platform === 'win32') return false;
  const real = realpathSync(program);
  if (real !== program && isOpenToAll(real)) return true;
  const folder = statSync(dirname(program)).mode & 0o1002;
  return folder === 0o002 || (statSync(program).mode & 0o002) !== 0;
}

/** What the program printed. @throws EduError `unauthenticated` that names the program, not its output */
function outputOf({ value, from }: TokenCommand, env: Env, timeoutMs: number): string {
  const [name = '', ...args] = splitWords(value);
  const failed = (why: string): EduError =>
    new EduError('unauthenticated', `Cannot get an access token from ${name} (${from}): ${why}.`, {
      hint: `Try it in a terminal: ${shellLine(name, ...args)}`,
    });
  const program = findProgram(name, env);
  if (program === undefined)
    throw failed(/[\\/]/.test(name) ? 'it is not an absolute path' : 'it is not in a folder of PATH');
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  try {
    if (isOpenToAll(program)) throw failed(`every user of this machine can change ${program}`);
  } catch (error) {
    throw error instanceof EduError ? error : failed('there is no such program');
  }
  const { error, status, signal, stdout } = spawnSync(program, args, {
    env: childEnv(env),
    encoding: 'utf8',
    // Its questions and messages go to the terminal. Without one, stdin may belong to another protocol.
    stdio: [process.getBuiltinModule('node:tty').isatty(0) ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    timeout: timeoutMs,
    // A program may ignore SIGTERM.
    killSignal: 'SIGKILL',
    maxBuffer: MAX_BYTES,
    windowsHide: true,
  });
  if (error !== undefined) {
    const code = codeOf(error);
    if (code === 'ETIMEDOUT') throw failed(`it did not end within ${timeoutMs / 1000} s`);
    throw failed(code === 'ENOBUFS' ? `it printed more than ${MAX_BYTES / 1024} kB` : 'it could not be run');
  }
  if (status !== 0) throw failed(signal === null ? `it ended with exit code ${status}` : `it was ended by ${signal}`);
  if (stdout.trim() === '') throw failed('it printed nothing');
  return stdout.trim();
}

/**
 * The access token that a program prints, asked for once in a process, and again when the service rejects it.
 * @throws EduError `unauthenticated` if it fails
 */
export function tokenFromCommand(
  command: TokenCommand,
  env: Env,
  { rejected, timeoutMs = TIMEOUT_MS }: TokenRequest = {},
): string {
  const known = tokens.get(command.value);
  if (known !== undefined && known !== rejected) return known;
  const token = outputOf(command, env, timeoutMs);
  tokens.set(command.value, token);
  return token;
}
