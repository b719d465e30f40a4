/** Cursors and pages of the paginated collections ("Conventions", "Limits"). */
import { describe, expect, it } from 'vitest';
import { DOCUMENTED } from '../contract/endpoint-table.js';
import type { Actor, Given } from './actor.js';
import {
  bookLicence,
  EN,
  newBook,
  newLicence,
  newPublisher,
  newReader,
  newSchool,
  newUser,
  organizationOf,
  teacherLicence,
} from './makers.js';
import { newSubscription } from './requests.js';
import { conformance } from './suite.js';
import { everyItem, type PagedRoute, page, pages } from './walk.js';

type Fill = (actor: Actor, now: Date) => Promise<{ given: Given; add: () => Promise<unknown> }>;

/** For each collection: its request, and a function that adds an item. */
const COLLECTIONS: Readonly<Record<PagedRoute, Fill>> = {
  'GET /v1/books': async (actor) => {
    const { id, type } = await organizationOf(actor);
    return { given: { query: { organization: id, type, ...EN } }, add: () => newBook(actor) };
  },
  'GET /v1/books/{id}/licenses': async (actor) => {
    const { id } = await newBook(actor);
    return { given: { params: { id } }, add: () => newLicence(actor, bookLicence([id])) };
  },
  'GET /v1/licenses': async (actor) => ({ given: { query: { type: 'TEACHER' } }, add: () => newLicence(actor) }),
  'GET /v1/publishers': async (actor) => ({ given: {}, add: () => newPublisher(actor) }),
  'GET /v1/readers': async (actor) => ({ given: { query: EN }, add: () => newReader(actor) }),
  'GET /v1/schools': async (actor) => ({ given: {}, add: () => newSchool(actor) }),
  'GET /v1/subscriptions': async (actor, now) => ({ given: {}, add: () => newSubscription(actor, now) }),
  'GET /v1/users': async (actor) => {
    const { id } = await newSchool(actor);
    const school = { id, type: 'School' };
    return { given: { query: { organization: id, type: 'School' } }, add: () => newUser(actor, school) };
  },
};

const PAGED = Object.keys(COLLECTIONS) as PagedRoute[];

it('covers the documented paginated endpoints', () => {
  expect([...PAGED].sort()).toEqual(
    DOCUMENTED.filter((row) => row.page)
      .map((row) => row.route)
      .sort(),
  );
});

const idsOf = (items: readonly unknown[]): unknown[] => items.map((item) => (item as { id: string }).id);

