/** Open consent pages, each with a secret token, so that forms of other sites and repeated forms fail. */
import type { ServiceContext } from '../service-context.js';

const CONSENT_LIFE_MS = 10 * 60_000;
const MAX_OPEN = 1_000;

export interface PendingConsent {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
}

export type OAuthContext = Pick<ServiceContext, 'store' | 'now' | 'random' | 'variants'> & {
  readonly consents: Consents;
};

export class Consents {
  readonly #open = new Map<string, PendingConsent & { readonly expires: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  open(token: string, consent: PendingConsent): void {
    const [oldest] = this.#open.keys();
    if (this.#open.size >= MAX_OPEN && oldest !== undefined) this.#open.delete(oldest);
    this.#open.set(token, { ...consent, expires: this.#now() + CONSENT_LIFE_MS });
  }

  /** Removes and returns a pending request; undefined when the token is unknown, used or expired. */
  close(token: string): PendingConsent | undefined {
    const consent = this.#open.get(token);
    this.#open.delete(token);
    return consent === undefined || consent.expires <= this.#now() ? undefined : consent;
  }
}
