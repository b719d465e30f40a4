/** Every command with every global flag: each is used, or is a usage error. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Command, Flag, Trait } from '../../src/cli/command.js';
import { isGroup } from '../../src/cli/command.js';
import { GLOBAL_FLAGS } from '../../src/cli/global-flags.js';
import { parse } from '../../src/cli/parser.js';
import { everyNode } from '../../src/commands/index.js';
import { EduError } from '../../src/core/errors.js';
import { home, run } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';

const COMMANDS: { readonly path: string; readonly command: Command }[] = [];
for await (const { path, loaded } of everyNode()) if (!isGroup(loaded)) COMMANDS.push({ path, command: loaded });

/** Of the top-level commands and of rosters, the results are lists, but not of things that can be cut or sorted alike. */
const LISTS = COMMANDS.filter(
  ({ path, command }) => command.prints === 'list' && path.includes(' ') && path !== 'roster plan',
).map(({ path }) => path);
/** Commands with rows; the list of a sync is not rows, since it makes a plan. */
const WRITES = COMMANDS.filter(({ command }) => command.flags?.some(({ name }) => name === 'batch')).map(
  ({ path }) => path,
);
const LOCAL =
  /^(jobs (list|show|remove|prune)|mcp (install|log)|roster check|config (set|unset|path)|profiles|alias|completion|help|diff|offline|auth (logout|token)|logout|version)\b/;

/** The commands for which a flag has a meaning, without other values; written independently of the definitions. */
const TAKES: Readonly<Record<Trait, (path: string, command: Command) => boolean>> = {
  result: (_, { prints }) => prints !== 'nothing',
  list: (path) => LISTS.includes(path) || ['diff', 'doctor'].includes(path),
  limit: (path) => LISTS.includes(path) || ['diff', 'doctor', 'jobs resume', 'jobs retry', 'jobs undo'].includes(path),
  pages: (path) =>
    ['export', 'plan', 'roster plan'].includes(path) ||
    (LISTS.includes(path) && !/^(jobs|config|profiles|alias|mcp) /.test(path)),
  service: (path) => !LOCAL.test(path),
  rows: () => false,
  file: () => false,
};

const VALUES: Readonly<Record<string, string>> = { fields: 'id', query: '@', sort: 'id', limit: '3', 'page-size': '5' };

const wordsOf = ({ name, kind, choices }: Flag): string[] =>
  kind === 'switch'
    ? [`--${name}`]
    : [`--${name}`, VALUES[name] ?? String(choices?.[0] ?? (kind === 'whole' ? 3 : '3s'))];

/** The usage error of a line, or undefined. Missing arguments are detected later. */
function refusal(command: Command, path: string, words: readonly string[]): string | undefined {
  try {
    parse(command, path, words);
    return undefined;
  } catch (error) {
    if (error instanceof EduError && error.kind === 'usage') return error.message;
    throw error;
  }
}

test.each(GLOBAL_FLAGS)('--$name is used by every command or refused', (flag) => {
  for (const { path, command } of COMMANDS) {
    const isTaken = flag.trait === undefined || TAKES[flag.trait](path, command);
    const message = refusal(command, path, wordsOf(flag));
    if (isTaken) expect(message, path).toBeUndefined();
    else
      expect(message ?? `${path} takes it`).toMatch(
        new RegExp(`^${wordsOf(flag).join(' ')} does not apply: "edu ${path}" `),
      );
  }
});

test.each(['yes', 'quiet', 'no-input', 'no-color', 'plain'])('--%s is accepted by every command', (name) => {
  for (const { path, command } of COMMANDS) {
    const alike = command.flags?.find((flag) => `no-${flag.name}` === name);
    expect(refusal(command, path, [`--${name}`, ...(alike ? wordsOf(alike) : [])]), path).toBeUndefined();
  }
});

test.each([
  ['users', 'last-login', 'u2'],
  ['licenses', 'list', '--query', '[].{name: name}'],
  ['licenses', 'list', '--fields', 'code'],
  ['licenses', 'get', '00000001', '--fields', 'EXPIRES'],
  ['config', 'list'],
  ['auth', 'status'],
  ['offline', 'info'],
])('--quiet prints a result without IDs as tsv: %s %s', async (...argv) => {
  const options = { env: { ...home(), EDU_OFFLINE: '1' }, now: () => 0 };
  const plain = await run(argv, options);
  expect(plain).toMatchObject({ code: 0, stdout: expect.stringMatching(/./) });
  expect(await run([...argv, '--quiet'], options)).toEqual({ ...plain, stderr: '' });
});

