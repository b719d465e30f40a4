/** The installed tarball: every command group, serving, bulk jobs, and the service for tests. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { hasNodeSqlite } from '../../src/service/store/sqlite.js';
import { temporaryFolder } from '../support/run.js';
import { EVERY_GROUP, overTheNetwork } from './every-group.js';
import { PATH_WITH_NODE } from './packed.js';
import { served, worldOf } from './program.js';

const run = promisify(execFile);
const project = inject('equipped');
const program = { file: join(project, 'node_modules/.bin/edu'), path: PATH_WITH_NODE };
const { version } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { version: string };

test('installs nothing else and runs no script', () => {
  const modules = join(inject('project'), 'node_modules');
  expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['edu-cli']);
  expect(existsSync(join(modules, 'edu-cli/node_modules'))).toBe(false);
  // npm prints `> edu-cli@1.2.3 postinstall` before it runs one.
  expect(inject('installation')).not.toMatch(/^>/m);
});

test('--version', async () => {
  expect(await worldOf(program).edu(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('--offline works on a Node with SQLite, and names the command that adds SQLite elsewhere', async () => {
  const alone = { ...program, file: join(inject('project'), 'node_modules/.bin/edu') };
  const { node } = process.versions;
  const refusal = {
    code: 1,
    stdout: '',
    stderr:
      `Error: Cannot start the bundled service: Node ${node} has no SQLite.\n` +
      'Hint: Run `npm install libsql@0.5.29`, or use Node 22.13 or later.\n',
  };
  const answer = { code: 0, stdout: 'u1\n', stderr: '' };
  expect(await worldOf(alone).edu(['whoami', '-o', 'ids'])).toEqual(hasNodeSqlite(node) ? answer : refusal);
  expect(await worldOf(program).edu(['whoami', '-o', 'ids'])).toEqual(answer);
});

test('createService says in its message how to add SQLite, because test runners show nothing else', async () => {
  const code = "import { createService } from 'edu-cli/service'; await (await createService()).close();";
  const line = ['--input-type=module', '--eval', code];
  const failed = run(process.execPath, line, { cwd: inject('project') });
  const { stderr } = await failed.catch((error: { readonly stderr: string }) => error);
  const { node } = process.versions;
  if (hasNodeSqlite(node)) expect(stderr).toBe('');
  else expect(stderr).toContain('has no SQLite. Run `npm install libsql@0.5.29`, or use Node 22.13 or later.');
});

describe('every command group', () => {
  test('is tested here', async () => {
    const { stdout } = await worldOf(program).edu(['__complete', '']);
    const words = stdout.trim().split('\n').slice(1);
    expect(Object.keys(EVERY_GROUP).sort()).toEqual(words.map((line) => line.split('\t')[0]).sort());
  });

  test.each(Object.entries(EVERY_GROUP))('%s', async (_, tryIt) => {
    await tryIt(worldOf(program));
  });
});

test('offline serve answers edu and other clients, and stops on SIGTERM', async () => {
  const { ready, stop } = await served(program);
  const answer = await fetch(`${ready.baseUrl}/v1/account`, {
    headers: { authorization: 'Bearer edu-offline-school' },
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ email: 'school@example.org' });
  await overTheNetwork(worldOf({ ...program, isOnline: true }), String(ready.baseUrl));
  expect(await stop()).toMatchObject({ code: 0 });
});

const USE = `
  const service = await createService();
  const answer = await service.fetch('/v1/account', { headers: { authorization: \`Bearer \${service.personas.school}\` } });
  const account = await answer.json();
  console.log(answer.status, account.email);
  service.close();
`;

describe('edu-cli/service', () => {
  test.each([
    ['ESM', 'mjs', `import { createService } from 'edu-cli/service';\n${USE}`],
    ['CommonJS', 'cjs', `const { createService } = require('edu-cli/service');\nvoid (async () => {${USE}})();`],
  ])('works in %s', async (_, extension, source) => {
    const file = join(project, `use.${extension}`);
    writeFileSync(file, source);
    const { stdout } = await run(process.execPath, ['--no-warnings', file], { cwd: project });
    expect(stdout).toBe('200 school@example.org\n');
  });

  const check = async (source: string, options: object) => {
    const folder = temporaryFolder();
    const file = join(project, `check-${Object.values(options).join('-')}.mts`);
    writeFileSync(file, source);
    const typeRoots = [resolve('node_modules/@types')];
    const compilerOptions = { strict: true, noEmit: true, types: ['node'], typeRoots, target: 'es2023', ...options };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
    return run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
  };
  const typed = (source: string, options: object) =>
    check(
      `import { createService } from 'edu-cli/service';\nconst service = await createService();\n${source}`,
      options,
    );

  test.each([
    { module: 'nodenext', moduleResolution: 'nodenext' },
    { module: 'esnext', moduleResolution: 'bundler' },
  ])('has types: %o', async (options) => {
    const right = 'const { status }: Response = await service.fetch("/v1/account");\nservice.advance(status);';
    expect(await typed(right, options)).toBe('');
    expect(await typed('service.advance(true);', options)).toMatch(/TS2345.*'boolean'/);
  });

  test('exports nothing else', async () => {
    const file = join(project, 'deep.mjs');
    writeFileSync(file, "await import('edu-cli/dist/edu.cjs');");
    await expect(run(process.execPath, [file])).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});
