/** Attacks on the confirmation of plans in `edu mcp`. */
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Answered, accepting, assistant } from '../../support/assistant.js';
import { type Reply, recordingServer } from '../../support/recording-server.js';
import { home, run } from '../../support/run.js';
import { withResolvers } from '../../support/with-resolvers.js';

const USER = { email: 'noor@s1.example', firstName: 'Noor', lastName: 'Azmi', school: 's1', roles: ['Teacher'] };
const ROW = { email: 'ada@s1.example', 'first-name': 'Ada', 'last-name': 'L', role: 'Teacher' };
const CREATE = { command: 'users create', flags: { organization: 's1', language: 'EN' } };

const exists = async (email: string, env: Readonly<Record<string, string>>): Promise<boolean> =>
  (await run(['--offline', 'users', 'find', email], { env })).code === 0;

it('takes no answer to a question that was not asked, or that was answered before', async () => {
  const { client, call, env } = await assistant(['--offline', '--allow-apply'], {
    person: () => ({ action: 'decline' }),
    isModern: true,
  });
  const { hash } = await call('plan', { want: { users: [USER] } });
  const answer = { action: 'accept', content: { hash: hash.slice(0, 4) } };
  const apply = async (inputResponses: Record<string, unknown>): Promise<Answered> =>
    client.request(
      { method: 'tools/call', params: { name: 'apply', arguments: { hash }, inputResponses } } as never,
      { parse: (value: unknown) => value, '~standard': undefined } as never,
    );
  for (const key of ['', 'confirm', 'confirm-1', '__proto__', 'constructor'])
    await apply({ [key]: answer }).catch(() => {});
  const forged = await call('apply', { hash, inputResponses: { confirm: answer } });
  expect(forged.error?.message).toBe('The tool apply has no argument "inputResponses".');
  expect(await exists(USER.email, env)).toBe(false);
});

it('asks for each plan and each time, and sends a plan once', async () => {
  let asked = 0;
  const { call, env } = await assistant(['--offline', '--allow-apply'], {
    person: (question) => {
      asked++;
      return accepting(question);
    },
  });
  const { hash } = await call('plan', { want: { users: [USER] } });
  const [first, second] = await Promise.all([call('apply', { hash }), call('apply', { hash })]);
  const again = await call('apply', { hash });
  expect(asked).toBe(3);
  expect([first, second, again].filter(({ applied }) => applied).length).toBeGreaterThan(0);
  const { stdout } = await run(
    ['--offline', 'users', 'list', '--organization', 's1', '--search', USER.email, '-o', 'ids'],
    { env },
  );
  expect(stdout.trim().split('\n')).toHaveLength(1);
});

it('applies neither a plan whose file was changed nor steps whose items changed since', async () => {
  const env = home();
  const { call } = await assistant(['--offline', '--allow-apply'], { env, person: accepting });
  const { hash, person_runs: line } = await call('plan', { want: { users: [USER] } });
  const [, file = ''] = /^edu apply (\S+)/.exec(line) ?? [];
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll('noor@s1.example', 'evil@s1.example'));
  expect(await call('apply', { hash })).toMatchObject({ applied: false });
  writeFileSync(file, text);
  expect(await call('apply', { hash })).toMatchObject({ applied: true });
  expect([await exists(USER.email, env), await exists('evil@s1.example', env)]).toEqual([true, false]);

  const renamed = (firstName: string) => ({ want: { users: [{ ...USER, firstName }] } });
  const late = await call('plan', renamed('Late'));
  await call('apply', { hash: (await call('plan', renamed('Early'))).hash });
  expect(await call('apply', { hash: late.hash })).toMatchObject({ applied: false, data: [{ done: 0 }] });
  const shown = await run(['--offline', 'users', 'get', USER.email, '--query', 'firstName', '-o', 'tsv'], { env });
  expect(shown.stdout.trim()).toBe('Early');
});

it('sends no other requests than a person confirmed, if a name means another item since', async () => {
  const env = home();
  const rename = (id: string, name: string) => run(['--offline', 'schools', 'update', id, '--name', name], { env });
  const { call } = await assistant(['--offline', '--allow-apply'], { env, person: accepting });
  await rename('s1', 'North');
  const update = { command: 'schools update', rows: [{ school: 'North', city: 'Oslo' }] };
  const { hash, text } = await call('plan', update);
  expect(text).toContain('/schools/s1 ');
  await rename('s1', 'South');
  await rename('s2', 'North');
  expect(await call('apply', { hash })).toMatchObject({
    applied: false,
    why: expect.stringContaining('Call plan again'),
  });
  const again = await call('plan', update);
  expect(again.text).toContain('/schools/s2 ');
  expect(await call('apply', { hash: again.hash })).toMatchObject({ applied: true });
});

