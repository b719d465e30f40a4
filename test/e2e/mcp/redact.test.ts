/** `edu mcp --redact`: people have pseudonyms, which plans may use. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ENTRIES } from '../../../src/commands/index.js';
import { usableCommands } from '../../../src/commands/mcp/usable-commands.js';
import { type Answered, accepting, assistant } from '../../support/assistant.js';
import { recordingServer } from '../../support/recording-server.js';
import { home, run } from '../../support/run.js';
import { skipWaits } from '../../support/skip-waits.js';

skipWaits();

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
    expect(users.notes).toEqual([expect.stringMatching(/^Note: cut/), expect.stringContaining('are pseudonyms here')]);
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
  const { call } = await assistant(['--offline', '--redact', '--allow-apply'], { env, person: accepting });
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
  const paths = async (isRedacted: boolean) =>
    (await usableCommands(ENTRIES, { groups: [], isRedacted })).map(({ path }) => path);
  const all = await paths(false);
  const some = new Set(await paths(true));
  expect(all.filter((path) => !some.has(path))).toEqual([
    ...['readers list', 'readers get', 'users modifications', 'users last-login'],
  ]);
});

describe('pseudonyms', () => {
  const USER = { email: 'mia@s1.example', firstName: 'Mia', lastName: 'Brandt', school: 's1', roles: ['Teacher'] };
  const changed = { users: [{ ...USER, firstName: 'Maja' }] };

  it('are refused where the session has not read the person', async () => {
    const { call, env } = await assistant(['--offline', '--redact']);
    const unread = { isError: true, error: { kind: 'usage', message: expect.stringContaining('not been read') } };
    const email = 'person-0123456789@redacted.example';
    expect(await call('read', { command: 'users find', arguments: [email] })).toMatchObject(unread);
    expect(await call('plan', { want: { users: [{ ...USER, email }] } })).toMatchObject(unread);
    const row = { 'first-name': 'Given-0123456789', 'last-name': 'B', email: 'new@s1.example', role: 'Teacher' };
    const flags = { organization: 's1', language: 'EN' };
    expect(await call('plan', { command: 'users create', flags, rows: [row] })).toMatchObject(unread);
    expect((await run(['--offline', 'users', 'find', 'new@s1.example'], { env })).code).toBe(5);
  });

  it('are shown in the reversal of what a person applied, whose file for a person has the real values', async () => {
    const env = home();
    const made = await assistant(['--offline'], { env });
    const applied = async (want: Answered): Promise<string> => {
      const { person_runs: line, hash } = await made.call('plan', { want });
      expect((await run(line.split(' ').slice(1), { env, randomBytes })).code).toBe(0);
      return hash;
    };
    await applied({ users: [USER] });
    const hash = await applied(changed);
    const { call } = await assistant(['--offline', '--redact'], { env });
    const undo = await call('plan', { undo: hash });
    expect(undo.text).toMatch(/firstName Given-\w+ → Given-\w+/);
    expect(JSON.stringify(undo)).not.toMatch(/Mia|Maja|Brandt/);
    const [, file = ''] = /^edu apply (\S+)/.exec(undo.person_runs) ?? [];
    expect(readFileSync(file, 'utf8')).toContain('"firstName":"Mia"');
  });

  it.each([
    [
      'compressed',
      false,
      { headers: { 'content-encoding': 'gzip' }, body: gzipSync(JSON.stringify({ ...USER, id: 'u1' })) },
    ],
    ['of another type', false, { body: { ...USER, id: 'u1', email: ['mia@s1.example'], avatar: 'mia.png' } }],
    ['that are a text', true, { body: '"mia@s1.example"' }],
    ['with a text for a list', false, { body: { ...USER, id: 'u1', roles: ['mia@s1.example'] } }],
    ['that are not JSON', true, { body: '<p>Mia Brandt mia@s1.example</p>' }],
    ['that are cut', true, { body: '{"id":"u1","firstName":"Mia' }],
    ['with errors', true, { status: 400, body: { message: 'Mia Brandt is mia@s1.example' } }],
  ])('replace the people in responses %s', async (_, isError, reply) => {
    const server = await recordingServer(() => reply);
    const env = { ...home(), EDU_TOKEN: 'token' };
    const { call } = await assistant(['--redact', '--base-url', server.origin], { env });
    const answer = await call('read', { command: 'users get', arguments: ['id:u1'] });
    await server.close();
    expect(server.requests.length).toBeGreaterThan(0);
    expect(JSON.stringify(answer)).not.toMatch(/mia|brandt/i);
    expect(answer).toMatchObject({
      isError,
      ...(isError ? {} : { data: [{ id: 'u1', firstName: expect.stringMatching(/^Given-/) }] }),
    });
  });
});
