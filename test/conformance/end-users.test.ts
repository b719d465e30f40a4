/** End users: unverified e-mail, update ("Users", "End user"). */
import { expect, it } from 'vitest';
import { newEndUser, newUser, organizationOf, unique } from './makers.js';
import { conformance } from './suite.js';

const create = 'POST /v1/users/enduser';
const update = 'PUT /v1/users/enduser/{id}';

conformance('End users', ({ distributor, publisher, ours }) => {
  const body = (more: object = {}) => ({
    firstName: 'Eve',
    lastName: 'Adams',
    email: `${unique('e')}@example.com`,
    language: 'ES',
    ...more,
  });

  it('[end-user-email-unverified] returns the e-mail as null until it is verified, also on create', async () => {
    const made = await distributor.ok(create, { json: body() });
    expect(made).toMatchObject({ firstName: 'Eve', lastName: 'Adams', language: 'ES', email: null });
    const json = { firstName: 'Eva', lastName: 'Adam', email: `${unique('e')}@example.com` };
    const updated = await distributor.ok(update, { params: { id: made.id }, json });
    expect(updated).toEqual({
      id: made.id,
      email: null,
      firstName: 'Eva',
      lastName: 'Adam',
      language: 'ES',
      avatarUrl: null,
    });
  });

  it.each(['firstName', 'lastName'])('[end-user-name-length] accepts 50 characters as %s, but not 51', async (name) => {
    const made = await distributor.ok(create, { json: body({ [name]: 'n'.repeat(50) }) });
    expect(made).toHaveProperty(name, 'n'.repeat(50));
    await distributor.refused(400, create, { json: body({ [name]: 'n'.repeat(51) }) });
    const json = { firstName: 'A', lastName: 'B', [name]: 'n'.repeat(51) };
    await distributor.refused(400, update, { params: { id: made.id }, json });
  });

  it('[end-user-email-length] accepts 50 characters as e-mail in an update, but not 51', async () => {
    const { id } = await newEndUser(distributor);
    const email = (length: number) => `${unique('e')}@example.com`.padStart(length, 'e');
    const json = { firstName: 'A', lastName: 'B' };
    await distributor.ok(update, { params: { id }, json: { ...json, email: email(50) } });
    await distributor.refused(400, update, { params: { id }, json: { ...json, email: email(51) } });
    await distributor.ok(update, { params: { id }, json });
  });

  ours('[end-user-create-email-length] accepts a longer e-mail address on create', async () => {
    await distributor.ok(create, { json: body({ email: `${unique('e')}@example.com`.padStart(60, 'e') }) });
  });

  ours('[end-user-no-get] has no GET for an end user, and finds no unverified address', async () => {
    const email = `${unique('e')}@example.com`;
    const { id } = await distributor.ok(create, { json: body({ email }) });
    await distributor.refused(404, 'GET /v1/users/{id}', { params: { id } });
    await distributor.refused(404, 'GET /v1/users/userId/{email}', { params: { email } });
  });

  ours('[end-user-email-unique] refuses the e-mail address of another person with 400', async () => {
    const email = `${unique('e')}@example.com`;
    await distributor.ok(create, { json: body({ email }) });
    await distributor.refused(400, create, { json: body({ email }) });
    const { id } = await newEndUser(distributor);
    const json = { firstName: 'A', lastName: 'B', email };
    await distributor.refused(400, update, { params: { id }, json });
    const other = `${unique('e')}@example.com`;
    await distributor.ok(update, { params: { id }, json: { ...json, email: other } });
    await distributor.refused(400, create, { json: body({ email: other }) });
  });

  ours('[end-user-is-no-user] returns 404 when a user of an organization is updated as an end user', async () => {
    const { id } = await newUser(publisher, await organizationOf(publisher));
    await publisher.refused(404, update, { params: { id }, json: { firstName: 'A', lastName: 'B' } });
  });
});
