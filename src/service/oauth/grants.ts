/** Personas, codes and tokens of the OAuth endpoints, in the service's store. */
import type { AuthorizationCode } from '../store/records.js';
import { type Store, secretId } from '../store/store.js';

export const personasOf = (store: Store) =>
  store.read(() =>
    store.personas.all({}).flatMap((persona) => {
      const user = store.users.get(persona.userId);
      const organization = store.organizations.get(user?.organizationId ?? '');
      return user === undefined || user.anonymized || organization === undefined
        ? []
        : [{ ...persona, user, organization }];
    }),
  );

export type Persona = ReturnType<typeof personasOf>[number];

/** Stores only a digest of the code. @param now milliseconds since 1970; removes codes that have expired */
export function saveCode(store: Store, code: string, grant: Omit<AuthorizationCode, 'id'>, now: number): void {
  store.write(() => {
    for (const { id, expiresAt } of store.authorizationCodes.all({})) {
      if (expiresAt <= now) store.authorizationCodes.remove(id);
    }
    store.authorizationCodes.insert({ id: secretId(code), ...grant });
  });
}

/** Replaces a code by a digest of the token. @returns false when the code is unknown or not accepted */
export const exchange = (
  store: Store,
  code: string,
  accept: (grant: AuthorizationCode) => boolean,
  token: string,
  now: number,
): boolean =>
  store.write(() => {
    const grant = store.authorizationCodes.get(secretId(code));
    if (grant === undefined || !accept(grant)) return false;
    const { id, clientId, userId } = grant;
    store.authorizationCodes.remove(id);
    store.accessTokens.insert({ id: secretId(token), userId, clientId, createdAt: now, expiresAt: null });
    const login = { id: `${userId}/web`, userId, device: 'web', at: now } as const;
    if (store.logins.get(login.id) === undefined) store.logins.insert(login);
    else store.logins.update(login);
    return true;
  });
