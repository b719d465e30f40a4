/** The calling user, and what roles permit ("Account", "Roles", "Roles and permissions"). */
import { expect, it } from 'vitest';
import { newSchool, organizationOf } from './makers.js';
import { conformance } from './suite.js';

conformance('Account and roles', ({ distributor, publisher, school, viewer, bearing, ours }) => {
  it('[account-of-caller] is the calling user, with the same data as the user of that ID', async () => {
    for (const actor of [distributor, publisher, school, viewer]) {
      const account = await actor.ok('GET /v1/account');
      const user = await actor.ok('GET /v1/users/{id}', { params: { id: account.id } });
      expect(account).toMatchObject({ email: user.email, firstName: user.firstName, lastName: user.lastName });
      expect(account.roles).toEqual(user.roles);
      expect(account).not.toHaveProperty('organization');
    }
  });

  it('[permissions-union] has the union of the permissions of all its roles', async () => {
    for (const actor of [distributor, publisher, school, viewer]) {
      const account = await actor.ok('GET /v1/account');
      const { id, type } = await organizationOf(actor);
      const { roles } = await actor.ok('GET /v1/roles', { query: { organization: id, type } });
      const mine = new Set(account.roles.map((role) => role.id));
      const written = (permission: { resource: string; operation: string }) =>
        `${permission.operation} ${permission.resource}`;
      const union = new Set(roles.filter((role) => mine.has(role.id)).flatMap((role) => role.permissions.map(written)));
      expect(account.permissions.map(written).sort()).toEqual([...union].sort());
    }
  });

  it('[permission-names] includes the documented names: create and update books', async () => {
    const { permissions } = await publisher.ok('GET /v1/account');
    expect(permissions).toEqual(
      expect.arrayContaining([
        { resource: 'Book', operation: 'Create' },
        { resource: 'Book', operation: 'Update' },
      ]),
    );
  });

  it('[organization-default-roles] gives a new organization a default set of roles, with permissions', async () => {
    const made = await newSchool(distributor);
    const { roles } = await distributor.ok('GET /v1/roles', { query: { organization: made.id, type: 'School' } });
    expect(roles.map(({ id, name }) => ({ id, name }))).toEqual(made.roles);
    expect(roles.some((role) => role.permissions.length > 0)).toBe(true);
  });

  ours('[authentication-invalid] refuses an invalid token with 401', async () => {
    for (const token of ['nonsense', 'Bearer', '%00']) await bearing(token).refused(401, 'GET /v1/account');
  });
});
