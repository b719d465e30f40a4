/** The built program as the system sees it: exit codes, streams, pipes, signals, state between runs. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';
import { DIST, EDU, edu, start, surroundings } from '../support/spawned.js';
import { withResolvers } from '../support/with-resolvers.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

describe('version', () => {
  test.each([['--version'], ['-V'], ['licenses', 'list', '--version']])('edu %s %s %s', async (...argv) => {
    const words = argv.filter((word): word is string => typeof word === 'string');
    expect(await edu(words)).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

test.skipIf(process.env.EDU_PROGRAM !== undefined).each([
  ['16.20.2', false],
  ['18.20.4', false],
  ['20.10.0', false],
  ['20.18.0', false],
  ['20.18.1', true],
  ['20.19.0', true],
  ['21.7.3', false],
  ['22.2.0', false],
  ['22.3.0', true],
  ['24.0.0', true],
])('on Node %s, edu starts: %s; if not, one line names the Node that it needs', async (node, starts) => {
  const file = join(temporaryFolder(), 'version.cjs');
  writeFileSync(file, `Object.defineProperty(process.versions, 'node', { value: '${node}' });`);
  const ran = await edu(['--version'], { node: ['-r', file] });
  if (starts) expect(ran).toMatchObject({ code: 0, stderr: '' });
  else {
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(
      /^Error: Cannot start edu: it needs Node\.js 22\.3 or later, or 20 from 20\.18\.1; .*\n$/,
    );
    expect(ran.stderr).toContain(`this is Node.js ${node} (`);
  }
});

test.skipIf(process.env.EDU_PROGRAM !== undefined)('a part that cannot be loaded is one line', async () => {
  const file = join(temporaryFolder(), 'no-files.cjs');
  const code = `const { readFileSync } = require('node:fs');
    require('node:fs').readFileSync = (path, ...more) => {
      if (String(path).includes('chunks')) throw new Error('EMFILE: too many open files');
      return readFileSync(path, ...more);
    };`;
  writeFileSync(file, code);
  const ran = await edu(['schools', 'list'], { node: ['-r', file] });
  expect(ran).toEqual(
    expect.objectContaining({ code: 1, stdout: '', stderr: 'Error: Cannot run edu: EMFILE: too many open files\n' }),
  );
});

describe('exit codes', () => {
  const answers = {
    'GET /v1/schools/1': { status: 404, body: { message: 'none' } },
    'GET /v1/schools/2': { status: 400, body: { message: 'bad' } },
    'GET /v1/schools/3': { status: 403, body: '' },
    'GET /v1/account': { body: { id: 'u1' } },
    'GET /v1/schools': { body: { schools: [], paging: null } },
  };
  test.each([
    [0, ['schools', 'list']],
    [1, ['api', '/v1/schools/2']],
    [2, ['schools', 'gte']],
    [2, ['schools', 'get', '..']],
    [5, ['schools', 'get', '1']],
    [6, ['schools', 'get', '3']],
  ] as const)('%i', async (code, argv) => {
    const service = await scriptedService(answers);
    const ran = await edu([...argv, '--json'], { env: surroundings(service.env) });
    expect(ran.code).toBe(code);
    if (code !== 0) expect(JSON.parse(ran.stderr)).toHaveProperty('error.kind');
    if (code !== 0) expect(ran.stdout).toBe('');
  });
});

/** Publishers whose JSON is larger than any pipe. */
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index),
    name: `Publisher ${index} ${'x'.repeat(200)}`,
    roles: [],
  }));

