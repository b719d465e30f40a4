/** A login with an existing token, read from stdin. */
import { usageError } from '../../core/errors.js';
import type { Env } from '../../core/io.js';
import type { Machine } from '../../core/machine.js';
import { checkToken } from '../credentials/credentials.js';
import { checkCanKeep, storeLogin } from '../credentials/store.js';
import type { LoggedIn } from './login.js';
import { linesOf } from './paste.js';

export interface TokenLogin<Account> {
  readonly env: Env;
  readonly machine: Machine;
  readonly profile: string;
  readonly baseUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly token: string;
  /** @throws EduError if the token is rejected */
  readonly verify: (token: string) => Promise<Account>;
}

/** The token on the first line that is not blank. @throws a usage error that does not contain the input */
export async function tokenFrom(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  for await (const line of linesOf(stdin)) {
    if (line.trim() !== '') return checkToken(line.trim(), 'stdin');
  }
  throw usageError('Cannot log in: stdin contains no token.', 'Pipe one in: edu auth login --with-token < token.txt');
}

/** Verifies the token, then stores it. */
export async function loginWithToken<Account>(login: TokenLogin<Account>): Promise<LoggedIn<Account>> {
  const { env, machine, token, verify } = login;
  checkCanKeep(env, machine);
  const account = await verify(token);
  const file = await storeLogin(env, machine, { ...login, credential: { accessToken: token } });
  return { account, file };
}
