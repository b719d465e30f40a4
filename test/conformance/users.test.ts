/** Users: fields, roles, look-up, moves, anonymizing and the records of changes ("Users"). */
import { describe, expect, it } from 'vitest';
import type { Actor } from './actor.js';
import {
  dayFrom,
  newClass,
  newLicence,
  newPublisher,
  newSchool,
  newUser,
  type Organization,
  organizationOf,
  unique,
  userBody,
} from './makers.js';
import { conformance } from './suite.js';
import { everyItem } from './walk.js';

/** Ids of the roles of an organization. */
async function roleIds(actor: Actor, { id, type }: Organization): Promise<string[]> {
  const { roles } = await actor.ok('GET /v1/roles', { query: { organization: id, type } });
  return roles.map((role) => role.id);
}

conformance('Users', ({ distributor, publisher, school, viewer, door, ours }) => {
  const freshSchool = async (): Promise<Organization> => ({ id: (await newSchool(distributor)).id, type: 'School' });

  it('[user-fields] returns what was sent, with the roles by id and name and no avatar', async () => {
    const organization = await freshSchool();
    const roles = (await roleIds(distributor, organization)).slice(0, 1);
    const { roles: _, ...body } = userBody(organization, { firstName: 'Zoë', language: 'PT' });
    const made = await distributor.ok('POST /v1/users', { json: { ...body, roles } });
    expect(made).toMatchObject({ ...body, avatarUrl: null });
    expect(made.roles.map((role) => role.id)).toEqual(roles);
    expect(await distributor.ok('GET /v1/users/{id}', { params: { id: made.id } })).toEqual(made);
  });

  it('[user-list] lists only the users of the given organization', async () => {
    const organization = await freshSchool();
    const query = { organization: organization.id, type: 'School' };
    const first = await newUser(distributor, organization);
    const second = await newUser(distributor, organization);
    await newUser(distributor, await freshSchool());
    const listed = await everyItem(distributor, 'GET /v1/users', { query });
    expect([...listed].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      [first, second].sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });

  it('[user-by-email] returns the ID for an e-mail address, encoded in the path', async () => {
    const email = `${unique('o')}.o'neil+a/b@example.com`;
    const made = await newUser(distributor, await freshSchool(), { email });
    const answer = await distributor.send('GET /v1/users/userId/{email}', { params: { email } });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(made.id);
  });

  ours('[user-by-email-shape] returns an object with the ID', async () => {
    const made = await newUser(distributor, await freshSchool());
    expect(await distributor.ok('GET /v1/users/userId/{email}', { params: { email: made.email } })).toEqual({
      id: made.id,
    });
  });

  it.each(['firstName', 'lastName'])('[user-name-length] accepts 50 characters as %s, but not 51', async (name) => {
    const organization = await freshSchool();
    const made = await newUser(distributor, organization, { [name]: 'n'.repeat(50) });
    expect(made).toHaveProperty(name, 'n'.repeat(50));
    await distributor.refused(400, 'POST /v1/users', { json: userBody(organization, { [name]: 'n'.repeat(51) }) });
  });

  ours('[user-email-unique] refuses an e-mail address that exists with 400, in capitals too', async () => {
    const organization = await freshSchool();
    const { email } = await newUser(distributor, organization);
    for (const again of [email, email.toUpperCase()]) {
      await distributor.refused(400, 'POST /v1/users', { json: userBody(organization, { email: again }) });
    }
  });

  ours('[user-email-form] refuses an invalid e-mail address with 400', async () => {
    const organization = await freshSchool();
    for (const email of ['nobody', '@example.com', 'a@', 'a b@example.com', 'a@b@c']) {
      await distributor.refused(400, 'POST /v1/users', { json: userBody(organization, { email }) });
    }
  });

  it('[user-roles-own] refuses unknown roles and roles of another organization with 400', async () => {
    const organization = await freshSchool();
    const [foreign = ''] = await roleIds(distributor, await organizationOf(distributor));
    for (const roles of [[foreign], [unique('no')]]) {
      await distributor.refused(400, 'POST /v1/users', { json: userBody(organization, { roles }) });
      const { id } = await newUser(distributor, organization);
      const json = { firstName: 'A', lastName: 'B', organization, roles };
      await distributor.refused(400, 'PUT /v1/users/{id}', { params: { id }, json });
    }
  });

  describe('update', () => {
    it('[user-roles-replaced] replaces all roles with the given ones', async () => {
      const organization = await freshSchool();
      const all = await roleIds(distributor, organization);
      const { id } = await newUser(distributor, organization, { roles: all });
      const update = (roles: readonly string[]) =>
        distributor.ok('PUT /v1/users/{id}', {
          params: { id },
          json: { firstName: 'A', lastName: 'B', organization, roles },
        });
      const last = all.slice(-1);
      expect((await update(last)).roles.map((role) => role.id)).toEqual(last);
      expect((await update([])).roles).toEqual([]);
    });

    it('[user-updated] changes the names and keeps e-mail and language', async () => {
      const organization = await freshSchool();
      const made = await newUser(distributor, organization, { language: 'FR' });
      const json = { firstName: 'Grace', lastName: 'Hopper', organization, roles: [] };
      const updated = await distributor.ok('PUT /v1/users/{id}', { params: { id: made.id }, json });
      expect(updated).toEqual({ ...made, firstName: 'Grace', lastName: 'Hopper' });
    });

    it('[user-moved] moves the user to another organization that the caller owns', async () => {
      const from = await freshSchool();
      const to = { id: (await newPublisher(distributor)).id, type: 'Publisher' };
      const { id } = await newUser(distributor, from);
      const json = { firstName: 'A', lastName: 'B', organization: to, roles: [] };
      expect((await distributor.ok('PUT /v1/users/{id}', { params: { id }, json })).organization).toEqual(to);
      const query = { organization: from.id, type: from.type };
      expect(await everyItem(distributor, 'GET /v1/users', { query })).toEqual([]);
    });

    it('[user-organization-unknown] returns 404 for an organization that does not exist', async () => {
      const { id } = await newUser(distributor, await freshSchool());
      const json = { firstName: 'A', lastName: 'B', organization: { id: unique('no'), type: 'School' }, roles: [] };
      await distributor.refused(404, 'PUT /v1/users/{id}', { params: { id }, json });
    });
  });

  describe('anonymize', () => {
    it('[user-anonymized] removes names and e-mail address', async () => {
      const made = await newUser(distributor, await freshSchool(), { firstName: 'Rosalind', lastName: 'Franklin' });
      const json = { firstName: 'Marie', lastName: 'Curie', organization: made.organization, roles: [] };
      await distributor.ok('PUT /v1/users/{id}', { params: { id: made.id }, json });
      await distributor.ok('PUT /v1/users/{id}/anonymize', { params: { id: made.id } });
      await distributor.refused(404, 'GET /v1/users/userId/{email}', { params: { email: made.email } });
      const left = await distributor.send('GET /v1/users/{id}', { params: { id: made.id } });
      const query = { dateToCheck: dayFrom(door().now(), 0) };
      const history = await distributor.send('GET /v1/users/{id}/modifications', { params: { id: made.id }, query });
      for (const trace of ['Rosalind', 'Franklin', 'Marie', 'Curie', made.email]) {
        expect(left.text + history.text).not.toContain(trace);
      }
    });

    ours('[user-anonymized-no-way-in] refuses the tokens of an anonymized user with 401', async () => {
      const { id } = await viewer.ok('GET /v1/account');
      await distributor.ok('PUT /v1/users/{id}/anonymize', { params: { id } });
      await viewer.refused(401, 'GET /v1/account');
    });

    ours('[user-anonymize-again] returns 200 again', async () => {
      const { id } = await newUser(distributor, await freshSchool());
      await distributor.ok('PUT /v1/users/{id}/anonymize', { params: { id } });
      await distributor.ok('PUT /v1/users/{id}/anonymize', { params: { id } });
    });
  });

  ours('[anonymized-takes-nothing] refuses with 400 to assign anything to an anonymized user', async () => {
    const organization = await freshSchool();
    const { id: userId } = await newUser(distributor, organization);
    const { classId } = await newClass(distributor, organization.id);
    const { id: licenseId } = await newLicence(distributor);
    await distributor.ok('PUT /v1/users/{id}/anonymize', { params: { id: userId } });
    await distributor.refused(400, 'PUT /v1/assignClass/assignClassToUser', { json: { userId, classId } });
    await distributor.refused(400, 'PUT /v1/licenses/assignLicense', { json: { userId, licenseId } });
    const json = { firstName: 'A', lastName: 'B', organization, roles: [] };
    await distributor.refused(400, 'PUT /v1/users/{id}', { params: { id: userId }, json });
  });

  ours('[user-organization-type] refuses a type with 400 that is not the type of the organization', async () => {
    const { id } = await freshSchool();
    await distributor.refused(400, 'POST /v1/users', { json: userBody({ id, type: 'Publisher' }) });
  });

  describe('records of changes', () => {
    const today = () => dayFrom(door().now(), 0);

    it('[modified-users] lists the IDs of users modified on the given day', async () => {
      const { id } = await newUser(distributor, await freshSchool());
      const at = await distributor.send('GET /v1/users/checkModified', { query: { dateToCheck: today() } });
      expect(at.status).toBe(200);
      expect(at.text).toContain(id);
    });

    it('[modified-users-none] is an empty list when no user was modified', async () => {
      const answer = await distributor.ok('GET /v1/users/checkModified', { query: { dateToCheck: '2001-02-03' } });
      expect(JSON.stringify(answer)).toMatch(/\[\]/);
    });

    it('[modified-users-creator] covers only users that the caller’s organization created', async () => {
      const { id } = await newUser(publisher, await organizationOf(publisher));
      const seen = await distributor.send('GET /v1/users/checkModified', { query: { dateToCheck: today() } });
      expect(seen.text).not.toContain(id);
    });

    ours('[modified-default] covers yesterday when no date is given', async () => {
      const { advance } = door();
      const { id } = await newUser(school, await organizationOf(school));
      const without = await school.send('GET /v1/users/checkModified');
      expect(without.text).not.toContain(id);
      const history = await school.ok('GET /v1/users/{id}/modifications', { params: { id } });
      expect(history).toEqual([]);
      advance?.(86_400_000);
      expect(await school.ok('GET /v1/users/checkModified')).toContain(id);
      const yesterday = await school.ok('GET /v1/users/{id}/modifications', { params: { id } });
      const modificationDate = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
      const modifiedBy = expect.stringMatching(/./);
      expect(yesterday).toMatchObject([{ modificationDate, field: 'id', newValue: id, modifiedBy }]);
    });

    it('[modifications] lists the modifications of a user, and is empty when there were none', async () => {
      const organization = await freshSchool();
      const { id } = await newUser(distributor, organization);
      const json = { firstName: 'Other', lastName: 'Name', organization, roles: [] };
      await distributor.ok('PUT /v1/users/{id}', { params: { id }, json });
      const on = (dateToCheck: string) =>
        distributor.ok('GET /v1/users/{id}/modifications', { params: { id }, query: { dateToCheck } });
      expect(JSON.stringify(await on(today()))).not.toMatch(/^(\[\]|\{"\w+":\[\]\})$/);
      expect(JSON.stringify(await on('2001-02-03'))).toMatch(/^(\[\]|\{"\w+":\[\]\})$/);
    });

    it('[records-creator] shows modifications and last log-in only to the organization that created the user', async () => {
      const { id } = await newUser(publisher, await organizationOf(publisher));
      await publisher.ok('GET /v1/users/{id}/lastlogin', { params: { id } });
      await publisher.ok('GET /v1/users/{id}/modifications', { params: { id } });
      await distributor.refused(403, 'GET /v1/users/{id}/lastlogin', { params: { id } });
      await school.refused(403, 'GET /v1/users/{id}/modifications', { params: { id } });
    });
  });
});
