/** `edu mcp install`: the configuration of assistants. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import clients from '../../../src/commands/mcp/clients.json' with { type: 'json' };
import { home, run, temporaryFolder } from '../../support/run.js';

const LIMITS = ['--organization', 's1', '--resources', 'licenses,books'];
const FLAGS = ['--offline', '--as', 'school', '--language', 'DE', '--allow-apply', ...LIMITS];
const ARGS = ['mcp', '--allow-apply', ...LIMITS, '--offline', '--as', 'school', '--language', 'DE'];

it.each(Object.keys(clients))('prints the configuration of %s', async (client) => {
  const { code, stdout } = await run(['mcp', 'install', '--client', client, ...FLAGS]);
  expect(code).toBe(0);
  if (client === 'codex') {
    expect(stdout).toBe(`[mcp_servers.edu]\ncommand = "edu"\nargs = ${JSON.stringify(ARGS)}\n`);
    return;
  }
  const [servers] = Object.values(JSON.parse(stdout)) as { edu: unknown }[];
  expect(servers?.edu).toMatchObject({ command: 'edu', args: ARGS });
});

it('fixes the service and account that the environment chose, which the assistant does not have', async () => {
  const env = home();
  await run(['config', 'set', 'base-url', 'https://work.example', '--profile', 'work'], { env });
  const argsWith = async (more: Record<string, string>, ...words: string[]) => {
    const { stdout } = await run(['mcp', 'install', '--client', 'cursor', ...words], { env: { ...env, ...more } });
    return JSON.parse(stdout).mcpServers.edu.args.slice(1);
  };
  expect(await argsWith({ EDU_PROFILE: 'work' })).toEqual(['--profile', 'work']);
  expect(await argsWith({ EDU_PROFILE: 'work', EDU_OFFLINE: '1' })).toEqual(['--offline']);
  expect(await argsWith({ EDU_PROFILE: 'work' }, '--profile', 'default')).toEqual(['--profile', 'default']);
  expect(await argsWith({ EDU_BASE_URL: 'https://a.example' })).toEqual(['--base-url', 'https://a.example']);
  const plain = { EDU_BASE_URL: 'http://a.example', EDU_INSECURE_HTTP: 'a.example' };
  expect(await argsWith(plain)).toEqual(['--base-url', plain.EDU_BASE_URL, '--insecure-http', 'a.example']);
  await run(['profiles', 'use', 'work', '--here'], { env });
  expect(await argsWith({})).toEqual(['--profile', 'work']);
});

it('adds it to a file, and keeps what is there', async () => {
  const HOME = temporaryFolder();
  const file = join(HOME, '.cursor', 'mcp.json');
  const env = { ...home(), HOME };
  const install = () => run(['mcp', 'install', '--client', 'cursor', '--write', '--offline'], { env, terminal: 300 });
  mkdirSync(dirname(file));
  const stderr = `Wrote ${file}. Start the assistant again to use it.\n`;
  expect(await install()).toMatchObject({ code: 0, stderr });
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')))).toEqual(['mcpServers']);
  writeFileSync(file, '{"other":1,"mcpServers":{"x":{"command":"x"}}}');
  expect((await install()).code).toBe(0);
  const written = {
    other: 1,
    mcpServers: { x: { command: 'x' }, edu: { command: 'edu', args: ['mcp', '--offline'] } },
  };
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(written);
  expect((await install()).code).toBe(0);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(written);

  writeFileSync(file, '{ // mine\n}');
  expect(await install()).toMatchObject({ code: 2, stderr: expect.stringContaining('it is not plain JSON') });
  expect(readFileSync(file, 'utf8')).toBe('{ // mine\n}');
  const toml = await run(['mcp', 'install', '--client', 'codex', '--write'], { env });
  expect(toml).toMatchObject({ code: 2, stderr: expect.stringContaining('only JSON files can be changed') });
});
