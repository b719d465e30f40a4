/** Changes the settings file with conf under a lock. */
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writing } from '../core/fs/disk-errors.js';
import { withLock } from '../core/fs/lock.js';
import { ensureFolder } from '../core/fs/mkdir.js';
import { checkFolder } from '../core/fs/trusted-file.js';
import type { Env, Machine } from '../core/io.js';
import { type ProfileSettings, readSettings, SETTINGS_NAME, SETTINGS_TRUST, type Settings } from './read-settings.js';

/** The members to replace; others stay as they are. */
interface Changed {
  /** The default profile; undefined for none. */
  readonly profile?: string | undefined;
  readonly profiles?: ReadonlyMap<string, ProfileSettings>;
  readonly aliases?: ReadonlyMap<string, string>;
  /** Profiles by the real paths of folders. */
  readonly folders?: Readonly<Record<string, string>>;
}

/** @throws EduError `usage` if the file is damaged or cannot be written; it then stays unchanged */
export async function changeSettings(
  env: Env,
  machine: Machine,
  change: (now: Settings) => Changed | undefined,
): Promise<void> {
  const { file } = readSettings(env);
  const folder = dirname(file);
  // conf asks for the home folder when it is loaded, and a user without an account has none.
  process.env.HOME ??= folder;
  const { default: Conf } = await import('conf');
  writing(folder, () => ensureFolder(folder));
  checkFolder(folder, SETTINGS_TRUST);
  await withLock(file, machine, () => {
    const now = readSettings(env);
    const next = change(now);
    if (!next) return;
    const members = Object.entries(next).map(([name, value]) => [
      name,
      value instanceof Map ? Object.fromEntries(value) : value,
    ]);
    const document = { ...now.document, ...Object.fromEntries(members) };
    removeUnfinished(folder);
    writing(file, () => {
      const store = new Conf<Record<string, unknown>>({
        cwd: folder,
        configName: SETTINGS_NAME,
        configFileMode: 0o600,
        serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
        deserialize: (text) => JSON.parse(text.replace(/^\uFEFF/, '')),
      });
      store.store = document;
    });
  });
}

/** Changes settings of a profile, which is created if necessary. `undefined` removes a setting. */
export async function changeProfile(
  env: Env,
  machine: Machine,
  profile: string,
  values: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  await changeSettings(env, machine, ({ profiles }) => {
    const kept = Object.entries({ ...profiles.get(profile), ...values }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return { profiles: new Map([...profiles, [profile, Object.fromEntries(kept)]]) };
  });
}

/** Removes files that conf left when a process was killed. The lock ensures that no other process is writing them. */
function removeUnfinished(folder: string): void {
  const unfinished = new RegExp(`^${SETTINGS_NAME}\\.json\\.tmp-\\w+$`);
  for (const name of readdirSync(folder)) if (unfinished.test(name)) rmSync(join(folder, name), { force: true });
}
