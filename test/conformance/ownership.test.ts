/** What organizations may read and change of their own, of those they own, and of others; what roles permit. */
import { describe, expect, it } from 'vitest';
import type { Actor } from './actor.js';
import {
  bookForm,
  bookLicence,
  EN,
  newBook,
  newClass,
  newEndUser,
  newLicence,
  newPublisher,
  newReader,
  newUser,
  organizationOf,
  PDF,
  PNG,
  subjectId,
  teacherLicence,
  unique,
  userBody,
} from './makers.js';
import { newSubscription, uploadedPdf } from './requests.js';
import { conformance } from './suite.js';
import { everyItem } from './walk.js';

const MEMBERSHIPS = ['PUT /v1/assignClass/assignClassToUser', 'PUT /v1/unAssignClass/unAssignClassFromUser'] as const;

const queryFor = async (actor: Actor) => {
  const { id: organization, type } = await organizationOf(actor);
  return { organization, type };
};

conformance('Ownership', ({ distributor, publisher, school, viewer, door, ours }) => {
  describe('an owned organization', () => {
    it('[owner-sees-lists] lets its owner list its books, users and roles', async () => {
      const { id, type } = await organizationOf(publisher);
      const book = await newBook(publisher);
      const query = { organization: id, type };
      const books = await everyItem(distributor, 'GET /v1/books', { query: { ...query, ...EN } });
      expect(books.map(({ id: found }) => found)).toContain(book.id);
      await distributor.ok('GET /v1/users', { query });
      await distributor.ok('GET /v1/roles', { query });
    });

    it('[owned-not-owner] cannot read its owner or other organizations of that owner', async () => {
      const above = await organizationOf(distributor);
      const beside = await organizationOf(publisher);
      for (const { id, type } of [above, beside]) {
        const query = { organization: id, type };
        await school.refused(403, 'GET /v1/books', { query: { ...query, ...EN } });
        await school.refused(403, 'GET /v1/users', { query });
        await school.refused(403, 'GET /v1/roles', { query });
      }
    });

    it('[book-own-only] does not let its owner get a single book or its editor', async () => {
      const book = await newBook(publisher);
      await publisher.ok('GET /v1/books/{id}', { params: { id: book.id }, query: EN });
      await distributor.refused(403, 'GET /v1/books/{id}', { params: { id: book.id }, query: EN });
      await distributor.refused(403, 'GET /v1/books/{id}/editor', { params: { id: book.id }, query: EN });
    });

    it('[reader-own-only] does not let its owner get a single reader', async () => {
      const reader = await newReader(publisher);
      await publisher.ok('GET /v1/readers/{id}', { params: { id: reader.id }, query: EN });
      await distributor.refused(403, 'GET /v1/readers/{id}', { params: { id: reader.id }, query: EN });
      await distributor.refused(403, 'GET /v1/readers/{id}/editor', { params: { id: reader.id }, query: EN });
    });

    it('[licence-own-only] does not let its owner get a licence, by ID or code, or its activations', async () => {
      const licence = await newLicence(publisher);
      const params = { id: licence.id };
      await distributor.refused(403, 'GET /v1/licenses/{id}', { params });
      await distributor.refused(403, 'GET /v1/licenses/code/{code}', { params: { code: licence.code } });
      await distributor.refused(403, 'GET /v1/licenses/{id}/activations', { params });
    });

    it('[licence-creator-changes] lets only the creating organization update, cancel or delete a licence', async () => {
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

    it('[owner-manages-users] lets its owner read, create, change and anonymize its users', async () => {
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

    it('[user-organization-allowed] refuses to create a user in, or move one to, an organization that the caller neither belongs to nor owns', async () => {
      const above = await organizationOf(distributor);
      const own = await organizationOf(school);
      await school.refused(403, 'POST /v1/users', { json: userBody(above) });
      const user = await newUser(school, own);
      const json = { firstName: 'A', lastName: 'B', organization: above, roles: [] };
      await school.refused(403, 'PUT /v1/users/{id}', { params: { id: user.id }, json });
    });

    it('[create-for-organization] accepts an owned organization in create calls, and refuses any other', async () => {
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

    it('[create-default-organization] creates items without an organization for the creator’s own', async () => {
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

  it('[distributor-owns] makes the creating distributor the owner, who may then read the organization', async () => {
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
    '[licence-made-for-another] lets the creator list and change a licence for another organization, which may read it',
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

  it('[school-classes-owner] lets the owner of a school list its classes, and not the school itself', async () => {
    const { id } = await organizationOf(school);
    await newClass(school, id);
    await distributor.ok('GET /v1/schools/{id}/classes', { params: { id } });
    await school.refused(403, 'GET /v1/schools/{id}/classes', { params: { id } });
    await school.refused(403, 'GET /v1/schools/{id}', { params: { id } });
  });

  ours('[forbidden-in-body] refuses an inaccessible object in a body with 403', async () => {
    const book = await newBook(distributor);
    await publisher.refused(403, 'POST /v1/licenses', { json: bookLicence([book.id]) });
    const fileId = await uploadedPdf(distributor);
    const json = { title: 'T', subject: await subjectId(publisher), fileId, language: 'EN' };
    await publisher.refused(403, 'PUT /v1/readers', { query: EN, json });
    const reader = await newReader(publisher);
    await publisher.refused(403, 'PUT /v1/readers/{id}', { params: { id: reader.id }, query: EN, json });
    const organization = await organizationOf(publisher);
    const { roles } = await distributor.ok('GET /v1/roles', { query: await queryFor(distributor) });
    const ids = roles.slice(0, 1).map(({ id }) => id);
    await publisher.refused(403, 'POST /v1/users', { json: userBody(organization, { roles: ids }) });
    const own = await organizationOf(school);
    const { classId } = await newClass(school, own.id);
    const { id: userId } = await newUser(distributor, await organizationOf(distributor));
    for (const route of MEMBERSHIPS) await school.refused(403, route, { json: { userId, classId } });
  });

  ours('[class-school-rights] lets only the school and its owner manage its classes', async () => {
    const own = await organizationOf(school);
    const made = await newClass(school, own.id);
    const params = { id: made.classId };
    const json = { subjectId: made.subjectId, name: unique('Class ') };
    await distributor.ok('GET /v1/classes/{id}', { params });
    await distributor.ok('PUT /v1/classes/{id}', { params, json });
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

  ours('[subscription-own-only] shows a subscription of an owned organization to that organization only', async () => {
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