it('shows a person what rows say, with nothing hidden or turned around, and short', async () => {
  const asked: string[] = [];
  const { call } = await assistant(['--offline', '--allow-apply'], {
    person: ({ message }) => {
      asked.push(String(message));
      return { action: 'cancel' };
    },
  });
  const name = `A\u202eda\u200b\nConfirmation: nothing is sent${'x'.repeat(900)}`;
  const row = { name, type: 'Teacher', 'maximum-activations': 1, days: 30 };
  const rows = Array.from({ length: 60 }, (_, at) => ({ ...row, code: `hidden${at}` }));
  const { hash, error } = await call('plan', { command: 'licenses create', rows });
  expect(error).toBe(undefined);
  expect(hash).toMatch(/^\w{8}$/);
  await call('apply', { hash });
  const lines = asked[0]?.split('\n') ?? [];
  expect(lines).toHaveLength(42);
  expect(lines.at(-1)).toMatch(/^… 20 more lines\. All: \S+\.rows\.json$/);
  expect(lines[1]).toContain(String.raw`A\u202eda\u200b\nConfirmation`);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(500);
});

it('sends nothing more for a call that was cancelled, running or waiting', async () => {
  const { promise: first, resolve: arrived } = withResolvers();
  const server = await recordingServer(() => {
    arrived();
    return new Promise(() => {});
  });
  const env = { ...home(), EDU_TOKEN: 'token' };
  const { client, call, input, ended } = await assistant(['--base-url', server.origin], { env });
  const stops = Array.from({ length: 20 }, () => new AbortController());
  const asked = { name: 'read', arguments: { command: 'schools get', arguments: ['id:s1'] } };
  const calls = stops.map(({ signal }) => client.callTool(asked, { signal }).catch(() => 'ended'));
  await first;
  for (const stop of stops) stop.abort();
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['ended']));
  expect(await call('explain_error', { exit_code: 2 })).toMatchObject({ exit_code: 2 });
  input.end();
  expect(await ended).toMatchObject({ code: 0 });
  expect(server.requests.length).toBeLessThanOrEqual(4);
  await server.close();
});

it('sends nothing more of a plan whose apply was cancelled', async () => {
  const { promise: first, resolve: arrived } = withResolvers();
  const { promise: released, resolve: release } = withResolvers<Reply>();
  const server = await recordingServer(({ method, url }) => {
    if (method === 'POST') {
      arrived();
      return released;
    }
    if (url === '/v1/account') return { body: { id: 'u1', permissions: [] } };
    if (url === '/v1/users/u1') return { body: { id: 'u1', organization: { id: 's1', type: 'School' } } };
    return { status: 404, body: { message: 'none' } };
  });
  const env = { ...home(), EDU_TOKEN: 'token' };
  const argv = ['--base-url', server.origin, '--allow-apply', '--retries', '0'];
  const { client, call, input, ended } = await assistant(argv, { env, person: accepting });
  const rows = Array.from({ length: 8 }, (_, at) => ({
    name: 'A',
    type: 'Teacher',
    'maximum-activations': 1,
    days: 30,
    code: `cancelled${at}`,
  }));
  const plan = { command: 'licenses create', flags: { concurrency: 2 }, rows };
  const { hash, error } = await call('plan', plan);
  expect(error).toBe(undefined);
  const stop = new AbortController();
  const applied = client.callTool({ name: 'apply', arguments: { hash } }, { signal: stop.signal }).catch(() => 'ended');
  await first;
  stop.abort();
  expect(await applied).toBe('ended');
  // What is under way is finished, so that its outcome is known.
  release({ status: 400, body: { message: 'refused' } });
  input.end();
  expect(await ended).toMatchObject({ code: 0 });
  expect(server.requests.filter(({ method }) => method === 'POST').length).toBeLessThan(3);
  await server.close();
  const { stdout } = await run(['mcp', 'log', '--json', '--query', "[?tool=='apply'].outcome"], { env });
  expect(stdout).toContain('interrupted');
});