test.each(['-2w', '-x', '--x'])('every flag with a value takes %s as its value', (value) => {
  for (const { path, command } of COMMANDS) {
    for (const { name, kind } of [...(command.flags ?? []), ...GLOBAL_FLAGS]) {
      if (kind === 'switch') continue;
      const message = refusal(command, path, [`--${name}`, value]) ?? '';
      expect(message, `${path} --${name}`).not.toMatch(/needs a value|unknown flag/i);
    }
  }
});

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('global-flags.ts'))
  .map((name) => readFileSync(join('src', name), 'utf8'));

test.each(GLOBAL_FLAGS)('--$name has an effect', ({ name }) => {
  const use = new RegExp(`'(?:--)?${name}'|\\b(?:values|flags|given|globals)\\.${name}\\b`);
  expect(
    SOURCES.some((text) => use.test(text)),
    `no file of src has '${name}' or values.${name}`,
  ).toBe(true);
});

describe.each(WRITES)('%s', (path) => {
  const command = COMMANDS.find((one) => one.path === path)?.command as Command;
  const bulk = (command.flags ?? []).filter(({ trait }) => trait !== undefined);

  test('accepts flags about rows only for rows', () => {
    expect(bulk.map(({ name }) => name)).toEqual(expect.arrayContaining(['results', 'failed', 'job', 'encoding']));
    for (const flag of [...bulk, ...GLOBAL_FLAGS.filter(({ name }) => name === 'limit')]) {
      expect(refusal(command, path, wordsOf(flag)), flag.name).toContain('does not apply');
      expect(refusal(command, path, ['--from', 'rows.csv', ...wordsOf(flag)]), flag.name).toBeUndefined();
    }
  });
});

test('--sort, --limit and --page-size of edu api need --paginate, and do not apply to edu jobs show', () => {
  const found = (name: string): Command => COMMANDS.find(({ path }) => path === name)?.command as Command;
  for (const words of [
    ['--sort', 'id'],
    ['--limit', '3'],
    ['--page-size', '3'],
  ]) {
    expect(refusal(found('api'), 'api', ['/v1/licenses', ...words])).toContain('does not apply');
    expect(refusal(found('api'), 'api', ['/v1/licenses', '--paginate', ...words])).toBeUndefined();
  }
  expect(refusal(found('jobs show'), 'jobs show', ['autumn', '--limit', '3'])).toContain('does not apply');
});

describe('a list', () => {
  const lines = COMMANDS.filter(({ path }) => LISTS.includes(path)).map(({ command }) => {
    const line = Object.values(command.examples).find((one) => !/["'|&$]/.test(one));
    return (line ?? '').split(' ').slice(1);
  });

  test.each(lines)('%s %s accepts --limit and --query as a list', async (...words) => {
    const options = { env: { ...home(), EDU_OFFLINE: '1' }, now: () => 0 };
    const argv = words.filter((word) => word !== '--json');
    const all = await run([...argv, '-o', 'ndjson'], options);
    const one = await run([...argv, '-o', 'ndjson', '--limit', '1'], options);
    expect(one.code).toBe(all.code);
    expect(one.stdout).toBe(all.stdout.split(/(?<=\n)/)[0] ?? '');
    if (all.stdout.split('\n').length > 2) expect(one.stderr).toMatch(/cut by --limit after 1 /);
    expect((await run([...argv, '--query', 'type(@)'], options)).stdout).toBe('array\n');
  });
});

test('settings in the environment are not treated as flags', async () => {
  const { env } = await scriptedService({ 'GET /v1/licenses/1': { body: { id: '1' } } });
  expect((await run(['completion', 'bash'], { env: { ...env, EDU_OUTPUT: 'json' } })).code).toBe(0);
});

test('a flag that does not apply sends nothing', async () => {
  const service = await scriptedService({});
  const ended = await run(['licenses', 'delete', '1', '2', '--limit', '1', '--yes'], { env: service.env });
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain('--limit 1 does not apply: "edu licenses delete" prints no list');
  expect(service.sent).toEqual([]);
});

test('offline serve --seed without --memory names the seed', async () => {
  const { code, stderr } = await run(['offline', 'serve', '--seed', 'school'], { env: home() });
  const missing = await run(['offline', 'serve', '--import', 'nodir'], { env: home() });
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('Cannot load nodir: there is no such')]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--seed school needs --memory')]);
});
