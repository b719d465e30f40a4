import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { getOrSet } from '../../../../src/core/maps.js';
import { secretId } from '../../../../src/service/identifiers.js';
import { PERSONAS, personaToken } from '../../../../src/service/personas.js';
import { type SeedName, seedFill } from '../../../../src/service/seeds/seed.js';
import { TABLES, type TableName } from '../../../../src/service/store/schema.js';
import { openStore, type Store } from '../../../../src/service/store/store.js';

const NOW = Date.UTC(2026, 2, 1, 9, 30);

const stores = new Map<SeedName, Promise<Store>>();
afterAll(async () => {
  for (const store of stores.values()) (await store).close();
});

/** A state that tests only read, because the large one takes a while to fill. */
const shared = (name: SeedName): Promise<Store> =>
  getOrSet(stores, name, async () => openStore({ fill: await seedFill(name, NOW) }));

const everything = (store: Store): string =>
  JSON.stringify((Object.keys(TABLES) as TableName[]).map((name) => [name, store[name].all({})]));

describe('the demo seed', () => {
  test('keeps the invariants of the records', async () => {
    const store = await shared('demo');
    for (const licence of store.licences.all({})) {
      const activations = store.activations.all({ licenceId: licence.id });
      expect(licence.numberOfActivations).toBe(activations.length);
      expect(activations.length).toBeLessThanOrEqual(licence.maximumActivations);
      expect(licence.code).toMatch(/^[a-z0-9]+$/);
      expect(licence.bookIds.length > 0).toBe(licence.type === 'Books');
      if (licence.type === 'Books') expect(licence.expiration).not.toBeNull();
      expect(store.books.many(licence.bookIds).size).toBe(licence.bookIds.length);
      for (const { createdAt, expiresAt, userId } of activations) {
        expect(createdAt).toBeLessThan(NOW);
        expect(expiresAt ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(createdAt);
        expect(store.users.get(userId)).toBeDefined();
      }
    }
    for (const subscription of store.subscriptions.all({})) {
      const uses = store.subscriptionUses.count({ subscriptionId: subscription.id });
      expect(subscription.numberOfActivations).toBe(uses);
      expect(uses).toBeLessThanOrEqual(subscription.maximumActivations);
    }
    for (const user of store.users.all({})) {
      const roles = store.roles.many(user.roleIds);
      expect(roles.size).toBe(user.roleIds.length);
      for (const role of roles.values()) expect(role.organizationId).toBe(user.organizationId);
      expect([...user.firstName].length).toBeLessThanOrEqual(50);
      expect([...user.lastName].length).toBeLessThanOrEqual(50);
      expect(user.email).toMatch(/^[a-z0-9.-]+@[a-z0-9.]+$/);
    }
    for (const { classId, userId } of store.classMembers.all({})) {
      expect(store.users.get(userId)?.organizationId).toBe(store.classes.get(classId)?.schoolId);
    }
    for (const { at, day } of store.modifications.all({})) expect(new Date(at).toISOString().slice(0, 10)).toBe(day);
  });
});

/** The start of the SHA-256 of all records of a seed. The large one has the books and the names of the demo seed. */
const DIGESTS = { demo: '33f107f40f511753', empty: 'cafeea1421b92018' } as const;

describe('every seed', () => {
  test.each(['demo', 'empty'] as const)('%s has the recorded digest', async (name) => {
    const digest = createHash('sha256').update(everything(await shared(name)));
    expect(
      digest.digest('hex').slice(0, 16),
      'the samples have changed: check the examples of the docs, and put the new digest into DIGESTS',
    ).toBe(DIGESTS[name]);
  });

  test('large has the personas with their tokens, and the application', async () => {
    const store = await shared('large');
    expect(store.personas.all({}).map(({ id }) => id)).toEqual(PERSONAS);
    for (const persona of PERSONAS) {
      const user = store.personas.get(persona)?.userId ?? '';
      expect(store.accessTokens.get(secretId(personaToken(persona)))?.userId).toBe(user);
      expect(store.users.get(user)?.roleIds).not.toEqual([]);
    }
    const organizations = PERSONAS.map((persona) => {
      const user = store.users.get(store.personas.get(persona)?.userId ?? '');
      return store.organizations.get(user?.organizationId ?? '')?.type;
    });
    expect(organizations).toEqual(['Distributor', 'Publisher', 'School', 'Distributor']);
    const viewer = store.users.get('u4');
    expect([...store.roles.many(viewer?.roleIds ?? []).values()].flatMap(({ permissions }) => permissions)).toEqual([]);
    expect(store.oauthClients.get('edu-offline')).toMatchObject({
      callbackUrl: 'http://127.0.0.1:8976/callback',
      suspended: false,
    });
    expect(store.setting('seed')).toBe('large');
  });

  test('large has 100,000 licences and 5,000 users', async () => {
    const store = await shared('large');
    expect(store.licences.count({ creatorId: 'd1' })).toBe(100_000);
    expect(store.users.count({}) - 3).toBe(5_000);
  });
});
