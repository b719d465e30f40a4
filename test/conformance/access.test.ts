/** Who may do what: every documented 403, every documented 404, and the rules of ownership. */
import { describe, expect, it } from 'vitest';
import { DOCUMENTED } from '../contract/endpoint-table.js';
import type { Actor, Given } from './actor.js';
import {
  bookForm,
  EN,
  newBook,
  newClass,
  newEndUser,
  newLicence,
  newPublisher,
  newReader,
  newSchool,
  newUser,
  organizationOf,
  PDF,
  PNG,
  subjectId,
  teacherLicence,
  unique,
  userBody,
} from './makers.js';
import { newSubscription, validRequest } from './requests.js';
import { conformance, type Service } from './suite.js';
import type { Route } from './typed-routes.js';
import { everyItem } from './walk.js';

type Forbidden = (service: Service) => Promise<readonly [Actor, Given]>;

/** The request that is valid for the distributor, about the distributor's data, sent by the school. */
const bySchool =
  (route: Route): Forbidden =>
  async (service) => [service.school, await validRequest(route, service.distributor, service.door().now())];

const byViewer =
  (route: Route): Forbidden =>
  async (service) => [service.viewer, await validRequest(route, service.viewer, service.door().now())];

const withoutToken: Forbidden = async (service) => [service.nobody, { query: EN }];

/** One request per documented 403. Lists without an organization in the request know no stranger, only the nameless. */
const FORBIDDEN: Partial<Record<Route, Forbidden>> = {
  'GET /v1/books': bySchool('GET /v1/books'),
  'GET /v1/books/{id}': bySchool('GET /v1/books/{id}'),
  'GET /v1/books/{id}/editor': bySchool('GET /v1/books/{id}/editor'),
  'GET /v1/books/{id}/licenses': bySchool('GET /v1/books/{id}/licenses'),
  'POST /v1/books': bySchool('POST /v1/books'),
  'PUT /v1/books/{id}': bySchool('PUT /v1/books/{id}'),
  'GET /v1/schools/{id}/classes': async ({ distributor, publisher }) => [
    publisher,
    { params: { id: (await newSchool(distributor)).id } },
  ],
  'POST /v1/files': byViewer('POST /v1/files'),
  'GET /v1/licenses/{id}': bySchool('GET /v1/licenses/{id}'),
  'GET /v1/licenses/code/{code}': bySchool('GET /v1/licenses/code/{code}'),
  'GET /v1/licenses/{id}/activations': bySchool('GET /v1/licenses/{id}/activations'),
  'PUT /v1/licenses/{id}/cancel': bySchool('PUT /v1/licenses/{id}/cancel'),
  'DELETE /v1/licenses/{id}': bySchool('DELETE /v1/licenses/{id}'),
  'GET /v1/publishers/{id}': bySchool('GET /v1/publishers/{id}'),
  'PUT /v1/publishers/{id}': bySchool('PUT /v1/publishers/{id}'),
  'GET /v1/readers': withoutToken,
  'GET /v1/readers/{id}': bySchool('GET /v1/readers/{id}'),
  'GET /v1/readers/{id}/editor': bySchool('GET /v1/readers/{id}/editor'),
  'POST /v1/readers': bySchool('POST /v1/readers'),
  'PUT /v1/readers': async ({ distributor, viewer, door }) => [
    viewer,
    await validRequest('PUT /v1/readers', distributor, door().now()),
  ],
  'PUT /v1/readers/{id}': bySchool('PUT /v1/readers/{id}'),
  'GET /v1/roles': bySchool('GET /v1/roles'),
  'GET /v1/schools/{id}': async ({ distributor, publisher }) => [
    publisher,
    { params: { id: (await newSchool(distributor)).id } },
  ],
  'PUT /v1/schools/{id}': async ({ distributor, publisher, door }) => [
    publisher,
    await validRequest('PUT /v1/schools/{id}', distributor, door().now()),
  ],
  'GET /v1/subscriptions': withoutToken,
  'GET /v1/subscriptions/{id}': bySchool('GET /v1/subscriptions/{id}'),
  'POST /v1/subscriptions': bySchool('POST /v1/subscriptions'),
  'PUT /v1/subscriptions/{id}': bySchool('PUT /v1/subscriptions/{id}'),
  'GET /v1/users': bySchool('GET /v1/users'),
  'GET /v1/users/{id}': bySchool('GET /v1/users/{id}'),
  'POST /v1/users': bySchool('POST /v1/users'),
  'PUT /v1/users/{id}': bySchool('PUT /v1/users/{id}'),
  'PUT /v1/users/enduser/{id}': bySchool('PUT /v1/users/enduser/{id}'),
  'PUT /v1/users/{id}/anonymize': bySchool('PUT /v1/users/{id}/anonymize'),
};

