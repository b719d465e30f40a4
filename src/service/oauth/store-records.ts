/** The records of the OAuth endpoints, in the service's store. */
import { type Store, secretId } from '../store/store.js';
import type { CodeGrant, OAuthRecords, Persona } from './records.js';

function personasIn(store: Store): Persona[] {
  return store.personas.all({}).flatMap(({ id: name, userId, about }) => {
    const user = store.users.get(userId);
    const organization = store.organizations.get(user?.organizationId ?? '');
    if (user === undefined || user.anonymized || organization === undefined) return [];
    const { firstName, lastName, email } = user;
    return [{ name, userId, firstName, lastName, email: email ?? '', organization, about }];
  });
}

function removeExpiredCodes(store: Store, now: number): void {
  for (const { id, expiresAt } of store.authorizationCodes.all({})) {
    if (expiresAt <= now) store.authorizationCodes.remove(id);
  }
}

function recordLogin(store: Store, userId: string, at: number): void {
  const login = { id: `${userId}/web`, userId, device: 'web', at } as const;
  if (store.logins.get(login.id) === undefined) store.logins.insert(login);
  else store.logins.update(login);
}

/** @param now milliseconds since 1970 */
export function recordsOn(store: Store, now: () => number): OAuthRecords {
  return {
    client: (id) => store.read(() => store.oauthClients.get(id)),
    personas: () => store.read(() => personasIn(store)),
    saveCode: (code, { expires, state = null, ...grant }) =>
      store.write(() => {
        removeExpiredCodes(store, now());
        store.authorizationCodes.insert({ ...grant, id: secretId(code), state, expiresAt: expires });
      }),
    exchange: (code, accept, token) =>
      store.write(() => {
        const kept = store.authorizationCodes.get(secretId(code));
        if (kept === undefined) return undefined;
        const { id, clientId, userId, redirectUri, expiresAt } = kept;
        const grant: CodeGrant = { clientId, userId, redirectUri, state: kept.state ?? undefined, expires: expiresAt };
        if (!accept(grant)) return undefined;
        store.authorizationCodes.remove(id);
        store.accessTokens.insert({ id: secretId(token), userId, clientId, createdAt: now(), expiresAt: null });
        recordLogin(store, userId, now());
        return grant;
      }),
  };
}
