/** Licences: codes, expiration, books, lists, update, cancel and delete ("Licences", "States and transitions"). */
import { describe, expect, it } from 'vitest';
import { EXPIRATION_DAYS } from '../contract/documented-limits.js';
import type { Actor } from './actor.js';
import { bookLicence, newBook, newLicence, newUser, organizationOf, teacherLicence, unique } from './makers.js';
import { conformance } from './suite.js';
import { everyItem } from './walk.js';

const assign = 'PUT /v1/licenses/assignLicense';

/** A user of the actor's organization who gets the licence. */
async function activate(actor: Actor, licenseId: string): Promise<string> {
  const { id: userId } = await newUser(actor, await organizationOf(actor));
  await actor.ok(assign, { json: { userId, licenseId } });
  return userId;
}

conformance('Licences', ({ distributor, publisher, school, ours }) => {
  it('[licence-fields] returns what was sent, with books as id, ean and name', async () => {
    const book = await newBook(publisher);
    const body = bookLicence([book.id], { code: unique('c') });
    const made = await publisher.ok('POST /v1/licenses', { json: body });
    expect(made).toMatchObject({
      name: body.name,
      code: (body as { code?: string }).code,
      type: 'Books',
      books: [{ id: book.id, ean: book.ean, name: book.title }],
      expiration: { type: 'Days', days: 365, date: null },
      maximumActivations: 5,
      numberOfActivations: 0,
      endUsers: [],
    });
    const read = await publisher.ok('GET /v1/licenses/{id}', { params: { id: made.id } });
    expect(read).toMatchObject({
      id: made.id,
      code: made.code,
      type: 'Books',
      books: [{ id: book.id, ean: book.ean }],
      numberOfActivations: 0,
      organization: made.organization,
    });
    expect(await publisher.ok('GET /v1/licenses/code/{code}', { params: { code: made.code } })).toEqual(read);
  });

  ours('[licence-detail-books] returns books as id, ean and title by ID and by code, as in lists', async () => {
    const book = await newBook(publisher);
    const made = await newLicence(publisher, bookLicence([book.id]));
    const read = await publisher.ok('GET /v1/licenses/{id}', { params: { id: made.id } });
    expect(read.books).toEqual([{ id: book.id, ean: book.ean, title: book.title }]);
  });

  it('[licence-list-entry] lists books as id, ean and title', async () => {
    const book = await newBook(publisher);
    const made = await newLicence(publisher, bookLicence([book.id]));
    const licences = await everyItem(publisher, 'GET /v1/books/{id}/licenses', { params: { id: book.id } });
    expect(licences.map(({ id, books }) => ({ id, books }))).toEqual([
      { id: made.id, books: [{ id: book.id, ean: book.ean, title: book.title }] },
    ]);
  });

  describe('codes', () => {
    it('[licence-code-generated] generates a code of lowercase letters and digits when none is given', async () => {
      const codes = [];
      for (let index = 0; index < 5; index++) codes.push((await newLicence(distributor)).code);
      for (const code of codes) expect(code).toMatch(/^[a-z0-9]+$/);
      expect(new Set(codes).size).toBe(5);
    });

    it('[licence-code-format] refuses a code that is not lowercase alphanumeric with 400', async () => {
      for (const code of ['ABC123', 'ab-12', 'ab 12', 'äöü', 'ab_1', 'ab\n']) {
        await distributor.refused(400, 'POST /v1/licenses', { json: teacherLicence({ code: unique('c') + code }) });
      }
    });

    it('[licence-code-unique] refuses a code that exists in any organization with 400, visible or not', async () => {
      const { code } = await newLicence(publisher);
      await publisher.refused(400, 'POST /v1/licenses', { json: teacherLicence({ code }) });
      await distributor.refused(400, 'POST /v1/licenses', { json: teacherLicence({ code }) });
      await school.refused(403, 'GET /v1/licenses/code/{code}', { params: { code } });
    });

    it('[licence-code-is-text] keeps a code that looks like a number as it is', async () => {
      const code = `00${Date.now()}${Math.floor(Math.random() * 1e9)}`;
      expect((await newLicence(distributor, teacherLicence({ code }))).code).toBe(code);
      await distributor.ok('GET /v1/licenses/code/{code}', { params: { code } });
    });

    it('[licence-code-activations] reads "activations" after licenses/code as a code', async () => {
      const answer = await distributor.send('GET /v1/licenses/code/{code}', { params: { code: 'activations' } });
      if (answer.status === 404) await newLicence(distributor, teacherLicence({ code: 'activations' }));
      const found = await distributor.ok('GET /v1/licenses/code/{code}', { params: { code: 'activations' } });
      expect(found.code).toBe('activations');
    });
  });

  describe('expiration', () => {
    it.each(EXPIRATION_DAYS)('[licence-days] accepts %d days', async (days) => {
      const book = await newBook(publisher);
      const made = await newLicence(publisher, bookLicence([book.id], { expiration: { type: 'Days', days } }));
      expect(made.expiration).toMatchObject({ type: 'Days', days });
    });

    it('[licence-date] accepts a date', async () => {
      const book = await newBook(publisher);
      const expiration = { type: 'Date', date: '2099-12-31' };
      const made = await newLicence(publisher, bookLicence([book.id], { expiration }));
      expect(made.expiration).toEqual({ type: 'Date', days: null, date: '2099-12-31' });
    });

    it('[licence-expiration-whole] refuses Days without days and Date without date with 400', async () => {
      const book = await newBook(publisher);
      const wrong = [{}, { type: 'Days' }, { type: 'Date' }, { type: 'Days', date: '2099-12-31' }];
      for (const expiration of [...wrong, { type: 'Date', days: 365 }, { days: 365 }, { type: 'Days', days: '365' }]) {
        await publisher.refused(400, 'POST /v1/licenses', { json: bookLicence([book.id], { expiration }) });
      }
    });

    it('[licence-teacher-bare] needs neither books nor expiration for a teacher licence', async () => {
      const made = await newLicence(distributor, teacherLicence());
      expect(made.type).toBe('Teacher');
      expect(made.books ?? []).toEqual([]);
    });
  });

  it('[licence-books-known] refuses an unknown book with 400', async () => {
    const book = await newBook(publisher);
    for (const books of [[unique('no')], [book.id, unique('no')]]) {
      await publisher.refused(400, 'POST /v1/licenses', { json: bookLicence(books) });
    }
  });

  ours('[licence-books-in-sight] refuses a book that the caller could not list with 403', async () => {
    const book = await newBook(distributor);
    await school.refused(403, 'POST /v1/licenses', { json: bookLicence([book.id]) });
    const owned = await newBook(publisher);
    await newLicence(distributor, bookLicence([owned.id]));
  });

  ours(
    '[licence-category] accepts the ID of a category, and returns its name after writes and its ID after reads',
    async () => {
      const made = await newLicence(distributor, teacherLicence({ licenseCategory: '02' }));
      expect(made.licenseCategory).toBe('Trial');
      const read = await distributor.ok('GET /v1/licenses/{id}', { params: { id: made.id } });
      expect(read.licenseCategory).toBe('02');
      const json = teacherLicence();
      const updated = await distributor.ok('PUT /v1/licenses/{id}', { params: { id: made.id }, json });
      expect(updated.licenseCategory).toBe((await newLicence(distributor)).licenseCategory);
    },
  );

  ours('[licence-whole-numbers] refuses a maximum that is not a whole number with 400', async () => {
    for (const maximumActivations of [1.5, 1e300]) {
      await distributor.refused(400, 'POST /v1/licenses', { json: teacherLicence({ maximumActivations }) });
    }
  });

  ours('[licence-books-some] refuses a licence of type Books without a book with 400', async () => {
    await publisher.refused(400, 'POST /v1/licenses', { json: bookLicence([]) });
  });

  it('[licence-category-default] uses the default category when none or a blank one is given', async () => {
    const made = await newLicence(distributor);
    const blank = await newLicence(distributor, teacherLicence({ licenseCategory: '' }));
    expect(blank.licenseCategory).toBe(made.licenseCategory);
  });

  describe('the list', () => {
    it('[licence-list-type] holds the licences of the requested type, BOOKS or TEACHER', async () => {
      const book = await newBook(publisher);
      const forBooks = await newLicence(publisher, bookLicence([book.id]));
      const teacher = await newLicence(publisher);
      const books = await everyLicence(publisher, 'BOOKS');
      const teachers = await everyLicence(publisher, 'TEACHER');
      expect(books).toContain(forBooks.id);
      expect(books).not.toContain(teacher.id);
      expect(teachers).toContain(teacher.id);
      expect(teachers).not.toContain(forBooks.id);
      for (const type of ['Books', 'Teacher', 'books']) {
        await publisher.refused(400, 'GET /v1/licenses', { query: { type } });
      }
    });

    it('[licence-list-own] holds no licence of another organization', async () => {
      const theirs = await newLicence(publisher);
      expect(await everyLicence(distributor, 'TEACHER')).not.toContain(theirs.id);
    });

    it('[licence-list-most] holds at most 100 licences on a page, whatever limit says', {
      timeout: 60_000,
    }, async () => {
      for (let made = 0; made < 101; made++) await newLicence(distributor);
      const all = await distributor.ok('GET /v1/licenses', { query: { type: 'TEACHER' } });
      expect(all.licenses.length).toBeLessThanOrEqual(100);
      expect(all.paging.nextCursor).toEqual(expect.any(String));
      const most = await distributor.send('GET /v1/licenses', { query: { type: 'TEACHER', limit: 1000 } });
      if (most.status !== 400) expect(JSON.parse(most.text).licenses.length).toBeLessThanOrEqual(100);
    });
  });

  describe('update', () => {
    const prepared = async () => {
      const book = await newBook(publisher);
      const other = await newBook(publisher);
      const made = await newLicence(publisher, bookLicence([book.id]));
      return { book, other, params: { id: made.id }, made };
    };
    const update = 'PUT /v1/licenses/{id}';

    it('[licence-update] replaces name, maximum and expiration, and keeps the code', async () => {
      const { book, params, made } = await prepared();
      const json = bookLicence([book.id], {
        name: 'Renamed',
        maximumActivations: 50,
        expiration: { type: 'Date', date: '2098-01-02' },
      });
      expect(await publisher.ok(update, { params, json })).toMatchObject({
        id: made.id,
        code: made.code,
        name: 'Renamed',
        maximumActivations: 50,
        expiration: { type: 'Date', days: null, date: '2098-01-02' },
        books: [{ id: book.id, ean: book.ean, name: book.title }],
      });
      const read = await publisher.ok('GET /v1/licenses/{id}', { params });
      expect(read).toMatchObject({ name: 'Renamed', maximumActivations: 50 });
    });

    it('[licence-type-fixed] refuses another type with 400', async () => {
      const { params } = await prepared();
      await publisher.refused(400, update, { params, json: teacherLicence() });
      const teacher = await newLicence(publisher);
      const book = await newBook(publisher);
      await publisher.refused(400, update, { params: { id: teacher.id }, json: bookLicence([book.id]) });
    });

    it('[licence-books-change] accepts other books while the licence has no activations', async () => {
      const { other, params } = await prepared();
      const updated = await publisher.ok(update, { params, json: bookLicence([other.id]) });
      expect(updated.books.map(({ id }) => id)).toEqual([other.id]);
    });

    it('[licence-books-fixed] refuses other books with 400 after an activation, and accepts the same ones', async () => {
      const { book, other, params } = await prepared();
      await activate(publisher, params.id);
      for (const books of [[other.id], [book.id, other.id]]) {
        await publisher.refused(400, update, { params, json: bookLicence(books) });
      }
      await publisher.ok(update, { params, json: bookLicence([book.id]) });
    });

    it('[licence-maximum-covers] refuses a maximum below the number of activations with 400', async () => {
      const { book, params } = await prepared();
      await activate(publisher, params.id);
      await activate(publisher, params.id);
      await publisher.refused(400, update, { params, json: bookLicence([book.id], { maximumActivations: 1 }) });
      const updated = await publisher.ok(update, { params, json: bookLicence([book.id], { maximumActivations: 2 }) });
      expect(updated).toMatchObject({ maximumActivations: 2, numberOfActivations: 2 });
    });

    it('[licence-refused-unchanged] leaves a licence unchanged when an update is refused', async () => {
      const { params } = await prepared();
      const before = await publisher.ok('GET /v1/licenses/{id}', { params });
      await publisher.refused(400, update, { params, json: teacherLicence({ name: 'Wrong' }) });
      expect(await publisher.ok('GET /v1/licenses/{id}', { params })).toEqual(before);
    });
  });

  describe('delete', () => {
    it('[licence-deleted] returns 204, and the licence is gone', async () => {
      const { id, code } = await newLicence(distributor);
      await distributor.ok('DELETE /v1/licenses/{id}', { params: { id } });
      await distributor.refused(404, 'GET /v1/licenses/{id}', { params: { id } });
      await distributor.refused(404, 'GET /v1/licenses/code/{code}', { params: { code } });
      await distributor.refused(404, 'DELETE /v1/licenses/{id}', { params: { id } });
      expect(await everyLicence(distributor, 'TEACHER')).not.toContain(id);
    });

    it('[licence-delete-unused] refuses with 400 to delete a licence that has an activation', async () => {
      const { id } = await newLicence(distributor);
      await activate(distributor, id);
      await distributor.refused(400, 'DELETE /v1/licenses/{id}', { params: { id } });
      await distributor.ok('GET /v1/licenses/{id}', { params: { id } });
    });
  });

  describe('cancel', () => {
    it('[licence-cancelled] returns 200, also for a licence with activations', async () => {
      const { id } = await newLicence(distributor);
      await activate(distributor, id);
      await distributor.ok('PUT /v1/licenses/{id}/cancel', { params: { id } });
      await distributor.ok('GET /v1/licenses/{id}', { params: { id } });
    });

    ours('[licence-cancel-again] returns 200 again', async () => {
      const { id } = await newLicence(distributor);
      await distributor.ok('PUT /v1/licenses/{id}/cancel', { params: { id } });
      await distributor.ok('PUT /v1/licenses/{id}/cancel', { params: { id } });
    });

    ours('[licence-cancelled-takes-nobody] refuses to assign a cancelled licence with 400', async () => {
      const { id: licenseId } = await newLicence(distributor);
      await distributor.ok('PUT /v1/licenses/{id}/cancel', { params: { id: licenseId } });
      const { id: userId } = await newUser(distributor, await organizationOf(distributor));
      await distributor.refused(400, assign, { json: { userId, licenseId } });
    });
  });
});

/** IDs of all licences of a type in the caller's list. */
async function everyLicence(actor: Actor, type: 'BOOKS' | 'TEACHER'): Promise<string[]> {
  return (await everyItem(actor, 'GET /v1/licenses', { query: { type } })).map(({ id }) => id);
}