conformance('Paging', ({ distributor, publisher, door, ours }) => {
  describe.each(PAGED)('%s', (route) => {
    const filled = async (items: number) => {
      const { given, add } = await COLLECTIONS[route](distributor, door().now());
      for (let made = 0; made < items; made++) await add();
      return { given, add };
    };

    it('[paging-walk] returns every item once, with any limit', async () => {
      const { given } = await filled(5);
      const whole = idsOf(await everyItem(distributor, route, given));
      expect(new Set(whole).size).toBe(whole.length);
      expect(whole.length).toBeGreaterThanOrEqual(5);
      for (const limit of [Math.max(2, Math.ceil(whole.length / 4)), whole.length, whole.length + 1]) {
        const walked = (await pages(distributor, route, given, Math.min(limit, 100))).flatMap(({ items }) =>
          idsOf(items),
        );
        expect([...walked].sort()).toEqual([...whole].sort());
      }
    });

    it('[paging-limit] returns no more than limit items on a page', async () => {
      const { given } = await filled(3);
      for (const limit of [1, 2]) {
        const { items, nextCursor } = await page(distributor, route, given, limit);
        expect(items.length).toBeLessThanOrEqual(limit);
        expect(nextCursor).toEqual(expect.any(String));
      }
    });

    it('[paging-default] pages without a limit, too', async () => {
      const { given } = await filled(2);
      const first = await page(distributor, route, given, undefined);
      if (first.nextCursor === null) return;
      const second = await page(distributor, route, given, undefined, first.nextCursor);
      const both = [...idsOf(first.items), ...idsOf(second.items)];
      expect(new Set(both).size).toBe(both.length);
    });

    ours('[paging-stable] skips and repeats nothing when an item is added meanwhile', async () => {
      const { given, add } = await filled(4);
      const before = idsOf(await everyItem(distributor, route, given));
      const half = Math.max(2, Math.floor(before.length / 2));
      const first = await page(distributor, route, given, half);
      await add();
      const walked = idsOf(first.items);
      let cursor = first.nextCursor;
      while (cursor !== null) {
        const next = await page(distributor, route, given, half, cursor);
        walked.push(...idsOf(next.items));
        cursor = next.nextCursor;
      }
      expect(new Set(walked).size).toBe(walked.length);
      expect(walked).toEqual(expect.arrayContaining(before));
    });

    ours('[paging-last] ends with nextCursor null', async () => {
      const { given } = await filled(1);
      const all = await pages(distributor, route, given);
      expect(all.at(-1)?.nextCursor).toBeNull();
    });

    ours('[paging-limit-invalid] refuses a limit that is not a whole number of at least 1 with 400', async () => {
      const { given } = await filled(0);
      for (const limit of ['0', '-1', '1.5', 'many', '']) {
        await distributor.refused(400, route, { ...given, query: { ...given.query, limit } });
      }
    });

    ours('[paging-limit-most] returns at most 100 items when limit is larger', async () => {
      const { given } = await filled(1);
      const { items } = await page(distributor, route, given, 1_000_000);
      expect(items.length).toBeLessThanOrEqual(100);
    });

    ours('[cursor-unknown] refuses a cursor that the service did not issue with 400', async () => {
      const { given } = await filled(3);
      const { nextCursor } = await page(distributor, route, given, 1);
      for (const cursor of ['nonsense', '', `${nextCursor}x`, `x${nextCursor}`]) {
        await distributor.refused(400, route, { ...given, query: { ...given.query, limit: 1, cursor } });
      }
    });

    ours('[cursor-of-collection] refuses a cursor of another collection with 400', async () => {
      const { given } = await filled(3);
      const { nextCursor } = await page(distributor, route, given, 1);
      const other: PagedRoute = route === 'GET /v1/schools' ? 'GET /v1/publishers' : 'GET /v1/schools';
      await distributor.refused(400, other, { query: { limit: 1, cursor: nextCursor ?? '' } });
    });

    ours('[cursor-short-lived] refuses a cursor with 400 an hour later', async () => {
      const { given } = await filled(3);
      const { nextCursor } = await page(distributor, route, given, 1);
      door().advance?.(3_600_000);
      const query = { ...given.query, limit: 1, cursor: nextCursor ?? '' };
      await distributor.refused(400, route, { ...given, query });
    });
  });

  const deadAfter = async (route: PagedRoute, given: Given, removal: () => Promise<unknown>) => {
    const { nextCursor } = await page(distributor, route, given, 1);
    expect(nextCursor).toEqual(expect.any(String));
    await removal();
    const query = { ...given.query, limit: 1, cursor: nextCursor ?? '' };
    await distributor.refused(400, route, { ...given, query });
    expect((await everyItem(distributor, route, given)).length).toBeGreaterThan(0);
  };

  it('[cursor-dies-on-removal] invalidates the cursors of licences when one is deleted', async () => {
    for (let made = 0; made < 3; made++) await newLicence(distributor);
    const { id } = await newLicence(distributor);
    await deadAfter('GET /v1/licenses', { query: { type: 'TEACHER' } }, () =>
      distributor.ok('DELETE /v1/licenses/{id}', { params: { id } }),
    );
  });

  it('[cursor-dies-on-removal-of-book-licence] invalidates the cursors of a book’s licences as well', async () => {
    const book = await newBook(distributor);
    for (let made = 0; made < 3; made++) await newLicence(distributor, bookLicence([book.id]));
    const { id } = await newLicence(distributor, bookLicence([book.id]));
    await deadAfter('GET /v1/books/{id}/licenses', { params: { id: book.id } }, () =>
      distributor.ok('DELETE /v1/licenses/{id}', { params: { id } }),
    );
  });

  ours('[cursor-dies-on-move] invalidates the cursors of an organization’s users when one moves away', async () => {
    const from = { id: (await newSchool(distributor)).id, type: 'School' };
    const to = { id: (await newSchool(distributor)).id, type: 'School' };
    for (let made = 0; made < 3; made++) await newUser(distributor, from);
    const { id } = await newUser(distributor, from);
    await deadAfter('GET /v1/users', { query: { organization: from.id, type: 'School' } }, () =>
      distributor.ok('PUT /v1/users/{id}', {
        params: { id },
        json: { firstName: 'A', lastName: 'B', organization: to, roles: [] },
      }),
    );
  });

  ours('[cursor-of-query] refuses a cursor of another query with 400', async () => {
    for (let made = 0; made < 3; made++) await newLicence(distributor);
    const { nextCursor } = await page(distributor, 'GET /v1/licenses', { query: { type: 'TEACHER' } }, 1);
    const query = { type: 'BOOKS', limit: 1, cursor: nextCursor ?? '' };
    await distributor.refused(400, 'GET /v1/licenses', { query });
  });

  ours('[cursor-of-caller] refuses a cursor of another organization with 400', async () => {
    for (let made = 0; made < 3; made++) {
      await newLicence(distributor);
      await newLicence(publisher);
    }
    const { nextCursor } = await page(distributor, 'GET /v1/licenses', { query: { type: 'TEACHER' } }, 1);
    const query = { type: 'TEACHER', limit: 1, cursor: nextCursor ?? '' };
    await publisher.refused(400, 'GET /v1/licenses', { query });
  });

  it('[cursor-needs-query] needs the required query parameters on every page', async () => {
    for (let made = 0; made < 3; made++) await newLicence(distributor, teacherLicence());
    const { nextCursor } = await page(distributor, 'GET /v1/licenses', { query: { type: 'TEACHER' } }, 1);
    await distributor.refused(400, 'GET /v1/licenses', { query: { cursor: nextCursor ?? '' } });
  });
});
