/** The last step of a login: stores the profile and the verified token. */
import type { Env } from '../../core/io.js';
import type { Machine } from '../../core/machine.js';
import { changeProfile } from '../../settings/write-settings.js';
import { credentialsFile } from '../credentials/credentials.js';
import { type CredentialChange, keepCredential } from '../credentials/store.js';

export interface LoginToStore {
  readonly profile: string;
  readonly baseUrl: string;
  /** Settings to store in the profile. */
  readonly settings: Readonly<Record<string, string>>;
  readonly credential: CredentialChange;
}

/** Stores a login. @returns the file that contains the token */
export async function storeLogin(env: Env, machine: Machine, stored: LoginToStore): Promise<string> {
  const { profile, settings, credential } = stored;
  // Settings first, because a token without its profile's settings would be useless.
  if (Object.keys(settings).length > 0) await changeProfile(env, machine, profile, settings);
  await keepCredential(env, machine, stored, credential);
  return credentialsFile(env);
}
