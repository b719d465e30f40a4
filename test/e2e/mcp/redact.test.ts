/** `edu mcp --redact`: people have pseudonyms, which plans may use. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ENTRIES } from '../../../src/commands/index.js';
import { usableCommands } from '../../../src/commands/mcp/usable-commands.js';
import { type Answered, assistant } from '../../support/assistant.js';
import { home, run } from '../../support/run.js';

const PSEUDONYM = /^person-[0-9a-f]{10}@redacted\.example$/;

/** All names and addresses of the users of a school. */
async function realOnes(env: ReturnType<typeof home>): Promise<string[]> {
  const { stdout } = await run(['--offline', 'users', 'list', '--organization', 's1', '--json'], { env });
  return JSON.parse(stdout).flatMap(({ email, firstName, lastName }: Answered) => [
    email,
    `"${firstName}"`,
    `"${lastName}"`,
  ]);
}

it('shows no name or address, the same pseudonyms in every session, and keeps IDs', async () => {
  const env = home();
  const real = await realOnes(env);
  const seen: Answered[] = [];
  for (const _ of [1, 2]) {
    const { call, client } = await assistant(['--offline', '--redact'], { env });
    const users = await call('read', { command: 'users list', flags: { organization: 's1', limit: 40 } });
    expect(users.data[0]).toMatchObject({
      email: expect.stringMatching(PSEUDONYM),
      firstName: expect.stringMatching(/^Given-/),
      lastName: expect.stringMatching(/^Family-/),
    });
    const licence = await client.callTool({
      name: 'read',
      arguments: { command: 'licenses get', arguments: ['code:welcome1'] },
    });
    const text = JSON.stringify([users, licence]);
    expect(real.filter((one) => text.includes(one))).toEqual([]);
    seen.push(users.data);
  }
  expect(seen[0]).toEqual(seen[1]);
});

it('maps pseudonyms back in what is read, planned and sent, and in the file for a person', async () => {
  const env = home();
  const person = ({ message }: { message?: unknown }) => ({
    action: 'accept' as const,
    content: { hash: String(message).slice(11, 15) },
  });
  const { call } = await assistant(['--offline', '--redact', '--allow-apply'], { env, person });
  const { data } = await call('read', { command: 'users list', flags: { organization: 's1', limit: 1 } });
  const [{ id, email, lastName, roles }] = data;
  expect(await call('read', { command: 'users get', arguments: [email] })).toMatchObject({ data: [{ id, email }] });

  const { stdout } = await run(['--offline', 'users', 'get', id, '--json'], { env });
  const real = JSON.parse(stdout);
  const users = [
    { email, firstName: 'Changed', lastName, school: 's1', roles: roles.map(({ name }: Answered) => name) },
  ];
  const plan = await call('plan', { want: { users } });
  expect(JSON.stringify(plan)).not.toContain(real.email);
  const [, file = ''] = /^edu apply (\S+)/.exec(plan.person_runs) ?? [];
  expect(readFileSync(file, 'utf8')).toContain(`"lastName":"${real.lastName}"`);

  const applied = await call('apply', { hash: plan.hash });
  expect(applied).toMatchObject({ applied: true });
  expect(JSON.parse((await run(['--offline', 'users', 'get', id, '--json'], { env, randomBytes })).stdout)).toEqual({
    ...real,
    firstName: 'Changed',
  });
});

it('withholds messages of the service, and commands with unknown fields', async () => {
  const { call } = await assistant(['--offline', '--redact']);
  const rows = [{ email: 'school@example.org', 'first-name': 'A', 'last-name': 'B', role: 'Teacher' }];
  const plan = await call('plan', { command: 'users create', flags: { organization: 's1', language: 'EN' }, rows });
  expect(JSON.stringify(plan)).not.toMatch(/Dvo/);
  const paths = async (isRedacted: boolean) => (await usableCommands(ENTRIES, { isRedacted })).map(({ path }) => path);
  const all = await paths(false);
  const some = new Set(await paths(true));
  expect(all.filter((path) => !some.has(path))).toEqual([
    ...['readers list', 'readers get', 'users modifications', 'users last-login'],
  ]);
});
