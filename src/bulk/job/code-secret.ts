/** The secret from which licence codes are derived: EDU_CODE_SECRET, else one in the settings folder. */
import { basename, join } from 'node:path';
import { EduError, usageError } from '../../core/errors.js';
import { codeOf, diskFullHint } from '../../core/fs/disk-errors.js';
import { inPrivateFolder } from '../../core/fs/private-file.js';
import { OPEN_TO_OTHERS, type Refuse, readTrustedFile } from '../../core/fs/trusted-file.js';
import { replaceContent } from '../../core/fs/write-file.js';
import type { Env } from '../../core/io.js';
import { configFolder } from '../../settings/folders.js';

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

const refuse: Refuse = (message, hint) => usageError(message, hint);

/** Anyone who knows the secret can derive the codes, so others must not be able to read it. */
const TRUST = { refuse, forbidden: OPEN_TO_OTHERS, maxBytes: 64 * 1024, mayBeLink: false };

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
    inPrivateFolder(folder, (path) => makeSecret(join(path, basename(file)), unique), refuse);
  } catch (error) {
    if (error instanceof EduError) throw error;
    throw usageError(
      `Cannot write ${file} (${codeOf(error) ?? String(error)}): it stores the secret from which licence codes are derived.`,
      diskFullHint(error, 'Make its folder writable, set EDU_CONFIG_DIR to one that is, or set EDU_CODE_SECRET.'),
    );
  }
  return read(file) ?? '';
}

/** If two processes create it at once, both use the secret of the first. */
function makeSecret(file: string, unique: () => string): void {
  try {
    replaceContent(file, `${unique()}${unique()}${unique()}\n`, { flush: true, exclusive: true });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
