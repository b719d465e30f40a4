/** Books: their fields, uploads, organization and editor ("Books"). */
import { describe, expect, it } from 'vitest';
import { BOOK_TYPES_SEEN, LANGUAGES } from '../contract/documented-limits.js';
import {
  bookForm,
  bookLicence,
  EN,
  newBook,
  newLicence,
  newPublisher,
  PDF,
  PNG,
  subjectIds,
  unique,
} from './makers.js';
import { conformance } from './suite.js';
import { everyItem } from './walk.js';

conformance('Books', ({ distributor, publisher, door, ours }) => {
  it('[book-fields] returns what was sent: stream as level, subject and type as objects', async () => {
    const [subject = '', second = ''] = await subjectIds(publisher);
    const form = {
      ...(await bookForm(publisher)),
      ean: '0097801234567',
      subject,
      secondSubject: second,
      stream: '5 vwo',
      series: 'Horizon',
      'settings.pageNumberOffset': '3',
      'settings.indexPageNumber': '7',
    };
    const made = await publisher.ok('POST /v1/books', { query: EN, form });
    expect(made).toMatchObject({
      ean: '0097801234567',
      title: form.title,
      year: 2026,
      level: '5 vwo',
      series: 'Horizon',
      subject: { id: subject },
      secondSubject: { id: second },
      type: { name: 'Coursebook' },
      settings: { pageNumberOffset: 3, indexPageNumber: 7 },
    });
    const { secondSubject: _, ...read } = made;
    expect(await publisher.ok('GET /v1/books/{id}', { params: { id: made.id }, query: EN })).toEqual(read);
  });

  it('[blank-is-null] returns blank fields as null', async () => {
    const made = await newBook(publisher);
    expect(made).toMatchObject({
      level: null,
      series: null,
      secondSubject: null,
      coverUrl: null,
      pdfUrl: null,
      settings: { indexPageNumber: null, pageNumberOffset: null },
    });
  });

  it('[book-inactive-at-first] returns a new book as not active', async () => {
    expect((await newBook(publisher)).active).toBe(false);
    const form = { ...(await bookForm(publisher)), pdfFile: PDF, coverFile: PNG };
    expect((await publisher.ok('POST /v1/books', { query: EN, form })).active).toBe(false);
  });

  ours(
    '[book-becomes-active] activates a book with a cover when its PDF is encrypted, after a minute by default',
    async () => {
      const form = { ...(await bookForm(publisher)), pdfFile: PDF, coverFile: PNG };
      const complete = await publisher.ok('POST /v1/books', { query: EN, form });
      const { coverFile: _, ...uncovered } = { ...form, ean: unique('978') };
      const { id: withoutCover } = await publisher.ok('POST /v1/books', { query: EN, form: uncovered });
      const isActive = async (id: string) =>
        (await publisher.ok('GET /v1/books/{id}', { params: { id }, query: EN })).active;
      const { encryptionMs, advance } = door();
      advance?.((encryptionMs ?? 60_000) - 1);
      expect(await isActive(complete.id)).toBe(false);
      advance?.(1);
      expect([await isActive(complete.id), await isActive(withoutCover)]).toEqual([encryptionMs !== null, false]);
    },
  );

  it('[book-active-needs-uploads] never returns a book without cover and PDF as active', async () => {
    const { id } = await newBook(publisher);
    const read = await publisher.ok('GET /v1/books/{id}', { params: { id }, query: EN });
    expect(read.active).toBe(false);
  });

  it('[book-uploads] keeps the storage paths of the PDF and the cover, also after an update', async () => {
    const form = { ...(await bookForm(publisher)), pdfFile: PDF, coverFile: PNG };
    const made = await publisher.ok('POST /v1/books', { query: EN, form });
    expect(made.pdfUrl).toEqual(expect.any(String));
    expect(made.coverUrl).toEqual(expect.any(String));
    const { pdfFile: _, coverFile: __, ...fields } = form;
    const updated = await publisher.ok('PUT /v1/books/{id}', {
      params: { id: made.id },
      query: EN,
      json: { ...fields, year: 2030 },
    });
    expect(updated).toMatchObject({ pdfUrl: made.pdfUrl, coverUrl: made.coverUrl, year: 2030 });
  });

  it('[book-cover-format] accepts only JPEG and PNG as covers', async () => {
    const form = await bookForm(publisher);
    const gif = { filename: 'c.gif', contentType: 'image/gif', bytes: Buffer.from('GIF89a') };
    await publisher.refused(400, 'POST /v1/books', { query: EN, form: { ...form, coverFile: gif } });
    const jpeg = {
      filename: 'c.jpg',
      contentType: 'image/jpeg',
      bytes: Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
    };
    await publisher.ok('POST /v1/books', { query: EN, form: { ...form, ean: unique('978'), coverFile: jpeg } });
  });

  ours('[book-pdf-format] accepts only PDF content, whatever the file name', async () => {
    const form = await bookForm(publisher);
    const pdfFile = { ...PNG, filename: 'x.pdf', contentType: 'application/pdf' };
    await publisher.refused(400, 'POST /v1/books', { query: EN, form: { ...form, pdfFile } });
  });

  it.each(['SPREADS', 'PAGES'])('[book-layout] accepts the layout %s', async (layoutType) => {
    await newBook(publisher, { layoutType });
  });

  it('[book-types-known] accepts every listed type', async () => {
    const { types } = await publisher.ok('GET /v1/books/types', { query: EN });
    expect(types.length).toBeGreaterThan(0);
    for (const { type } of types) expect((await newBook(publisher, { type })).type.name).toBe(type);
  });

  ours('[book-types-seen] lists the types that the document mentions', async () => {
    const { types } = await publisher.ok('GET /v1/books/types', { query: EN });
    expect(types.map(({ type }) => type)).toEqual(expect.arrayContaining(BOOK_TYPES_SEEN));
  });

  it('[book-unknown-references] refuses an unknown subject or type with 400', async () => {
    for (const wrong of [{ subject: unique('no') }, { secondSubject: unique('no') }, { type: unique('no') }]) {
      await publisher.refused(400, 'POST /v1/books', { query: EN, form: await bookForm(publisher, wrong) });
    }
  });

  it.each(LANGUAGES)(
    '[book-own-language] accepts %s as the language of the book, and does not return it',
    async (language) => {
      expect(await newBook(publisher, { language })).not.toHaveProperty('language');
    },
  );

  it('[put-replaces] replaces the whole book: omitted fields become blank', async () => {
    const [subject = '', second = ''] = await subjectIds(publisher);
    const made = await newBook(publisher, { stream: '3', series: 'S', secondSubject: second });
    const json = { ean: made.ean, title: 'New', year: 2031, subject, type: 'Guide', language: 'NL' };
    const params = { id: made.id };
    const updated = await publisher.ok('PUT /v1/books/{id}', { params, query: EN, json });
    expect(updated).toMatchObject({
      id: made.id,
      ean: made.ean,
      title: 'New',
      year: 2031,
      level: null,
      series: null,
      secondSubject: null,
      type: { name: 'Guide' },
    });
    expect((await publisher.ok('GET /v1/books/{id}', { params, query: EN })).title).toBe('New');
  });

  ours('[book-query-language] answers writes in English when the query has no language', async () => {
    const made = await publisher.ok('POST /v1/books', { form: await bookForm(publisher) });
    const read = await publisher.ok('GET /v1/books/{id}', { params: { id: made.id }, query: EN });
    expect(made.subject).toEqual(read.subject);
  });

  it('[text-kept] keeps text exactly: leading zeros, accents, emoji, line breaks, formulas', async () => {
    for (const title of ['007', ' Où est-il ? ', '=1+1', 'two\nlines\tand a tab', '教科書 📚', '"quoted" & <b>']) {
      const made = await newBook(publisher, { title });
      const read = await publisher.ok('GET /v1/books/{id}', { params: { id: made.id }, query: EN });
      expect([made.title, read.title]).toEqual([title, title]);
    }
  });

  describe('the editor address', () => {
    it('[editor-address] is an absolute address with a new token for each call', async () => {
      const params = { id: (await newBook(publisher)).id };
      const first = await publisher.ok('GET /v1/books/{id}/editor', { params, query: EN });
      const second = await publisher.ok('GET /v1/books/{id}/editor', { params, query: EN });
      expect(new URL(first.url).protocol).toMatch(/^https?:$/);
      expect(second.url).not.toBe(first.url);
    });
  });

  describe('the licences of a book', () => {
    it('[book-licences] are the licences of the caller’s organization that use this book', async () => {
      const book = await newBook(publisher);
      const other = await newBook(publisher);
      const licence = await newLicence(publisher, bookLicence([book.id]));
      await newLicence(publisher, bookLicence([other.id]));
      const both = await newLicence(publisher, bookLicence([book.id, other.id]));
      const licences = await everyItem(publisher, 'GET /v1/books/{id}/licenses', { params: { id: book.id } });
      expect(licences.map(({ id }) => id).sort()).toEqual([licence.id, both.id].sort());
    });

    ours(
      '[book-licences-of-caller] shows the owner of an organization its own licences, not those of the other',
      async () => {
        const book = await newBook(publisher);
        await newLicence(publisher, bookLicence([book.id]));
        const mine = await newLicence(distributor, bookLicence([book.id]));
        const licences = await everyItem(distributor, 'GET /v1/books/{id}/licenses', { params: { id: book.id } });
        expect(licences.map(({ id }) => id)).toEqual([mine.id]);
      },
    );
  });

  it('[books-empty] lists no books as an empty array', async () => {
    const { id } = await newPublisher(distributor);
    const { books } = await distributor.ok('GET /v1/books', { query: { organization: id, type: 'Publisher', ...EN } });
    expect(books).toEqual([]);
  });

  it('[books-list-entry] lists a book as GET shows it', async () => {
    const made = await newBook(publisher);
    const { organization } = made;
    const query = { organization: organization.id, type: organization.type, ...EN };
    const found = (await everyItem(publisher, 'GET /v1/books', { query })).filter(({ id }) => id === made.id);
    expect(found).toEqual([await publisher.ok('GET /v1/books/{id}', { params: { id: made.id }, query: EN })]);
  });
});
