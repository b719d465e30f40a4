/** Open consent pages, each with a secret token, so that forms of other sites and repeated forms fail. */
import type { ServiceContext } from '../service-context.js';
import type { Store } from '../store/store.js';

const CONSENT_LIFE_MS = 10 * 60_000;
const MAX_OPEN = 1_000;

interface PendingConsent {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
}

export type OAuthContext = Pick<ServiceContext, 'store' | 'now' | 'random' | 'variants'> & {
  readonly consents: ReturnType<typeof openConsents>;
};

/** The personas that a consent page offers. */
export const personasOf = (store: Store) =>
  store.read(() =>
    store.personas.all({}).flatMap((persona) => {
      const user = store.users.get(persona.userId);
      const organization = store.organizations.get(user?.organizationId ?? '');
      if (user === undefined || user.anonymized || organization === undefined) return [];
      return [{ ...persona, user, organization }];
    }),
  );

export type Persona = ReturnType<typeof personasOf>[number];

export function openConsents(now: () => number) {
  const pending = new Map<string, PendingConsent & { readonly expires: number }>();
  return {
    open(token: string, consent: PendingConsent): void {
      const [oldest] = pending.keys();
      if (pending.size >= MAX_OPEN && oldest !== undefined) pending.delete(oldest);
      pending.set(token, { ...consent, expires: now() + CONSENT_LIFE_MS });
    },
    /** Removes and returns a pending request; undefined when the token is unknown, used or expired. */
    close(token: string): PendingConsent | undefined {
      const consent = pending.get(token);
      pending.delete(token);
      return consent === undefined || consent.expires <= now() ? undefined : consent;
    },
  };
}
