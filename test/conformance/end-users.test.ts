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

  it('[end-user-email-unverified] shows the e-mail as null until it is verified, when created too', async () => {
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

  it.each(['firstName', 'lastName'])('[end-user-name-length] takes 50 characters as %s, and not 51', async (name) => {
    const made = await distributor.ok(create, { json: body({ [name]: 'n'.repeat(50) }) });
    expect(made).toHaveProperty(name, 'n'.repeat(50));
    await distributor.refused(400, create, { json: body({ [name]: 'n'.repeat(51) }) });
    const json = { firstName: 'A', lastName: 'B', [name]: 'n'.repeat(51) };
    await distributor.refused(400, update, { params: { id: made.id }, json });
  });

  it('[end-user-email-length] takes 50 characters as e-mail in an update, and not 51', async () => {
    const { id } = await newEndUser(distributor);
    const email = (length: number) => `${unique('e')}@example.com`.padStart(length, 'e');
    const json = { firstName: 'A', lastName: 'B' };
    await distributor.ok(update, { params: { id }, json: { ...json, email: email(50) } });
    await distributor.refused(400, update, { params: { id }, json: { ...json, email: email(51) } });
    await distributor.ok(update, { params: { id }, json });
  });

  ours('[end-user-create-email-length] sets no such limit when an end user is created', async () => {
    await distributor.ok(create, { json: body({ email: `${unique('e')}@example.com`.padStart(60, 'e') }) });
  });

  ours('[end-user-no-get] shows an end user by no GET, and does not find an address that is not verified', async () => {
    const email = `${unique('e')}@example.com`;
    const { id } = await distributor.ok(create, { json: body({ email }) });
    await distributor.refused(404, 'GET /v1/users/{id}', { params: { id } });
    await distributor.refused(404, 'GET /v1/users/userId/{email}', { params: { email } });
  });

  ours('[end-user-email-unique] refuses an e-mail address with 400 that another person has', async () => {
    const email = `${unique('e')}@example.com`;
    await distributor.ok(create, { json: body({ email }) });
    await distributor.refused(400, create, { json: body({ email }) });
    const { id } = await newEndUser(distributor);
    const json = { firstName: 'A', lastName: 'B', email };
    await distributor.refused(400, update, { params: { id }, json });
  });

  ours('[end-user-is-no-user] refuses to update a user of an organization as an end user with 404', async () => {
    const { id } = await newUser(publisher, await organizationOf(publisher));
    await publisher.refused(404, update, { params: { id }, json: { firstName: 'A', lastName: 'B' } });
  });
});