const routesRefusing = (status: 403 | 404): Route[] =>
  DOCUMENTED.filter((row) => row.errors.includes(status)).map((row) => row.route as Route);

it('has a request for each documented 403', () => {
  expect(Object.keys(FORBIDDEN).sort()).toEqual(routesRefusing(403).sort());
});

conformance('Access', (service) => {
  const { distributor, publisher, school, viewer, door, ours } = service;

  it.each(Object.entries(FORBIDDEN) as [Route, Forbidden][])(
    '[forbidden] %s is refused with 403 when the caller may not',
    async (route, prepare) => {
      const [actor, given] = await prepare(service);
      await actor.refused(403, route, given);
    },
  );

  it.each(routesRefusing(404))('[not-found] %s is refused with 404 when nothing has that id', async (route) => {
    const given = await validRequest(route, distributor, door().now());
    const names = Object.keys(given.params ?? {});
    const unknown = Object.fromEntries(names.map((name) => [name, unique('nothing')]));
    await distributor.refused(404, route, { ...given, params: unknown });
  });

  const UNDOCUMENTED_404: Route[] = [
    'GET /v1/classes/{id}',
    'GET /v1/classes/classesForUser/{id}',
    'PUT /v1/classes/{id}',
    'PUT /v1/classes/delete/{id}',
    'PUT /v1/readers/{id}',
    'PUT /v1/licenses/{id}',
    'GET /v1/users/{id}/modifications',
    'GET /v1/users/{id}/lastlogin',
  ];
  describe.each(UNDOCUMENTED_404)('%s', (route) => {
    ours('[unknown-id-in-path] is refused with 404 when nothing has that id', async () => {
      const given = await validRequest(route, distributor, door().now());
      await distributor.refused(404, route, { ...given, params: { id: unique('nothing') } });
    });
  });

  const IDS_IN_BODIES: (readonly [Route, string])[] = [
    ['POST /v1/classes', 'subjectId'],
    ['POST /v1/classes', 'schoolId'],
    ['PUT /v1/classes/{id}', 'subjectId'],
    ['PUT /v1/assignClass/assignClassToUser', 'userId'],
    ['PUT /v1/assignClass/assignClassToUser', 'classId'],
    ['PUT /v1/unAssignClass/unAssignClassFromUser', 'userId'],
    ['PUT /v1/unAssignClass/unAssignClassFromUser', 'classId'],
    ['PUT /v1/licenses/assignLicense', 'userId'],
    ['PUT /v1/licenses/assignLicense', 'licenseId'],
    ['PUT /v1/subscriptions/assignSubscription', 'userId'],
    ['PUT /v1/subscriptions/assignSubscription', 'subscriptionId'],
    ['PUT /v1/books/{id}', 'subject'],
    ['PUT /v1/books/{id}', 'secondSubject'],
    ['PUT /v1/books/{id}', 'type'],
    ['PUT /v1/readers', 'subject'],
    ['PUT /v1/readers', 'fileId'],
    ['PUT /v1/readers/{id}', 'subject'],
    ['PUT /v1/readers/{id}', 'fileId'],
    ['POST /v1/licenses', 'licenseCategory'],
    ['PUT /v1/licenses/{id}', 'licenseCategory'],
  ];
  it.each(IDS_IN_BODIES)(
    '[unknown-id-in-body] %s is refused with 400 when its %s is of nothing',
    async (route, name) => {
      const given = await validRequest(route, distributor, door().now());
      await distributor.refused(400, route, {
        ...given,
        json: { ...(given.json as object), [name]: unique('nothing') },
      });
    },
  );

  describe('an owned organization', () => {
    it('[owner-sees-lists] lets the owner list the books, users and roles of it', async () => {
      const { id, type } = await organizationOf(publisher);
      const book = await newBook(publisher);
      const query = { organization: id, type };
      const books = await everyItem(distributor, 'GET /v1/books', { query: { ...query, ...EN } });
      expect(books.map(({ id: found }) => found)).toContain(book.id);
      await distributor.ok('GET /v1/users', { query });
      await distributor.ok('GET /v1/roles', { query });
    });

    it('[owned-not-owner] does not let an owned organization look at its owner or at its sisters', async () => {
      const above = await organizationOf(distributor);
      const beside = await organizationOf(publisher);
      for (const { id, type } of [above, beside]) {
        const query = { organization: id, type };
        await school.refused(403, 'GET /v1/books', { query: { ...query, ...EN } });
        await school.refused(403, 'GET /v1/users', { query });
        await school.refused(403, 'GET /v1/roles', { query });
      }
    });

    it('[book-own-only] does not let the owner get a single book, or its editor, of it', async () => {
      const book = await newBook(publisher);
      await publisher.ok('GET /v1/books/{id}', { params: { id: book.id }, query: EN });
      await distributor.refused(403, 'GET /v1/books/{id}', { params: { id: book.id }, query: EN });
      await distributor.refused(403, 'GET /v1/books/{id}/editor', { params: { id: book.id }, query: EN });
    });

    it('[reader-own-only] does not let the owner get a single reader of it', async () => {
      const reader = await newReader(publisher);
      await publisher.ok('GET /v1/readers/{id}', { params: { id: reader.id }, query: EN });
      await distributor.refused(403, 'GET /v1/readers/{id}', { params: { id: reader.id }, query: EN });
      await distributor.refused(403, 'GET /v1/readers/{id}/editor', { params: { id: reader.id }, query: EN });
    });

    it('[licence-own-only] does not let the owner get a licence of it, by id or code, or its activations', async () => {
      const licence = await newLicence(publisher);
      const params = { id: licence.id };
      await distributor.refused(403, 'GET /v1/licenses/{id}', { params });
      await distributor.refused(403, 'GET /v1/licenses/code/{code}', { params: { code: licence.code } });
      await distributor.refused(403, 'GET /v1/licenses/{id}/activations', { params });
    });

    it('[licence-creator-changes] lets nobody but the creating organization update, cancel or delete a licence', async () => {
      const licence = await newLicence(publisher);
      const params = { id: licence.id };
      for (const actor of [distributor, school]) {
        await actor.refused(403, 'PUT /v1/licenses/{id}', { params, json: teacherLicence() });
        await actor.refused(403, 'PUT /v1/licenses/{id}/cancel', { params });
        await actor.refused(403, 'DELETE /v1/licenses/{id}', { params });
      }
      await publisher.ok('PUT /v1/licenses/{id}', { params, json: teacherLicence() });
      await publisher.ok('PUT /v1/licenses/{id}/cancel', { params });
      await publisher.ok('DELETE /v1/licenses/{id}', { params });
    });

    it('[owner-manages-users] lets the owner see, create, change and anonymize its users', async () => {
      const organization = await organizationOf(publisher);
      const user = await newUser(distributor, organization);
      const params = { id: user.id };
      expect(user.organization).toEqual(organization);
      await distributor.ok('GET /v1/users/{id}', { params });
      await publisher.ok('GET /v1/users/{id}', { params });
      const json = { firstName: 'A', lastName: 'B', organization, roles: [] };
      await distributor.ok('PUT /v1/users/{id}', { params, json });
      await distributor.ok('PUT /v1/users/{id}/anonymize', { params });
    });

    it('[user-organization-allowed] refuses to place or move a user where the caller neither belongs nor owns', async () => {
      const above = await organizationOf(distributor);
      const own = await organizationOf(school);
      await school.refused(403, 'POST /v1/users', { json: userBody(above) });
      const user = await newUser(school, own);
      const json = { firstName: 'A', lastName: 'B', organization: above, roles: [] };
      await school.refused(403, 'PUT /v1/users/{id}', { params: { id: user.id }, json });
    });

    it('[create-for-organization] takes an owned organization in create calls, and refuses any other', async () => {
      const owned = await organizationOf(publisher);
      const foreign = await organizationOf(distributor);
      const form = async (actor: Actor, { id, type }: { id: string; type: string }) => ({
        query: EN,
        form: await bookForm(actor, { 'organization.id': id, 'organization.type': type }),
      });
      const book = await distributor.ok('POST /v1/books', await form(distributor, owned));
      expect(book.organization).toEqual(owned);
      await school.refused(403, 'POST /v1/books', await form(school, foreign));

      const licence = await newLicence(distributor, teacherLicence({ organization: owned }));
      expect(licence.organization).toEqual(owned);
      await school.refused(403, 'POST /v1/licenses', { json: teacherLicence({ organization: foreign }) });
    });

    it('[create-default-organization] gives what is created without an organization to the creator’s own', async () => {
      for (const actor of [distributor, publisher]) {
        const own = await organizationOf(actor);
        expect((await newBook(actor)).organization).toEqual(own);
        expect((await newReader(actor)).organization).toEqual(own);
        expect((await newLicence(actor)).organization).toEqual(own);
      }
    });
  });

  it('[distributor-creates-organizations] lets only callers of a distributor create publishers and schools', async () => {
    for (const actor of [publisher, school]) {
      await actor.refused(403, 'POST /v1/publishers', { json: { name: unique('P') } });
      await actor.refused(403, 'POST /v1/schools', { json: { name: unique('S'), country: 'NL', city: 'Ede' } });
    }
  });

  it('[distributor-owns] makes the creating distributor the owner, who may then look into the organization', async () => {
    const made = await newPublisher(distributor);
    await distributor.ok('GET /v1/publishers/{id}', { params: { id: made.id } });
    const query = { organization: made.id, type: 'Publisher' };
    await distributor.ok('GET /v1/roles', { query });
    await publisher.refused(403, 'GET /v1/users', { query });
  });

  it('[permissions-limit] refuses with 403 what the caller’s roles do not permit', async () => {
    const own = await organizationOf(viewer);
    const subject = await subjectId(viewer);
    const form = { ...(await bookForm(viewer)), coverFile: PNG };
    await viewer.refused(403, 'POST /v1/books', { query: EN, form });
    await viewer.refused(403, 'POST /v1/readers', {
      query: EN,
      form: { title: 'T', subject, language: 'EN', pdfFile: PDF },
    });
    await viewer.refused(403, 'POST /v1/licenses', { json: teacherLicence() });
    await viewer.refused(403, 'POST /v1/users', { json: userBody(own) });
    await viewer.refused(403, 'POST /v1/publishers', { json: { name: unique('P') } });
  });

  ours(
    '[licence-made-for-another] lets the creator list and change what it made for another, who may read it',
    async () => {
      const organization = await organizationOf(publisher);
      const { id } = await newLicence(distributor, teacherLicence({ organization }));
      const params = { id };
      await publisher.ok('GET /v1/licenses/{id}', { params });
      await distributor.refused(403, 'GET /v1/licenses/{id}', { params });
      const query = { type: 'TEACHER' };
      const listed = await everyItem(distributor, 'GET /v1/licenses', { query });
      expect(listed.filter((licence) => licence.id === id)).toHaveLength(1);
      const notListed = await everyItem(publisher, 'GET /v1/licenses', { query });
      expect(notListed.filter((licence) => licence.id === id)).toEqual([]);
      await publisher.refused(403, 'PUT /v1/licenses/{id}', { params, json: teacherLicence() });
      await distributor.ok('PUT /v1/licenses/{id}', { params, json: teacherLicence() });
      await publisher.refused(403, 'DELETE /v1/licenses/{id}', { params });
      await distributor.ok('DELETE /v1/licenses/{id}', { params });
    },
  );

  ours('[class-school-rights] lets the school and its owner handle its classes, and nobody else', async () => {
    const own = await organizationOf(school);
    const made = await newClass(school, own.id);
    const params = { id: made.classId };
    const json = { subjectId: made.subjectId, name: unique('Class ') };
    await distributor.ok('GET /v1/classes/{id}', { params });
    await distributor.ok('PUT /v1/classes/{id}', { params, json });
    await school.ok('GET /v1/schools/{id}/classes', { params: { id: own.id } });
    await publisher.refused(403, 'GET /v1/classes/{id}', { params });
    await publisher.refused(403, 'PUT /v1/classes/{id}', { params, json });
    await publisher.refused(403, 'PUT /v1/classes/delete/{id}', { params });
  });

  ours('[end-user-creator] lets only the creating organization change an end user', async () => {
    const made = await newEndUser(publisher);
    const json = { firstName: 'A', lastName: 'B' };
    await publisher.ok('PUT /v1/users/enduser/{id}', { params: { id: made.id }, json });
    await school.refused(403, 'PUT /v1/users/enduser/{id}', { params: { id: made.id }, json });
  });

  ours('[subscription-own-only] shows a subscription made for an owned organization to that organization', async () => {
    const organization = await organizationOf(school);
    const json = { maximumActivations: 2, expirationDate: '2099-01-01', organization };
    const made = await distributor.ok('POST /v1/subscriptions', { json });
    expect(made.organization).toEqual(organization);
    await school.ok('GET /v1/subscriptions/{id}', { params: { id: made.id } });
    await distributor.refused(403, 'GET /v1/subscriptions/{id}', { params: { id: made.id } });
    const own = await newSubscription(distributor, door().now());
    await distributor.ok('GET /v1/subscriptions/{id}', { params: { id: own } });
  });
});
