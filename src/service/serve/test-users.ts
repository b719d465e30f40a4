/** Helpers for tests: access tokens for any user, verified addresses, sent e-mails, applications, records. */
import type { Headers } from '../../core/http.js';
import { mayLogIn, tokenIn, userNamed } from '../access.js';
import { Refusal } from '../error-answer.js';
import { newToken, secretId } from '../identifiers.js';
import { PERSONAS } from '../personas.js';
import { CLIENT_SECRET } from '../seeds/cast.js';
import type { ServiceContext } from '../service-context.js';
import type { Email, OAuthClient, User } from '../store/records.js';
import { VISIBLE } from '../store/schema.js';
import type { Store } from '../store/store.js';

export interface ClientGiven {
  readonly id: string;
  readonly callbackUrl: string;
  /** Default: the secret of the bundled application. */
  readonly secret?: string;
  readonly name?: string;
  readonly suspended?: boolean;
}

/** A user as tests name one. */
export interface Person {
  readonly id: string;
  readonly email: string | null;
  readonly persona?: string;
}

export type People = ReturnType<typeof peopleOf>;

/** Users are named by persona, ID or e-mail address. Every method throws a Refusal with 404. */
export function peopleOf({ store, now, random }: Pick<ServiceContext, 'store' | 'now' | 'random'>) {
  const find = (user: string): User => {
    const found = typeof user === 'string' ? userNamed(store, user) : undefined;
    if (found === undefined) throw new Refusal(404, `no user has the ID or e-mail address ${JSON.stringify(user)}`);
    return found;
  };
  const findLogin = (user: string): User => {
    const found = find(user);
    if (mayLogIn(found)) return found;
    throw new Refusal(404, `the user ${found.id} cannot log in: it has no organization, or was anonymized`);
  };
  const grantOf = (token: string) => {
    const grant = store.accessTokens.get(secretId(token));
    if (grant === undefined) throw new Refusal(404, 'no such token was issued');
    return grant;
  };
  return {
    /** The user, who may log in. */
    findLogin: (user: string): User => store.read(() => findLogin(user)),
    isUser: (user: string): boolean => store.read(() => userNamed(store, user)) !== undefined,
    /** The user whose token a request carries; undefined also while the state is locked. */
    callerOf(headers: Headers): Person | undefined {
      const token = tokenIn(headers);
      if (token === undefined) return undefined;
      try {
        return store.read(() => {
          const user = store.users.get(store.accessTokens.get(secretId(token))?.userId ?? '');
          const persona = user && PERSONAS.find((name) => store.personas.get(name)?.userId === user.id);
          return user && { id: user.id, email: user.email, ...(persona === undefined ? {} : { persona }) };
        });
      } catch {
        return undefined;
      }
    },
    /** Issues an access token. @param lifeMs milliseconds until it expires; default: never */
    token: (user: string, lifeMs?: number, token = `edu_${newToken(random)}`): string =>
      store.write(() => {
        const userId = findLogin(user).id;
        const createdAt = now();
        const expiresAt = lifeMs === undefined ? null : createdAt + lifeMs;
        store.accessTokens.insert({ id: secretId(token), userId, clientId: null, createdAt, expiresAt });
        return token;
      }),
    revoke: (token: string): void => store.write(() => store.accessTokens.remove(grantOf(token).id)),
    expire: (token: string): void =>
      store.write(() => store.accessTokens.update({ ...grantOf(token), expiresAt: now() })),
    verify: (user: string): void => store.write(() => store.users.update({ ...find(user), verified: true })),
    emails: (): readonly Email[] => store.read(() => store.emails.all({})),
    register: ({ id, callbackUrl, secret = CLIENT_SECRET, name = id, suspended = false }: ClientGiven): OAuthClient =>
      store.write(() => {
        const client = { id, callbackUrl, secret, name, suspended };
        if (store.oauthClients.get(id) === undefined) store.oauthClients.insert(client);
        else store.oauthClients.update(client);
        return client;
      }),
  };
}

const MAX_RECORDS = 1_000;

/** A page of a collection after the position `after`, and where the next page starts. @throws Refusal 404 */
export function recordsIn(store: Store, given: string, after = 0): { items: readonly object[]; next?: number } {
  const name = VISIBLE.find((one) => one === given);
  if (name === undefined) {
    throw new Refusal(404, `there is no collection ${JSON.stringify(given)}: choose from ${VISIBLE.join(', ')}`);
  }
  const { items, next } = store.read(() => store[name].page({}, after, MAX_RECORDS));
  return { items, ...(next === undefined ? {} : { next }) };
}
