/** A store for the authorization pages: applications and two personas. */
import { sampleUser } from '../../src/service/seeds/cast.js';
import type { OAuthClient } from '../../src/service/store/records.js';
import { openStore, type Store } from '../../src/service/store/store.js';

export const CLIENT: OAuthClient = {
  id: 'edu-offline',
  name: 'edu',
  secret: 'p+lu&s=per%cent',
  callbackUrl: 'http://127.0.0.1:8976/callback',
  suspended: false,
};

const PERSONAS = [
  ['distributor', 'Noémie', 'Dvořáková', 'Lernhaus & Söhne', 'Distributor'],
  ['viewer', '<b>Γιώργος</b>', '"O’Neill"', 'מרכז ללמידה', 'School'],
] as const;

export const oauthStore = (...clients: readonly OAuthClient[]): Promise<Store> =>
  openStore({
    fill(store) {
      store.oauthClients.insertMany(clients.length === 0 ? [CLIENT] : clients);
      for (const [id, firstName, lastName, name, type] of PERSONAS) {
        const [userId, organizationId, email] = [`user-${id}`, `of-${id}`, `${id}@example.org`];
        const nowhere = { ownerId: null, country: null, city: null };
        store.organizations.insert({ id: organizationId, type, name, ...nowhere });
        store.users.insert(sampleUser({ id: userId, email, firstName, lastName, organizationId }));
        store.personas.insert({ id, userId, about: 'a persona of a test' });
      }
    },
  });
