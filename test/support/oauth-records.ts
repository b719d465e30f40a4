/** Records for the authorization pages, in memory: one application, its personas, and the issued codes and tokens. */
import type { CodeGrant, OAuthClient, OAuthRecords, Persona } from '../../src/service/oauth/records.js';

export const CLIENT: OAuthClient = {
  id: 'edu-offline',
  name: 'edu',
  secret: 'p+lu&s=per%cent',
  callbackUrl: 'http://127.0.0.1:8976/callback',
  suspended: false,
};

const persona = (
  name: string,
  firstName: string,
  lastName: string,
  organization: Persona['organization'],
): Persona => ({
  name,
  userId: `user-${name}`,
  firstName,
  lastName,
  email: `${name}@example.org`,
  organization,
  about: 'a persona of a test',
});

export const PERSONAS: readonly Persona[] = [
  persona('distributor', 'Noémie', 'Dvořáková', { name: 'Lernhaus & Söhne', type: 'Distributor' }),
  persona('viewer', '<b>Γιώργος</b>', '"O’Neill"', { name: 'מרכז ללמידה', type: 'School' }),
];

export interface KeptRecords extends OAuthRecords {
  readonly codes: Map<string, CodeGrant>;
  readonly tokens: Map<string, CodeGrant>;
}

export function oauthRecords(...clients: readonly OAuthClient[]): KeptRecords {
  const all = clients.length === 0 ? [CLIENT] : clients;
  const codes = new Map<string, CodeGrant>();
  const tokens = new Map<string, CodeGrant>();
  return {
    codes,
    tokens,
    client: (id) => all.find((client) => client.id === id),
    personas: () => PERSONAS,
    saveCode: (code, grant) => void codes.set(code, grant),
    exchange(code, accept, token) {
      const grant = codes.get(code);
      if (grant === undefined || !accept(grant)) return undefined;
      codes.delete(code);
      tokens.set(token, grant);
      return grant;
    },
  };
}
