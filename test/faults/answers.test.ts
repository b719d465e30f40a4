/** Errors of the service, as a user sees them. */
import { describe, expect, test } from 'vitest';
import { run } from '../support/run.js';
import { type Answers, existing, scriptedService, TOKEN } from '../support/scripted-service.js';
import { skipWaits } from '../support/skip-waits.js';
import { CREATE, edu, get, SCHOOL } from './scripted-edu.js';

skipWaits();

/** What the create refers to. */
const REFERENCES: Answers = {
  ...existing('schools/2'),
  'GET /v1/books/subjects': { body: { subjects: [{ id: '1', translatedName: 'Mathematics' }] } },
};

describe('an error body', () => {
  test('is shown without the token that it or a header repeats', async () => {
    const body = { message: `the token ${TOKEN} may not do this (${encodeURIComponent(TOKEN)})` };
    const { code, stderr } = await edu(CREATE, {
      'POST /v1/schools': { status: 400, body, headers: { 'x-request-id': TOKEN } },
    });
    expect(code).toBe(1);
    expect(stderr).toContain('may not do this');
    const broken = { body: `<title>${TOKEN}</title>`, headers: { 'content-type': 'text/html' } };
    const service = await scriptedService({ ...REFERENCES, 'POST /v1/classes': broken });
    const argv = ['classes', 'create', '--subject-id', '1', '--school-id', '2', '--name', 'x', '--debug'];
    const debugged = await run(argv, { env: service.env });
    expect(debugged.code).toBe(1);
    expect(debugged.stderr).not.toContain(TOKEN);
  });
});

describe('statuses', () => {
  test.each([
    [400, 5, 'no school has the ID or name "Nowhere"'],
    [403, 6, 'malformed id'],
  ])('%i for a name in place of an ID makes edu search the list', async (status, code, said) => {
    const bad = { status, body: { message: 'malformed id' } };
    const list = { body: { schools: [SCHOOL], paging: { nextCursor: null } } };
    const account = {
      body: { id: 'u1', email: 'a@b.example', firstName: 'A', lastName: 'B', roles: [], permissions: [] },
    };
    const answers = { ...get({ body: SCHOOL }), 'GET /v1/schools': list, 'GET /v1/account': account };
    const named = `GET /v1/schools/${encodeURIComponent(SCHOOL.name)}`;
    const found = await edu(['schools', 'get', SCHOOL.name, '-o', 'ids'], { ...answers, [named]: bad });
    expect(found).toMatchObject({ code: 0, stdout: 's1\n' });
    const none = await edu(['schools', 'get', 'Nowhere'], { ...answers, 'GET /v1/schools/Nowhere': bad });
    expect([none.code, none.stderr]).toEqual([code, expect.stringContaining(said)]);
  });
});
