/** The tokens of consent pages, without which forms of other sites and repeated forms fail. */
import { mayLogIn, userNamed } from '../access.js';
import { newToken } from '../identifiers.js';
import type { ServiceContext } from '../service-context.js';
import type { User } from '../store/records.js';
import type { Store } from '../store/store.js';
import type { Parameters } from './parameters.js';

const CONSENT_LIFE_MS = 10 * 60_000;

export interface PendingConsent {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state?: string | undefined;
}

export type OAuthContext = Pick<ServiceContext, 'store' | 'now' | 'random' | 'variants'> & {
  readonly consents: ReturnType<typeof consentTokens>;
};

const MAX_OTHERS = 500;

/** The personas that a consent page offers, and the users that it suggests; any other can be written. */
export const peopleIn = (store: Store) =>
  store.read(() => ({
    personas: store.personas.all({}).flatMap((persona) => {
      const user = store.users.get(persona.userId);
      const organization = store.organizations.get(user?.organizationId ?? '');
      if (user === undefined || user.anonymized || organization === undefined) return [];
      return [{ ...persona, user, organization }];
    }),
    others: store.users.page({}, 0, MAX_OTHERS).items.filter(mayLogIn),
  }));

/** The user whom a consent form names, who may log in: in `user` anybody, else in `persona`. */
export const personIn = (store: Store, parameters: Parameters): User | undefined =>
  store.read(() => {
    const user = userNamed(store, parameters.get('user') ?? parameters.get('persona') ?? '');
    return user !== undefined && mayLogIn(user) ? user : undefined;
  });

export type Persona = ReturnType<typeof peopleIn>['personas'][number];

/** Issues and accepts the tokens of consent pages. All are kept until they expire: pages of other sites replace none. */
export function consentTokens({ now, random }: Pick<ServiceContext, 'now' | 'random'>) {
  const pending = new Map<string, PendingConsent & { readonly expires: number }>();
  return {
    issue(consent: PendingConsent): string {
      for (const [old, { expires }] of pending) if (expires <= now()) pending.delete(old);
      const token = newToken(random);
      pending.set(token, { ...consent, expires: now() + CONSENT_LIFE_MS });
      return token;
    },
    /** Returns what a token consents to, once; undefined when it was not issued here, is used or has expired. */
    accept(token: string): PendingConsent | undefined {
      const found = pending.get(token);
      pending.delete(token);
      return found === undefined || found.expires <= now() ? undefined : found;
    },
  };
}