it.each([
  ['read', { command: 'licenses list', flags: { constructor: 'x' } }],
  ['read', { command: '__proto__' }],
  ['read', { command: 'constructor toString' }],
  ['read', { cursor: '__proto__.1' }],
  ['read', { command: 'licenses list', flags: { query: '['.repeat(100_000) } }],
  ['read', { command: 'licenses list', flags: { query: '('.repeat(50_000) } }],
  ['read', { command: 'licenses get', arguments: ['x'.repeat(5_000_000)] }],
  ['read', { command: 'licenses get', arguments: Array.from({ length: 1001 }, String) }],
  ['read', { command: 'licenses get', arguments: ['-'] }],
  ['read', { command: 'licenses list', flags: { book: [] } }],
  ['read', { command: 'licenses get', arguments: ['@/etc/passwd'] }],
  ['plan', { want: JSON.parse('{"__proto__":[{"a":1}]}') }],
  ['plan', { want: { users: [JSON.parse('{"__proto__":{"email":"x@s1.example"}}')] } }],
  ['plan', { ...CREATE, rows: [JSON.parse('{"__proto__":{"email":"x@s1.example"}}')] }],
  ['plan', { ...CREATE, rows: [{ ...ROW, email: '@/etc/passwd' }] }],
  ['plan', { ...CREATE, rows: [{ ...ROW, from: '/etc/passwd' }] }],
  ['plan', { ...CREATE, rows: [{ ...ROW, email: { toString: 'x' } }] }],
  ['plan', { want: { users: [USER] }, rows: [ROW] }],
  ['read', { command: 'licenses list', args: ['--limit', '2'] }],
  ['explain_error', { kind: '__proto__' }],
  ['explain_error', { kind: 'constructor' }],
  ['search_commands', { words: 'x'.repeat(501) }],
])('refuses the hostile arguments of %s (%#)', async (tool, args) => {
  const { call } = await assistant(['--offline']);
  const answer = await call(tool, args);
  expect(answer).toMatchObject({ isError: true });
  expect(JSON.stringify(answer)).not.toContain('root:');
  expect(answer.error?.kind ?? 'usage').toMatch(/^(usage|not_found|refused)$/);
});

it('keeps logs and plans private, and logs nothing twice or broken for two sessions at once', async () => {
  const env = { ...home(), EDU_TOKEN: 'token-of-the-person-1234567890' };
  const sessions = await Promise.all([assistant(['--offline'], { env }), assistant(['--offline'], { env })]);
  await Promise.all(
    sessions.flatMap(({ call }) => Array.from({ length: 20 }, (_, at) => call('explain_error', { exit_code: at % 7 }))),
  );
  await sessions[0]?.call('plan', { want: { users: [USER] } });
  const folder = join(env.EDU_STATE_DIR, 'mcp');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const open = files.filter((file) => statSync(file).isFile() && (statSync(file).mode & 0o077) !== 0);
  expect(process.platform === 'win32' ? [] : open).toEqual([]);
  expect(readFileSync(join(folder, 'log.ndjson'), 'utf8')).not.toContain('token-of-the-person');
  const log = await run(['mcp', 'log', '--json'], { env });
  expect(JSON.parse(log.stdout)).toHaveLength(41);

  expect((await run(['jobs', 'prune'], { env })).stderr).not.toContain('plans of assistants');
  const old = new Date(Date.now() - 91 * 86_400_000);
  for (const file of files) utimesSync(file, old, old);
  expect((await run(['jobs', 'prune'], { env })).stderr).toMatch(/1 file of plans of assistants/);
  expect(readdirSync(join(folder, 'plans'))).toEqual([]);
});

it('does nothing that it cannot log', async () => {
  const { call, env } = await assistant(['--offline']);
  await call('explain_error', { exit_code: 2 });
  const { rmSync, mkdirSync } = await import('node:fs');
  const file = join(env.EDU_STATE_DIR ?? '', 'mcp', 'log.ndjson');
  rmSync(file);
  mkdirSync(file);
  expect(await call('plan', { want: { users: [USER] } })).toMatchObject({
    isError: true,
    text: expect.stringContaining('log'),
  });
  expect(readdirSync(join(env.EDU_STATE_DIR ?? '', 'mcp'))).toEqual(['log.ndjson']);
});

it('plans rows of which some would fail, and counts them', async () => {
  const { call } = await assistant(['--offline', '--allow-apply'], { person: accepting });
  const flags = { type: 'Teacher', 'maximum-activations': 1 };
  const rows = [
    { name: 'A', code: 'welcome1' },
    { name: 'B', code: 'new1' },
  ];
  expect(await call('plan', { command: 'licenses create', flags, rows })).toMatchObject({
    hash: expect.any(String),
    text: expect.stringContaining('"new1"'),
    notes: ['1 of 2 rows would fail.', expect.stringMatching(/^row 1: .*name is "Welcome", not "A"/)],
  });
});

it('plans the rows of the page about wanted states, and names the row of a problem', async () => {
  const { call, client } = await assistant(['--offline']);
  const { contents } = await client.readResource({ uri: 'edu://help/planning' });
  const page = JSON.stringify(contents[0]).replaceAll('autumn26', 'welcome1');
  const examples = [...JSON.parse(page).text.matchAll(/^(\w+): (\{.*\})/gm)];
  expect(examples.map(([, name]) => name)).toEqual(['users', 'classes', 'licenses']);
  const want = Object.fromEntries(examples.map(([, name, row]) => [name, [JSON.parse(row)]]));
  expect(await call('plan', { want })).toMatchObject({ isError: false, text: expect.stringContaining('+ user') });
  for (const given of [
    { ...CREATE, rows: [ROW, { ...ROW, email: '' }] },
    { want: { users: [USER, { ...USER, language: [] }] } },
  ])
    expect(await call('plan', given)).toMatchObject({
      error: { details: [{ where: expect.stringMatching(/line 2/) }] },
    });
});
