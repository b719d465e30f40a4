/** A caller who may not read their own user, which alone names the organization. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home, run, temporaryFolder } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';

const REMEDY = 'Add --organization ID and --organization-type TYPE.';

test.each([
  [403, 6],
  [404, 5],
])('names the flags that replace it, and takes them as they are: %i', async (status, code) => {
  const service = await scriptedService({
    'GET /v1/account': { body: { id: 'u1', email: 'a@b.example', firstName: 'A', lastName: 'B', roles: [] } },
    'GET /v1/users': { body: { users: [{ id: 'u7' }], paging: { nextCursor: null } } },
    'GET /v1/schools': { body: { schools: [], paging: {} } },
    'GET /v1/publishers': { body: { publishers: [], paging: {} } },
    'GET /v1/users/u1': { status, body: { message: 'no' } },
    '*': { status: 404, body: { message: 'unknown' } },
  });
  const list = (...flags: readonly string[]) =>
    run(['users', 'list', '-o', 'ids', ...flags], { env: { ...home(), ...service.env } });
  const none = await list();
  expect([none.code, none.stderr]).toEqual([code, expect.stringContaining('your organization is not shown: not ')]);
  expect(none.stderr).toContain(`Hint: ${REMEDY}\n`);
  const given = await list('--organization', 'd1', '--organization-type', 'Distributor');
  expect([given.code, given.stdout]).toEqual([0, 'u7\n']);
  expect(service.sent.at(-1)?.query).toMatchObject({ organization: 'd1', type: 'Distributor' });
  // A plan and a roster have no such flags.
  const want = join(temporaryFolder(), 'users.csv');
  writeFileSync(want, 'email,lastName,school,class,first-name\na@b.example,B,S,5a,A\n');
  for (const line of [
    ['plan', want, '--ignore-unknown'],
    ['roster', 'match', want],
  ]) {
    const { code: refused, stderr } = await run(line, { env: { ...home(), ...service.env } });
    expect([refused, stderr]).toEqual([code, expect.stringContaining('Hint: See: edu account show\n')]);
  }
});

test('asks for a school where the own organization, which may be one, is hidden', async () => {
  const service = await scriptedService({
    'GET /v1/account': { body: { id: 'u1', email: 'a@b.example', firstName: 'A', lastName: 'B', roles: [] } },
    '*': { status: 403, body: { message: 'no' } },
  });
  const { code, stderr } = await run(['classes', 'list'], { env: { ...home(), ...service.env } });
  expect([code, stderr]).toEqual([2, expect.stringContaining('--school or --user is missing.')]);
});

test('doubts the base URL, not the organization, where there is no account', async () => {
  const service = await scriptedService({ '*': { status: 404, body: { message: 'no' } } });
  const { code, stderr } = await run(['users', 'list'], { env: { ...home(), ...service.env } });
  expect([code, stderr]).toEqual([5, expect.stringContaining('Hint: Check the base URL: edu config get base-url\n')]);
});
