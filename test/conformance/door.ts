/**
 * How the suite reaches a service: the bundled one in process or over loopback HTTP, or any other by environment
 * (EDU_CONFORMANCE_URL and the tokens in docs/service-rules.md).
 */
import type { Send } from '../../src/core/http.js';

export const PERSONAS = ['distributor', 'publisher', 'school', 'viewer'] as const;
export type Persona = (typeof PERSONAS)[number];

/** An application registered with the service. */
export interface Application {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly callbackUrl: string;
}

export interface Door {
  readonly baseUrl: string;
  readonly send: Send;
  token(persona: Persona): string;
  readonly application: Application;
  /** Advances the service's clock; absent if that is impossible. */
  readonly advance?: ((milliseconds: number) => void) | undefined;
  /** The time until an uploaded PDF is encrypted; null: never. */
  readonly encryptionMs: number | null;
  /** Refuses members and parameters that the document does not show. */
  readonly isStrict?: boolean;
  /** The service's time. */
  now(): Date;
  close(): Promise<void>;
}
