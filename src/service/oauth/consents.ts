/**
 * Open consent pages, each with a secret token that works once within ten minutes, so that forms of other sites and
 * repeated forms fail.
 */
/** How long a consent page may stay open, in milliseconds. */
const CONSENT_LIFE = 10 * 60_000;
/** Pages that may be open at once; the oldest gives way. */
const MOST_OPEN = 1_000;

/** An authorization request that was checked and waits for the user. */
export interface PendingConsent {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
}

export class Consents {
  readonly #open = new Map<string, PendingConsent & { readonly expires: number }>();
  readonly #now: () => number;

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  open(token: string, consent: PendingConsent): void {
    const [oldest] = this.#open.keys();
    if (this.#open.size >= MOST_OPEN && oldest !== undefined) this.#open.delete(oldest);
    this.#open.set(token, { ...consent, expires: this.#now() + CONSENT_LIFE });
  }

  /** Ends a pending request and returns it; undefined when the token is unknown, used or too old. */
  close(token: string): PendingConsent | undefined {
    const consent = this.#open.get(token);
    this.#open.delete(token);
    return consent === undefined || consent.expires <= this.#now() ? undefined : consent;
  }
}
