/** Reaches another implementation, given by environment variables. */
import { type Door, PERSONAS, type Persona } from './door.js';
import { overSockets } from './sockets.js';

/** EDU_CONFORMANCE_URL without a trailing slash; undefined to test the bundled service. */
export const remoteUrl = (): string | undefined => process.env.EDU_CONFORMANCE_URL?.replace(/\/$/, '');

const variableOf = (persona: Persona): string => `EDU_CONFORMANCE_TOKEN_${persona.toUpperCase()}`;

const APPLICATION = ['CLIENT_ID', 'CLIENT_SECRET', 'CALLBACK_URL'].map((name) => `EDU_CONFORMANCE_${name}`);

/**
 * Opens the service at `baseUrl`, with one token per persona and a registered application from the environment.
 * @throws if one of them is missing
 */
export async function remote(baseUrl: string): Promise<Door> {
  const missing = [...PERSONAS.map(variableOf), ...APPLICATION].filter((name) => !process.env[name]);
  if (missing.length > 0) throw new Error(`EDU_CONFORMANCE_URL is set, but not ${missing.join(', ')}`);
  const [clientId = '', clientSecret = '', callbackUrl = ''] = APPLICATION.map((name) => process.env[name] ?? '');
  return {
    baseUrl,
    application: { clientId, clientSecret, callbackUrl },
    send: overSockets,
    token: (persona) => process.env[variableOf(persona)] ?? '',
    encryptionMs: null,
    now: () => new Date(),
    close: async () => {},
  };
}
