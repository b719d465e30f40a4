/** Uploaded files and their download ("Files"). */
import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { readBytes } from '../../src/core/http.js';
import { PDF, PNG } from './makers.js';
import { multipart } from './multipart.js';
import { conformance } from './suite.js';

conformance('Files', ({ distributor, school, publisher, nobody, door, ours }) => {
  it.each(['Audio', 'Document', 'Image', 'Video'])('[file-types] accepts a file as %s', async (fileType) => {
    await school.ok('POST /v1/files', { form: { file: fileType === 'Image' ? PNG : PDF, fileType } });
  });

  it('[file-storage-kind] returns the storage kind as type, not the type sent', async () => {
    const made = await school.ok('POST /v1/files', { form: { file: PDF, fileType: 'Document' } });
    expect(made.type).not.toBe('Document');
  });

  it('[file-url] returns an address under /v1/api/file/get/ that ends with the ID', async () => {
    const made = await school.ok('POST /v1/files', { form: { file: PDF, fileType: 'Document' } });
    expect(new URL(made.url).pathname.endsWith(`/v1/api/file/get/${made.id}`)).toBe(true);
  });

  it('[file-required] refuses a text part in place of the file, and a body that is not a form', async () => {
    await school.refused(400, 'POST /v1/files', { form: { file: 'text', fileType: 'Document' } });
    await school.refused(400, 'POST /v1/files', { json: { fileType: 'Document' } });
    await school.refused(400, 'POST /v1/files', {
      raw: { contentType: 'multipart/form-data; boundary=x', body: '--x\r\nbroken' },
    });
  });

  ours('[file-download] returns the bytes at that address to the organization that uploaded them', async () => {
    const bytes = randomBytes(300_000);
    const { contentType, body } = multipart({
      file: { filename: 'a.mp3', contentType: 'audio/mpeg', bytes },
      fileType: 'Audio',
    });
    const authorization = `Bearer ${door().token('school')}`;
    const uploaded = await door().send({
      method: 'POST',
      url: `${door().baseUrl}/v1/files`,
      headers: { 'content-type': contentType, authorization },
      body,
    });
    const { url } = JSON.parse((await readBytes(uploaded.body, 10_000)).toString()) as { url: string };
    const answer = await door().send({ method: 'GET', url, headers: { authorization } });
    expect(answer.status).toBe(200);
    const digest = (of: Uint8Array) => createHash('sha256').update(of).digest('hex');
    expect(digest(await readBytes(answer.body, 1_000_000))).toBe(digest(bytes));
    const other = await door().send({
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${door().token('publisher')}` },
    });
    expect(other.status).toBe(403);
    expect((await door().send({ method: 'GET', url, headers: {} })).status).toBe(403);
  });

  it('[file-types-only] refuses any other file type with 400', async () => {
    for (const fileType of ['document', 'Text', 'CloudStorage']) {
      await distributor.refused(400, 'POST /v1/files', { form: { file: PDF, fileType } });
    }
    await publisher.ok('POST /v1/files', { form: { file: PDF, fileType: 'Document' } });
    await nobody.refused(403, 'POST /v1/files', { form: { file: PDF, fileType: 'Document' } });
  });
});
