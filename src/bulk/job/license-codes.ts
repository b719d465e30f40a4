/** Gives licence codes to rows without one, derived from the row's identity and EDU_CODE_SECRET or a stored secret. */
import { basename, join } from 'node:path';
import { usageError } from '../../core/errors.js';
import { cannotWrite, codeOf } from '../../core/fs/disk-errors.js';
import { inPrivateFolder } from '../../core/fs/private-file.js';
import { OPEN_TO_OTHERS, readTrustedFile } from '../../core/fs/trusted-file.js';
import { replaceContent } from '../../core/fs/write-file.js';
import type { Env } from '../../core/io.js';
import { shellLine } from '../../core/shell.js';
import { configFolder } from '../../settings/folders.js';
import type { BulkHost } from '../host.js';
import type { SourceRow } from '../input/row-source.js';
import type { Values, Verb } from '../row-command.js';
import type { Claim } from '../send/check-claim.js';
import { codeBytes } from './identity.js';
import { isDone, type Outcome } from './states.js';

/** A shorter secret could be guessed, and all codes derived from it. */
const MIN_LENGTH = 16;

/** The warning about a secret that is weak or will be lost with a CI machine; it is used nevertheless. */
export function weakSecret({ EDU_CODE_SECRET: given = '', CI: ci = '' }: Env): string | undefined {
  const { length } = given.trim();
  if (length === 0 && /^(1|true)$/i.test(ci)) {
    return 'EDU_CODE_SECRET is not set: another machine derives other licence codes, and would create these licences again.';
  }
  if (length === 0 || length >= MIN_LENGTH) return undefined;
  const advice = `Use at least ${MIN_LENGTH}, such as the output of: openssl rand -hex 32`;
  return `EDU_CODE_SECRET has ${length} ${length === 1 ? 'character' : 'characters'}; licence codes derived from it could be guessed. ${advice}`;
}

/** Anyone who knows the secret can derive the codes, so others must not be able to read it. */
const TRUST = { refuse: usageError, forbidden: OPEN_TO_OTHERS, maxBytes: 64 * 1024, mayBeLink: false };

const read = (file: string): string | undefined => readTrustedFile(file, TRUST)?.trim() || undefined;

/**
 * The secret of the local user, created on first use. All profiles share it, so that a row has the same code with each.
 * @param unique returns random letters and digits
 * @throws a usage error if it cannot be stored
 */
export function codeSecret(env: Env, unique: () => string): string {
  const given = env.EDU_CODE_SECRET?.trim();
  if (given) return given;
  const folder = join(configFolder(env), 'private');
  const file = join(folder, 'code-secret');
  const kept = read(file);
  if (kept !== undefined) return kept;
  try {
    const made = `${unique()}${unique()}${unique()}\n`;
    const write = (path: string) => replaceContent(join(path, basename(file)), made, { flush: true, exclusive: true });
    inPrivateFolder(folder, write, usageError);
  } catch (error) {
    // If two processes create it at once, both use the secret of the first.
    if (codeOf(error) !== 'EEXIST') throw cannotWrite(file, error, 'Make its folder writable, or set EDU_CODE_SECRET.');
  }
  const secret = read(file);
  // Anyone could derive codes from an empty secret.
  if (secret === undefined)
    throw usageError(
      `Cannot use ${file}, the secret from which licence codes are derived: it is empty.`,
      `Restore it from a backup. If you remove it, rows that were sent get other codes: ${shellLine('rm', file)}`,
    );
  return secret;
}

/** The values of a row, including its code. */
export interface CodedRow {
  readonly values: Values;
  /** True if `edu` derived the code, so that an item with this code was created for this row. */
  readonly hasOwnKey: boolean;
  /** Set if a results file marks the row as created. */
  readonly claim?: Claim | undefined;
}

/** Max number of other codes tried for a row if the service rejects the code of a deleted licence. */
export const MAX_RECODES = 3;

/** What decides about a row's code beside its values. */
export interface CodeOptions {
  /** What is recorded of the row, if it was sent before. */
  readonly recorded?: Outcome | undefined;
  /** Number of the row's codes that the service has rejected. */
  readonly used?: number;
}

/**
 * Returns a function that adds a row's code to its values: the one under which its licence exists or may exist, else that
 * of a results file, else a derived one.
 * @param digests the identities of all rows
 */
export function withCodes({ codeOf, creates }: Verb, digests: Uint8Array, context: Pick<BulkHost, 'env' | 'machine'>) {
  let bytesOf: ((row: number, used: number) => Uint8Array) | undefined;
  function derived(row: number, used: number): string | undefined {
    bytesOf ??= codeBytes(codeSecret(context.env, context.machine.unique), digests);
    return codeOf?.(bytesOf(row, used));
  }
  const canDerive = (row: number, code: string): boolean =>
    Array.from({ length: MAX_RECODES + 1 }, (_, used) => used).some((used) => derived(row, used) === code);

  return (row: number, { values, own }: SourceRow, { recorded, used = 0 }: CodeOptions = {}): CodedRow => {
    const claim = creates && own?.isMade ? { id: own.id, code: own.code } : undefined;
    if (codeOf === undefined || values.code !== undefined) return { values, hasOwnKey: false, claim };
    const known = recorded?.code ?? recorded?.key;
    const code = used > 0 ? derived(row, used) : (known ?? own?.code ?? derived(row, 0));
    // A results file may have been edited, so its code is the row's own only if it was recorded or can be derived again.
    const isGiven =
      code === own?.code && used === 0 && !(known !== undefined && recorded !== undefined && isDone(recorded.state));
    return { values: Object.assign({}, values, { code }), hasOwnKey: !isGiven || canDerive(row, code ?? ''), claim };
  };
}
