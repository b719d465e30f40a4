/** Readers, their PDF and its size, and the PUT that creates ("Readers"). */
import { expect, it } from 'vitest';
import { EN, newReader, PDF, PNG, subjectId, unique } from './makers.js';
import { uploadedPdf } from './requests.js';
import { conformance } from './suite.js';
import { everyItem } from './walk.js';

/** "150 MB" in the smaller and in the larger unit: the first must be allowed, more than the second never. */
const SURELY_ALLOWED = 150 * 1000 * 1000;
const SURELY_TOO_LARGE = 150 * 1024 * 1024 + 1;

/** A PDF of this many bytes. */
async function* pdfOf(size: number): AsyncGenerator<Uint8Array> {
  const head = PDF.bytes as Uint8Array;
  yield head;
  const block = Buffer.alloc(1024 * 1024, 0x20);
  for (let left = size - head.length; left > 0; left -= block.length) {
    yield left < block.length ? block.subarray(0, left) : block;
  }
}

conformance('Readers', ({ distributor, publisher, school, door, ours }) => {
  const form = async (more: Readonly<Record<string, string>> = {}) => ({
    title: unique('Reader '),
    subject: await subjectId(school),
    language: 'NL',
    ...more,
    pdfFile: PDF,
  });

  it('[reader-fields] returns what was sent, with a generated EAN and no table of contents', async () => {
    const given = await form({
      pdfDownloadable: 'true',
      'settings.pageNumberOffset': '1',
      'settings.indexPageNumber': '2',
    });
    const made = await school.ok('POST /v1/readers', { query: EN, form: given });
    expect(made).toMatchObject({
      title: given.title,
      subject: { id: given.subject },
      type: { name: 'TeacherMaterial' },
      tableOfContents: null,
      pdfDownloadable: true,
      settings: { pageNumberOffset: 1, indexPageNumber: 2 },
    });
    expect(made.ean).not.toBe('');
    expect(await school.ok('GET /v1/readers/{id}', { params: { id: made.id }, query: EN })).toEqual(made);
  });

  it('[reader-pdf-downloadable] sets pdfDownloadable only for the value true', async () => {
    expect((await newReader(school)).pdfDownloadable).toBe(false);
    expect((await newReader(school, { pdfDownloadable: 'false' })).pdfDownloadable).toBe(false);
    expect((await newReader(school, { pdfDownloadable: 'true' })).pdfDownloadable).toBe(true);
  });

  it('[reader-list] lists the readers of the caller’s organization, without settings', async () => {
    const mine = await newReader(school);
    const theirs = await newReader(publisher);
    const listed = await everyItem(school, 'GET /v1/readers', { query: EN });
    for (const reader of listed) expect(reader).not.toHaveProperty('settings');
    const ids = listed.map(({ id }) => id);
    expect(ids).toContain(mine.id);
    expect(ids).not.toContain(theirs.id);
  });

  it('[reader-pdf-size] refuses a PDF above 150 MB with 400, and accepts one of 150 MB', {
    timeout: 60_000,
  }, async () => {
    const given = await form();
    const file = (size: number) => ({ ...PDF, bytes: pdfOf(size) });
    await school.refused(400, 'POST /v1/readers', {
      query: EN,
      form: { ...given, pdfFile: file(SURELY_TOO_LARGE) },
    });
    await school.ok('POST /v1/readers', { query: EN, form: { ...given, pdfFile: file(SURELY_ALLOWED) } });
  });

  it('[reader-put-creates] creates a reader from an uploaded file with PUT, a new one for every call', async () => {
    const json = {
      title: unique('Reader '),
      subject: await subjectId(school),
      fileId: await uploadedPdf(school),
      language: 'DE',
      pdfDownloadable: true,
      settings: { pageNumberOffset: 5, indexPageNumber: 6 },
    };
    const first = await school.ok('PUT /v1/readers', { query: EN, json });
    const second = await school.ok('PUT /v1/readers', { query: EN, json });
    expect(second.id).not.toBe(first.id);
    expect(first).toMatchObject({
      title: json.title,
      pdfDownloadable: true,
      settings: { pageNumberOffset: 5, indexPageNumber: 6 },
    });
    await school.ok('GET /v1/readers/{id}', { params: { id: second.id }, query: EN });
  });

  it('[reader-update] updates a reader, with or without a new file', async () => {
    const made = await newReader(school, { pdfDownloadable: 'true' });
    const json = { title: 'New title', subject: made.subject.id, language: 'EN', pdfDownloadable: false };
    const params = { id: made.id };
    const kept = await school.ok('PUT /v1/readers/{id}', { params, query: EN, json });
    expect(kept).toMatchObject({ id: made.id, ean: made.ean, title: 'New title', pdfDownloadable: false });
    expect(kept.pdfUrl).toBe(made.pdfUrl);
    const fileId = await uploadedPdf(school);
    const replaced = await school.ok('PUT /v1/readers/{id}', { params, query: EN, json: { ...json, fileId } });
    expect(replaced.pdfUrl).toEqual(expect.any(String));
    expect(await school.ok('GET /v1/readers/{id}', { params, query: EN })).toEqual(replaced);
  });

  ours('[reader-cover] generates a cover at once, and activates a reader when its PDF is encrypted', async () => {
    const made = await newReader(school);
    expect(made).toMatchObject({ coverUrl: expect.any(String), active: false });
    const params = { id: made.id };
    const isActive = async () => (await school.ok('GET /v1/readers/{id}', { params, query: EN })).active;
    const { encryptionMs, advance } = door();
    advance?.(encryptionMs ?? 60_000);
    expect(await isActive()).toBe(encryptionMs !== null);
    const json = { title: 'New title', subject: made.subject.id, language: 'EN', fileId: await uploadedPdf(school) };
    expect((await school.ok('PUT /v1/readers/{id}', { params, query: EN, json })).active).toBe(false);
    advance?.(encryptionMs ?? 60_000);
    expect(await isActive()).toBe(encryptionMs !== null);
  });

  it('[reader-editor] returns an address with a new token for each call', async () => {
    const params = { id: (await newReader(school)).id };
    const first = await school.ok('GET /v1/readers/{id}/editor', { params, query: EN });
    const second = await school.ok('GET /v1/readers/{id}/editor', { params, query: EN });
    expect(new URL(first.url).protocol).toMatch(/^https?:$/);
    expect(second.url).not.toBe(first.url);
  });

  it('[reader-create-for-organization] accepts an owned organization, and refuses any other', async () => {
    const { organization } = await newReader(school);
    const flat = { 'organization.id': organization.id, 'organization.type': organization.type };
    const made = await newReader(distributor, flat);
    expect(made.organization).toEqual(organization);
    await publisher.refused(403, 'POST /v1/readers', { query: EN, form: await form(flat) });
  });

  ours(
    '[reader-made-for-another] lets the creator list a reader for another organization, which may read it',
    async () => {
      const { organization } = await newReader(school);
      const flat = { 'organization.id': organization.id, 'organization.type': organization.type };
      const { id } = await newReader(distributor, flat);
      await school.ok('GET /v1/readers/{id}', { params: { id }, query: EN });
      await distributor.refused(403, 'GET /v1/readers/{id}', { params: { id }, query: EN });
      const ids = async (actor: typeof school) =>
        (await everyItem(actor, 'GET /v1/readers', { query: EN })).map((reader) => reader.id);
      expect(await ids(distributor)).toContain(id);
      expect(await ids(school)).not.toContain(id);
    },
  );

  it('[reader-unknown-subject] refuses an unknown subject with 400', async () => {
    await school.refused(400, 'POST /v1/readers', { query: EN, form: await form({ subject: unique('no') }) });
  });

  ours(
    '[reader-pdf-format] refuses a file that is not a PDF with 400, uploaded with the reader or before',
    async () => {
      const pdfFile = { ...PNG, filename: 'x.pdf', contentType: 'application/pdf' };
      await school.refused(400, 'POST /v1/readers', { query: EN, form: { ...(await form()), pdfFile } });
      const { id: fileId } = await school.ok('POST /v1/files', { form: { file: PNG, fileType: 'Image' } });
      const json = { title: 'T', subject: await subjectId(school), fileId, language: 'EN' };
      await school.refused(400, 'PUT /v1/readers', { query: EN, json });
    },
  );

  ours('[reader-file-of-caller] refuses another organization’s file with 403', async () => {
    const fileId = await uploadedPdf(publisher);
    const json = { title: 'T', subject: await subjectId(school), fileId, language: 'EN' };
    await school.refused(403, 'PUT /v1/readers', { query: EN, json });
  });
});
