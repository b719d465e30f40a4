/** Members and parameters that the API document does not show: noted always, refused on request. */
import { expect, test } from 'vitest';
import { made } from './demo-service.js';

const LICENCE = { name: 'Test', type: 'Teacher', maximumActivations: 1 };
const json = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

function bookForm(more: Readonly<Record<string, string>>): RequestInit {
  const body = new FormData();
  const fields = { ean: '1', title: 'T', year: '7', subject: '0001', type: 'Guide', language: 'DE', ...more };
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set('pdf', new Blob(['%PDF-1.4']), 'a.pdf');
  return { method: 'POST', body };
}

test.each([
  [
    'a misspelled member',
    '/v1/licenses',
    json({ ...LICENCE, licenceCategory: '02' }),
    ['licenceCategory is unknown. Did you mean licenseCategory?'],
  ],
  [
    'a member within another',
    '/v1/licenses',
    json({ ...LICENCE, organization: { id: 'd1', nonsense: 1 } }),
    ['organization.nonsense is unknown'],
  ],
  ['an unknown parameter', '/v1/licenses?type=BOOKS&limt=5', {}, ['limt is unknown. Did you mean limit?']],
  [
    'a body where none is known',
    '/v1/licenses/00000002/cancel',
    { ...json({ reason: 'x' }), method: 'PUT' },
    ['reason is unknown'],
  ],
  ['a parameter where none is known', '/v1/account?language=EN', {}, ['language is unknown']],
  [
    'an empty text for an object',
    '/v1/licenses',
    json({ ...LICENCE, expiration: '' }),
    ['expiration is "": leave it out, or send null'],
  ],
  [
    'fields and files of a form',
    '/v1/books?language=EN',
    bookForm({ 'settings.nonsense': '1', layouttype: 'PAGES' }),
    [
      'layouttype is unknown. Did you mean layoutType?',
      'pdf is unknown. Did you mean pdfFile?',
      'settings.nonsense is unknown',
    ],
  ],
])('notes or refuses %s', async (_, path, init, warnings) => {
  const { service, call } = await made();
  expect((await call(path, init)).status).toBe(200);
  const [entry] = service.requests();
  expect([...(entry?.warnings ?? [])].sort()).toEqual(warnings);
  service.setVariants({ strictInput: true });
  const refused = await call(path, init);
  expect(refused.status).toBe(400);
  const { fields } = (await refused.json()) as { fields: { field: string; message: string }[] };
  expect(fields.map(({ field, message }) => `${field} ${message}`).sort()).toEqual(warnings);
  expect([...(service.requests()[1]?.warnings ?? [])].sort()).toEqual(warnings);
});

test('accepts all documented input under strictInput, and unknown parameters of OAuth', async () => {
  const { service, call } = await made({ strictInput: true });
  expect((await call('/v1/licenses?type=BOOKS&limit=1')).status).toBe(200);
  expect((await call('/v1/licenses', json({ ...LICENCE, expiration: null }))).status).toBe(200);
  const address = '/login/oauth/authorize?client_id=edu-offline&response_type=code&scope=';
  expect((await service.fetch(address)).status).toBe(200);
  for (const body of ['', '{}', 'no JSON'])
    expect((await call('/v1/licenses/00000002/cancel', { method: 'PUT', body })).status).toBe(200);
  expect(service.requests().flatMap(({ warnings }) => warnings)).toEqual([]);
});
