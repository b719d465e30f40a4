import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../../src/contract/shared.js';
import { secretId } from '../../../../src/service/identifiers.js';
import { SUBJECTS } from '../../../../src/service/names/vocabulary.js';
import { PERSONAS, personaToken } from '../../../../src/service/personas.js';
import { SEED_NAMES, type SeedName, seedFill } from '../../../../src/service/seeds/seed.js';
import { TABLES, type TableName } from '../../../../src/service/store/schema.js';
import { openStore, type Store } from '../../../../src/service/store/store.js';

const NOW = Date.UTC(2026, 2, 1, 9, 30);
const TODAY = '2026-03-01';

const stores: Store[] = [];
afterAll(() => {
  for (const store of stores.splice(0)) store.close();
});

async function filled(name: SeedName, now = NOW): Promise<Store> {
  const store = await openStore({ fill: await seedFill(name, now) });
  stores.push(store);
  return store;
}

const shares = new Map<SeedName, Promise<Store>>();

/** A state that tests only read, because the large one takes a while to fill. */
function shared(name: SeedName): Promise<Store> {
  const store = shares.get(name) ?? filled(name);
  shares.set(name, store);
  return store;
}

const everything = (store: Store): string =>
  JSON.stringify((Object.keys(TABLES) as TableName[]).map((name) => [name, store[name].all({})]));

describe('the demo seed', () => {
  test('has a distributor that owns three publishers and five schools, and other organizations', async () => {
    const store = await shared('demo');
    const owned = store.organizations.all({ ownerId: 'd1' });
    expect(owned.filter(({ type }) => type === 'Publisher').map(({ id }) => id)).toEqual(['p1', 'p2', 'p3']);
    expect(owned.filter(({ type }) => type === 'School').map(({ id }) => id)).toEqual(['s1', 's2', 's3', 's4', 's5']);
    for (const { name } of store.organizations.all({})) expect([...name].length).toBeLessThanOrEqual(50);
    expect(store.organizations.all({ ownerId: 'd2' }).map(({ type }) => type)).toEqual(['Publisher', 'School']);
    expect(store.licences.first({ code: 'taken01' })?.creatorId).toBe('d2');
  });

  test('has 60 books in all eight languages, 250 licences of both types, 300 users', async () => {
    const store = await shared('demo');
    const strangers = new Set(['d2', 'p9', 's9']);
    const books = store.books.all({}).filter(({ organizationId }) => !strangers.has(organizationId));
    expect(books).toHaveLength(60);
    expect(new Set(books.map(({ language }) => language))).toEqual(new Set(LANGUAGES));
    expect(new Set(books.map(({ subjectId }) => subjectId)).size).toBeGreaterThan(12);
    for (const { subjectId } of books) expect(SUBJECTS).toHaveProperty(subjectId);
    const licences = store.licences.all({ creatorId: 'd1' });
    expect(licences).toHaveLength(250);
    expect(licences.filter(({ type }) => type === 'Teacher')).toHaveLength(50);
    const users = store.users.all({}).filter(({ organizationId }) => !strangers.has(organizationId ?? ''));
    expect(users).toHaveLength(300);
    expect(users.filter(({ kind }) => kind === 'endUser')).toHaveLength(20);
    expect(store.users.count({ organizationId: 's1' })).toBeGreaterThan(100);
  });

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

  test('has licences that are expired, valid, counted in days, without an end, full, unused and cancelled', async () => {
    const licences = (await shared('demo')).licences.all({ creatorId: 'd1' });
    const some = (fits: (licence: (typeof licences)[number]) => boolean) => licences.filter(fits).length;
    expect(some(({ expiration }) => expiration?.type === 'Date' && (expiration.date ?? '') < TODAY)).toBeGreaterThan(
      10,
    );
    expect(some(({ expiration }) => expiration?.type === 'Date' && (expiration.date ?? '') > TODAY)).toBeGreaterThan(
      10,
    );
    expect(some(({ expiration }) => expiration?.type === 'Days')).toBeGreaterThan(10);
    expect(some(({ expiration }) => expiration === null)).toBeGreaterThan(5);
    expect(some((licence) => licence.numberOfActivations === licence.maximumActivations)).toBeGreaterThan(5);
    expect(some((licence) => licence.numberOfActivations === 0)).toBeGreaterThan(50);
    expect(some(({ cancelled }) => cancelled)).toBeGreaterThan(2);
    expect(some(({ ownerId }) => ownerId !== 'd1')).toBeGreaterThan(10);
  });

  test('has ids and codes with leading zeros and above 2^53, and names in many scripts', async () => {
    const store = await shared('demo');
    expect(store.licences.get('00000001')?.code).toBe('welcome1');
    expect(store.licences.first({ code: '0012345' })?.numberOfActivations).toBe(0);
    expect(store.users.all({}).some(({ id }) => /^\d+$/.test(id) && Number(id) > Number.MAX_SAFE_INTEGER)).toBe(true);
    expect(store.books.all({}).some(({ ean }) => ean.startsWith('00'))).toBe(true);
    const names = store.users
      .all({})
      .map(({ firstName, lastName }) => `${firstName} ${lastName}`)
      .join(' ');
    for (const script of [
      'Latin',
      'Cyrillic',
      'Greek',
      'Arabic',
      'Hebrew',
      'Han',
      'Hiragana',
      'Hangul',
      'Devanagari',
    ]) {
      expect(names).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'));
    }
  });

  test('has valid PDFs and covers for its books', async () => {
    const store = await shared('demo');
    const book = store.books.get('B1');
    const [pdf, cover] = [book?.pdfFileId, book?.coverFileId].map((id) => store.files.get(id ?? ''));
    const pdfBytes = readFileSync(store.blobs.path(pdf?.blob ?? ''));
    expect(pdfBytes.length).toBe(pdf?.size);
    expect(pdfBytes.toString('latin1')).toMatch(/^%PDF-1\.4\n[\s\S]*%%EOF\n$/);
    const table = Number(/startxref\n(\d+)/.exec(pdfBytes.toString('latin1'))?.[1]);
    expect(pdfBytes.toString('latin1', table, table + 4)).toBe('xref');
    const png = readFileSync(store.blobs.path(cover?.blob ?? ''));
    expect(png.length).toBe(cover?.size);
    expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  });
});

/** The start of the SHA-256 of all records of a seed. The large one has the books and the names of the demo seed. */
const DIGESTS = { demo: '33f107f40f511753', empty: 'cafeea1421b92018' } as const;

describe('every seed', () => {
  test.each(['demo', 'empty'] as const)('%s has the recorded digest', async (name) => {
    const digest = createHash('sha256').update(everything(await filled(name)));
    expect(
      digest.digest('hex').slice(0, 16),
      'the samples have changed: check the examples of the docs, and put the new digest into DIGESTS',
    ).toBe(DIGESTS[name]);
  });

  test.each(SEED_NAMES)('%s has the personas with their tokens, and the application', async (name) => {
    const store = await shared(name);
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
    expect(store.setting('seed')).toBe(name);
  });

  test('empty contains nothing else', async () => {
    const store = await shared('empty');
    const empty = (['books', 'readers', 'licences', 'activations', 'classes', 'subscriptions', 'files'] as const).map(
      (name) => store[name].count({}),
    );
    expect(empty).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(store.users.count({})).toBe(7);
  });

  test('large has 100,000 licences and 5,000 users', async () => {
    const store = await shared('large');
    expect(store.licences.count({ creatorId: 'd1' })).toBe(100_000);
    expect(store.users.count({}) - 3).toBe(5_000);
  });
});
