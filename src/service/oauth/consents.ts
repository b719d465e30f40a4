/** The tokens of consent pages, without which forms of other sites and repeated forms fail. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { newToken } from '../identifiers.js';
import type { ServiceContext } from '../service-context.js';
import type { User } from '../store/records.js';
import { CURSOR_SECRET, type Store } from '../store/store.js';
import type { Parameters } from './parameters.js';

const CONSENT_LIFE_MS = 10 * 60_000;

export interface PendingConsent {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state?: string | undefined;
}

interface IssuedConsent extends PendingConsent {
  readonly expires: number;
}

export type OAuthContext = Pick<ServiceContext, 'store' | 'now' | 'random' | 'variants'> & {
  readonly consents: ReturnType<typeof consentTokens>;
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

const MAX_OTHERS = 500;

/** Users that a consent page suggests; any other can be written. */
export const othersIn = (store: Store): readonly User[] =>
  store.read(() =>
    store.users
      .page({}, 0, MAX_OTHERS)
      .items.filter(({ organizationId, anonymized }) => organizationId !== null && !anonymized),
  );

/** The user whom a consent form names: a persona, or in `user` the ID or e-mail address of anybody. */
export const personIn = (store: Store, parameters: Parameters): User | undefined =>
  store.read(() => {
    const given = parameters.get('user');
    const persona = store.personas.get(parameters.get('persona') ?? '');
    const user =
      given === undefined
        ? store.users.get(persona?.userId ?? '')
        : (store.users.get(given) ?? store.users.first({ email: given }));
    return user?.anonymized === false && user.organizationId !== null ? user : undefined;
  });

export type Persona = ReturnType<typeof personasOf>[number];

/**
 * Issues and accepts the tokens of consent pages. A token contains what it consents to, signed, and only the answers are
 * kept: however many pages another site opens, none of the user's becomes invalid.
 */
export function consentTokens({ store, now, random }: Pick<ServiceContext, 'store' | 'now' | 'random'>) {
  let key: string | undefined;
  const answered = new Map<string, number>();
  const macOf = (payload: string): Buffer => {
    // Of the state, because a new one would change which random numbers come next.
    key ??= store.read(() => store.setting(CURSOR_SECRET)) ?? '';
    return createHmac('sha256', key).update(`consent ${payload}`).digest();
  };
  return {
    issue(consent: PendingConsent): string {
      const content = { ...consent, expires: now() + CONSENT_LIFE_MS, unique: newToken(random) };
      const payload = Buffer.from(JSON.stringify(content)).toString('base64url');
      return `${payload}.${macOf(payload).toString('base64url')}`;
    },
    /** Returns what a token consents to, once; undefined when it was not issued here, is used or has expired. */
    accept(token: string): PendingConsent | undefined {
      const [payload = '', signature = ''] = token.split('.');
      const mac = Buffer.from(signature, 'base64url');
      if (mac.length !== 32 || !timingSafeEqual(mac, macOf(payload))) return undefined;
      const { expires, ...consent } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as IssuedConsent;
      for (const [old, end] of answered) if (end <= now()) answered.delete(old);
      if (expires <= now() || answered.has(payload)) return undefined;
      answered.set(payload, expires);
      return consent;
    },
  };
}