describe('pipes', () => {
  test('deliver everything to a reader that starts late', async () => {
    const publishers = many(5000);
    const service = await scriptedService({ 'GET /v1/publishers': { body: { publishers, paging: null } } });
    const child = spawn('sh', ['-c', '"$@" | { sleep 1; wc -l; }', 'sh', process.execPath, EDU, 'publishers', 'list'], {
      env: surroundings(service.env),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let counted = '';
    child.stdout.on('data', (chunk) => {
      counted += chunk;
    });
    await new Promise((resolve) => child.on('close', resolve));
    expect(counted.trim()).toBe('5000');
  });

  test.each(['json', 'ndjson', 'tsv', 'csv', 'table'])('end %s quietly when they are closed', async (format) => {
    const service = await scriptedService({ 'GET /v1/publishers': { body: { publishers: many(5000), paging: null } } });
    const line = '"$@" | head -1 >/dev/null; echo $PIPESTATUS';
    const child = spawn('bash', ['-c', line, 'bash', process.execPath, EDU, 'publishers', 'list', '-o', format], {
      env: surroundings(service.env),
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    await new Promise((resolve) => child.on('close', resolve));
    expect(output).toBe('0\n');
  });

  test('end --help quietly when they are closed', async () => {
    const child = spawn('bash', ['-c', '"$@" | true; echo $PIPESTATUS', 'bash', process.execPath, EDU, '--help'], {
      env: surroundings(),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    await new Promise((resolve) => child.on('close', resolve));
    expect(output).toBe('0\n');
  });
});

describe('signals', () => {
  /** A port that accepts connections and never responds; resolves when a request has arrived. */
  async function silence() {
    const { promise: asked, resolve: heard } = withResolvers();
    const server = createServer((socket) => socket.on('data', () => heard()).on('error', () => {}));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    return { env: { EDU_BASE_URL: `http://127.0.0.1:${port}`, EDU_TOKEN: 'x' }, asked, server };
  }

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('end a command that waits for the service: %s exits %i', async (signal, code) => {
    const { env, asked, server } = await silence();
    const { child, done } = start(['publishers', 'list', '--json'], { env: surroundings(env) });
    await asked;
    child.kill(signal);
    const ran = await done;
    server.close();
    expect(ran).toMatchObject({ code, signal: null, stdout: '' });
    expect(JSON.parse(ran.stderr)).toMatchObject({ error: { kind: code === 130 ? 'interrupted' : 'terminated' } });
  });
});

describe('colours', () => {
  const account = { body: { id: 'u1', email: 'a@b.example', firstName: 'A', lastName: 'B' } };
  const answers = { 'GET /v1/account': account, 'GET /v1/users/u1': { body: { organization: null } } };
  const table = ['whoami', '-o', 'table'];

  test('are off in a pipe, on with FORCE_COLOR, off with NO_COLOR or --no-color', async () => {
    const service = await scriptedService(answers);
    const colours = async (more: Record<string, string>, ...flags: string[]) =>
      (await edu([...table, ...flags], { env: surroundings({ ...service.env, ...more }) })).stdout.includes('\x1b[');
    expect(await colours({})).toBe(false);
    expect(await colours({ FORCE_COLOR: '1' })).toBe(true);
    expect(await colours({ FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
    expect(await colours({ FORCE_COLOR: '1' }, '--no-color')).toBe(false);
  });
});

describe('--offline', () => {
  const create = ['--offline', 'schools', 'create', '--country', 'NL', '--city', 'Delft', '-o', 'ids'];

  test('keeps its state between commands, and prints nothing else on stderr', async () => {
    const env = surroundings();
    const created = await edu([...create, '--name', 'Lyceum of the tests'], { env });
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const id = created.stdout.trim();
    const shown = await edu(['--offline', 'schools', 'get', id, '--json'], { env });
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(shown.stdout)).toMatchObject({ id, name: 'Lyceum of the tests', city: 'Delft' });
    expect((await edu([...create, '--name', 'Lyceum of the tests'], { env })).code).toBe(1);
  });

  test('needs no network and no login', async () => {
    const { code, stdout, stderr } = await edu(['--offline', 'licenses', 'list', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((JSON.parse(stdout) as unknown[]).length).toBeGreaterThanOrEqual(250);
  });

  test('is the same as EDU_OFFLINE=1', async () => {
    expect(
      await edu(['whoami', '--query', 'organization.type'], { env: surroundings({ EDU_OFFLINE: '1' }) }),
    ).toMatchObject({ code: 0, stdout: 'Distributor\n' });
  });

  test('lets several processes write at once', { timeout: 60_000 }, async () => {
    const env = surroundings();
    await edu(['--offline', 'whoami'], { env });
    const names = ['One', 'Two', 'Three', 'Four'];
    const made = await Promise.all(names.map((name) => edu([...create, '--name', `School ${name}`], { env })));
    expect(made.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const { stdout } = await edu(['--offline', 'schools', 'list', '--json', '--query', '[].name'], { env });
    expect(JSON.parse(stdout)).toEqual(expect.arrayContaining(names.map((name) => `School ${name}`)));
  });
});

test('nothing is read from the current folder, and paths with spaces work', async () => {
  const service = await scriptedService({ 'GET /v1/schools': { body: { schools: [], paging: null } } });
  const env = surroundings(service.env);
  const spaced = { ...env, EDU_CONFIG_DIR: `${env.EDU_CONFIG_DIR} with spaces ü` };
  expect((await edu(['config', 'set', 'language', 'NL'], { env: spaced })).code).toBe(0);
  expect(await edu(['config', 'get', 'language'], { env: spaced })).toMatchObject({ code: 0, stdout: 'NL\n' });
  expect(await edu(['schools', 'list', '--json'], { env: spaced })).toMatchObject({ code: 0, stdout: '[]\n' });
});

// The executable takes no flags of Node.
test.skipIf(process.env.EDU_PROGRAM !== undefined)('a user without a home folder can change settings', async () => {
  const missing =
    'const os = process.getBuiltinModule("os"); os.homedir = () => { if (!process.env.HOME) throw Error(); };';
  const { HOME: _, ...env } = surroundings();
  const node = [`--import=data:text/javascript,${encodeURIComponent(missing)}`];
  expect(await edu(['config', 'set', 'language', 'NL'], { env, node })).toMatchObject({ code: 0, stderr: '' });
  expect(await edu(['config', 'get', 'language'], { env, node })).toMatchObject({ code: 0, stdout: 'NL\n' });
});

// The executable contains no source maps.
test.skipIf(process.env.EDU_PROGRAM !== undefined)(
  'with --debug a stack trace names the sources, not the bundle',
  async () => {
    const { code, stderr } = await edu(['--offline', 'licenses', 'get', 'nope', '--debug']);
    expect(code).toBe(5);
    expect(stderr).toMatch(/at .*src[/\\]client[/\\]errors[/\\]refusal\.ts:\d+:\d+/);
    expect(stderr).not.toContain('chunks');
  },
);

test('the built program contains no path of the machine that built it', () => {
  // Cached code was compiled here by a Node that did not build the program, and names this machine.
  const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.\w+$/.test(file) && !file.startsWith('kept'),
  );
  const root = Buffer.from(dirname(dirname(EDU)));
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => readFileSync(join(DIST, file)).includes(root))).toEqual([]);
});
