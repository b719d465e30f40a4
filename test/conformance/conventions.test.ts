/**
 * Rules of many endpoints: languages, routing, IDs, representation, errors ("General rules", "Conventions", "Errors").
 */
import { describe, expect, it } from 'vitest';
import { LANGUAGES, ORGANIZATION_TYPES } from '../contract/documented-limits.js';
import { DOCUMENTED } from '../contract/endpoint-table.js';
import { exchange } from './actor.js';
import { EN, newBook, newLicence, newReader, newSchool, organizationOf, teacherLicence, unique } from './makers.js';
import { ROUTES, validRequest } from './requests.js';
import { conformance } from './suite.js';
import type { Route } from './typed-routes.js';

const WITH_LANGUAGE = DOCUMENTED.filter((row) => row.query?.some((field) => field.startsWith('language'))).map(
  (row) => row.route as Route,
);

conformance('Conventions', ({ distributor, publisher, school, nobody, door, ours }) => {
  const authorized = () => ({ authorization: `Bearer ${door().token('distributor')}` });

  describe.each(WITH_LANGUAGE)('%s', (route) => {
    it('[language-codes] accepts the eight languages and refuses any other with 400', async () => {
      const given = await validRequest(route, distributor, door().now());
      // A form can be sent only once, and a create would run eight times: reads are enough.
      if (route.startsWith('GET')) {
        for (const language of LANGUAGES) {
          await distributor.ok(route, { ...given, query: { ...given.query, language } });
        }
      }
      for (const language of ['en', 'EL', 'English', 'EN-GB']) {
        await distributor.refused(400, route, { ...given, query: { ...given.query, language } });
      }
    });
  });

  it('[language-selects-names] returns the same subjects and types in every language', async () => {
    const english = await distributor.ok('GET /v1/books/subjects', { query: EN });
    const types = await distributor.ok('GET /v1/books/types', { query: EN });
    for (const language of LANGUAGES) {
      const subjects = await distributor.ok('GET /v1/books/subjects', { query: { language } });
      expect(subjects.subjects.map(({ id }) => id)).toEqual(english.subjects.map(({ id }) => id));
      const translated = await distributor.ok('GET /v1/books/types', { query: { language } });
      expect(translated.types.map(({ type }) => type)).toEqual(types.types.map(({ type }) => type));
    }
  });

  it('[language-in-books] translates a book’s subject and type as the lists of subjects and types do', async () => {
    const { id, subject, type } = await newBook(publisher);
    for (const language of LANGUAGES) {
      const query = { language };
      const book = await publisher.ok('GET /v1/books/{id}', { params: { id }, query });
      const { subjects } = await publisher.ok('GET /v1/books/subjects', { query });
      const { types } = await publisher.ok('GET /v1/books/types', { query });
      expect(book.subject).toEqual(subjects.find((known) => known.id === subject.id));
      expect(book.type).toEqual({
        name: type.name,
        translatedName: types.find((known) => known.type === type.name)?.translatedName,
      });
    }
  });

  ours('[language-differs] has different names in each language', async () => {
    const names = new Set<string>();
    for (const language of LANGUAGES) {
      names.add(JSON.stringify(await distributor.ok('GET /v1/books/subjects', { query: { language } })));
    }
    expect(names.size).toBe(LANGUAGES.length);
  });

  it.each(['GET /v1/books', 'GET /v1/users', 'GET /v1/roles'] as const)(
    '[organization-type] %s accepts the three organization types and refuses others with 400',
    async (route) => {
      const { query } = await validRequest(route, distributor, door().now());
      for (const type of ['school', 'BOOKS', 'Company']) {
        await distributor.refused(400, route, { query: { ...query, type } });
      }
      for (const actor of [distributor, publisher, school]) {
        const { id, type } = await organizationOf(actor);
        expect(ORGANIZATION_TYPES).toContain(type);
        await distributor.ok(route, { query: { ...query, organization: id, type } });
      }
    },
  );

  ours('[organization-type-other] refuses a type with 400 that is not the type of the organization', async () => {
    const { id } = await organizationOf(publisher);
    for (const route of ['GET /v1/books', 'GET /v1/users', 'GET /v1/roles'] as const) {
      await distributor.refused(400, route, { query: { organization: id, type: 'School', ...EN } });
    }
  });

  ours(
    '[organization-type-in-body] refuses an organization in a body with 400 if its ID or type is wrong',
    async () => {
      const { id } = await organizationOf(publisher);
      for (const organization of [
        { id, type: 'School' },
        { id: unique('no'), type: 'Publisher' },
      ]) {
        await distributor.refused(400, 'POST /v1/licenses', { json: teacherLicence({ organization }) });
        const json = { maximumActivations: 1, expirationDate: '2099-01-01', organization };
        await distributor.refused(400, 'POST /v1/subscriptions', { json });
      }
      const made = await newLicence(distributor, teacherLicence({ organization: { id } }));
      expect(made.organization).toEqual({ id, type: 'Publisher' });
    },
  );

  ours('[organization-unknown] refuses an organization that does not exist with 403', async () => {
    for (const route of ['GET /v1/books', 'GET /v1/users', 'GET /v1/roles'] as const) {
      const language = route === 'GET /v1/books' ? EN : {};
      await distributor.refused(403, route, { query: { organization: unique('no'), type: 'School', ...language } });
    }
  });

  describe('routing', () => {
    it('[literal-before-id] matches literal segments before IDs', async () => {
      expect(await distributor.ok('GET /v1/books/subjects', { query: EN })).toHaveProperty('subjects');
      expect(await distributor.ok('GET /v1/books/types', { query: EN })).toHaveProperty('types');
      await distributor.ok('GET /v1/users/checkModified');
      for (const route of ['PUT /v1/licenses/assignLicense', 'PUT /v1/subscriptions/assignSubscription'] as const) {
        await distributor.ok(route, await validRequest(route, distributor, door().now()));
      }
    });

    it('[ids-percent-encoded] decodes path segments', async () => {
      for (const id of ['a/b', 'a b', 'ä', 'a?b', 'a#b', 'a%2Fb', '%']) {
        await distributor.refused(404, 'GET /v1/licenses/{id}', { params: { id: unique(id) } });
      }
    });

    it('[unknown-path] returns 404 for an unknown path', async () => {
      for (const target of ['/v1/nothing', '/v1', '/v2/account', '/v1/account/more', '/v1/licenses/code', '/']) {
        expect({ target, status: (await exchange(door(), 'GET', target, {}, authorized())).status }).toEqual({
          target,
          status: 404,
        });
      }
    });

    ours('[path-exact] accepts no trailing slash, no empty segment and no other case', async () => {
      for (const target of ['/v1/account/', '/v1//account', '/v1/Account', '//v1/account']) {
        const { status } = await exchange(door(), 'GET', target, {}, authorized());
        expect([400, 404]).toContain(status);
      }
    });

    ours('[method-unknown] returns 404 for an unknown method of a path', async () => {
      for (const [method, target] of [
        ['DELETE', '/v1/account'],
        ['POST', '/v1/licenses/x/cancel'],
        ['PATCH', '/v1/licenses/x'],
      ] as const) {
        expect((await exchange(door(), method, target, {}, authorized())).status).toBe(404);
      }
    });

    ours('[path-undecodable] refuses a segment that is not percent-encoded UTF-8 with 400', async () => {
      for (const target of [
        '/v1/licenses/%E0%A4%A',
        '/v1/licenses/%zz',
        '/v1/licenses/%ff',
        '/v1/classes/%ff',
        '/v1/classes/classesForUser/%ff',
      ]) {
        expect((await exchange(door(), 'GET', target, {}, authorized())).status).toBe(400);
      }
    });

    ours('[query-repeated] refuses a repeated query parameter with 400', async () => {
      const target = '/v1/licenses?type=BOOKS&type=TEACHER';
      expect((await exchange(door(), 'GET', target, {}, authorized())).status).toBe(400);
    });

    it('[unknown-input-ignored] ignores unknown query parameters and fields', async () => {
      const query = { type: 'BOOKS', colour: 'red' };
      const json = { name: unique('P '), colour: 'red' };
      if (door().isStrict) {
        await distributor.refused(400, 'GET /v1/licenses', { query });
        await distributor.refused(400, 'POST /v1/publishers', { json });
        return;
      }
      await distributor.ok('GET /v1/licenses', { query });
      expect(await distributor.ok('POST /v1/publishers', { json })).not.toHaveProperty('colour');
    });
  });

  describe('authentication', () => {
    it('[authentication-before-all] is checked before the resource and the input', async () => {
      const licence = await newLicence(distributor);
      await nobody.refused(403, 'GET /v1/licenses/{id}', { params: { id: licence.id } });
      await nobody.refused(403, 'GET /v1/licenses/{id}', { params: { id: unique('no') } });
      await nobody.refused(403, 'POST /v1/licenses', { json: {} });
      await nobody.refused(403, 'POST /v1/licenses', { raw: { contentType: 'application/json', body: '{' } });
    });

    ours('[authentication-scheme] accepts the scheme Bearer in any case, and no other scheme', async () => {
      const token = door().token('distributor');
      const status = async (authorization: string) =>
        (await exchange(door(), 'GET', '/v1/account', {}, { authorization })).status;
      expect(await status(`bearer ${token}`)).toBe(200);
      expect(await status(`Basic ${token}`)).not.toBe(200);
      expect(await status(token)).not.toBe(200);
      expect(await status('Bearer ')).not.toBe(200);
      expect((await exchange(door(), 'GET', `/v1/account?access_token=${token}`)).status).toBe(403);
    });
  });

  describe('representation', () => {
    it('[ids-are-strings] returns IDs as strings that identify the item', async () => {
      const reader = await newReader(school);
      const { id } = await newSchool(distributor);
      expect([typeof reader.id, typeof reader.organization.id, typeof reader.subject.id, typeof id]).toEqual(
        Array(4).fill('string'),
      );
      expect((await distributor.ok('GET /v1/schools/{id}', { params: { id } })).id).toBe(id);
    });

    it('[organization-reference] returns an organization as its ID and type', async () => {
      for (const actor of [distributor, publisher, school]) {
        const { organization } = await newLicence(actor);
        expect(Object.keys(organization).sort()).toEqual(['id', 'type']);
        expect(ORGANIZATION_TYPES).toContain(organization.type);
      }
    });

    ours('[error-body] returns errors as a JSON object with error and message', async () => {
      const answers = [
        await distributor.refused(400, 'GET /v1/licenses'),
        await nobody.refused(403, 'GET /v1/account'),
        await distributor.refused(404, 'GET /v1/licenses/{id}', { params: { id: 'nothing' } }),
      ];
      for (const { headers, text } of answers) {
        expect(headers['content-type']).toMatch(/^application\/json/);
        expect(JSON.parse(text)).toMatchObject({ error: expect.any(String), message: expect.any(String) });
      }
    });
  });

  it('[read-changes-nothing] returns the same for a repeated read', async () => {
    const reads = ROUTES.filter((route) => route.startsWith('GET') && !/editor|checkModified/.test(route));
    for (const route of reads) {
      const given = await validRequest(route, distributor, door().now());
      // cursors are new each time
      const answer = async () => (await distributor.send(route, given)).text.replace(/"nextCursor":"[^"]*"/, '');
      expect(await answer(), route).toBe(await answer());
    }
  });
});
