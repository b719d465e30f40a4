/** Updates that would replace fields that the service does not return. */
import { describe, expect, test } from 'vitest';
import { run } from '../../support/run.js';
import { scriptedService } from '../../support/scripted-service.js';

describe('an update that would replace a field that the service did not return', () => {
  const USER = { id: 'u1', firstName: 'A', lastName: 'B' };
  const LICENCE = { id: 'l1', name: 'A', type: 'Books', maximumActivations: 1 };
  const ORGANIZATION = { id: 'd1', type: 'Distributor' };
  const ROLES = { 'GET /v1/roles': { body: { roles: [{ id: 'r2', name: 'R' }] } } };
  const DAYS = { type: 'Days', days: 30, date: null };

  test.each<[string, object, readonly string[], string]>([
    ['roles', { ...USER, organization: ORGANIZATION }, ['users', 'update', 'u1', '--first-name', 'C'], '--role'],
    [
      'some roles',
      { ...USER, organization: ORGANIZATION, roles: [{ id: 'r1' }, { name: 'Admin' }] },
      ['users', 'update', 'u1', '--add-role', 'r2'],
      '--role',
    ],
    ['organization', { ...USER, roles: [] }, ['users', 'update', 'u1', '--first-name', 'C'], '--organization'],
    ['books', { ...LICENCE, books: null, expiration: DAYS }, ['licenses', 'update', 'l1', '--name', 'C'], '--book'],
    ['expiration', { ...LICENCE, books: ['b1'] }, ['licenses', 'update', 'l1', '--name', 'C'], '--days'],
  ])('%s', async (_, shown, words, flag) => {
    const service = await scriptedService({ ...ROLES, '*': { body: shown } });
    const ran = await run(words, { env: service.env });
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(`${flag} is missing, and the service does not return the present value`);
    expect(service.sent.filter(({ line }) => line !== 'GET /v1/roles')).toHaveLength(1);
  });

  test('asks for roles of the new organization of a user, instead of sending those of the present one', async () => {
    const roles = [{ id: 'r1', name: 'R' }];
    const service = await scriptedService({
      ...ROLES,
      'GET /v1/schools/s1': { body: { id: 's1', name: 'S', roles: [] } },
      '*': { body: { ...USER, organization: ORGANIZATION, roles } },
    });
    const update = (...words: readonly string[]) => run(['users', 'update', 'u1', ...words], { env: service.env });
    const move = ['--organization', 's1', '--organization-type', 'School'];
    for (const words of [move, [...move, '--add-role', 'r2'], [...move, '--dry-run']])
      expect(await update(...words)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(
          /^Error: --role is missing: the roles of user u1 .* belong to organization d1\./m,
        ),
      });
    expect(service.sent.filter(({ line }) => !line.startsWith('GET '))).toEqual([]);
    for (const role of ['r2', '']) await update(...move, '--role', role);
    const sent = service.sent.filter(({ line }) => line === 'PUT /v1/users/u1').map(({ json }) => json);
    const organization = { id: 's1', type: 'School' };
    expect(sent).toMatchObject([
      { roles: ['r2'], organization },
      { roles: [], organization },
    ]);
  });

  test('keeps blank roles, and accepts numbers as IDs', async () => {
    const service = await scriptedService({ '*': { body: { ...USER, organization: ORGANIZATION, roles: null } } });
    await run(['users', 'update', 'u1', '--first-name', 'C'], { env: service.env });
    expect(service.sent[1]?.json).toEqual({ firstName: 'C', lastName: 'B', organization: ORGANIZATION, roles: [] });
    const other = await scriptedService({
      ...ROLES,
      '*': { body: { ...USER, organization: ORGANIZATION, roles: [{ id: 7 }] } },
    });
    await run(['users', 'update', 'u1', '--add-role', 'r2'], { env: other.env });
    expect(other.sent.at(-1)?.json).toMatchObject({ roles: ['7', 'r2'] });
  });
});
