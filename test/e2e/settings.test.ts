/** Every setting of a profile changes what the program does. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SETTING_NAMES, type SettingName } from '../../src/settings/keys.js';
import type { Reply } from '../support/recording-server.js';
import { home, run, temporaryFolder } from '../support/run.js';
import { type Answers, existing, scriptedService } from '../support/scripted-service.js';
import { skipWaits } from '../support/skip-waits.js';

skipWaits();

const LOGIN = ['auth', 'login', '--no-browser', '--timeout', '10ms'];
const NOWHERE = 'http://127.0.0.1:9';
const CALLBACK = 'http://127.0.0.1:18976/callback';
const LOGIN_SETTINGS = { 'base-url': NOWHERE, 'client-id': 'abc', 'callback-url': CALLBACK };
const SCHOOL = { id: 's1', name: 'A', country: 'CH', city: 'B', roles: [] };
const ACCOUNT = { id: 'u1', email: 'a@b.example', roles: [] };
const LISTED: Answers = {
  'GET /v1/account': { body: ACCOUNT },
  'GET /v1/users/u1': { body: { ...ACCOUNT, organization: { id: 'd1', type: 'Distributor' } } },
  'GET /v1/schools': { body: { schools: Array.from({ length: 40 }, (_, at) => ({ ...SCHOOL, id: `s${at + 1}` })) } },
  ...existing('schools/s7', 'publishers/s7'),
  '*': { body: { users: [], subjects: [] } },
};

/** Takes 20 ms; service and program share a process, so that the timer of the program is due before the response. */
function slowly(): Reply {
  const end = performance.now() + 20;
  while (performance.now() < end);
  return { body: { schools: [SCHOOL] } };
}

/** Unavailable for the first requests. */
function busyFor(count: number): Answers {
  let left = count;
  return {
    '*': () => (left-- > 0 ? { status: 503, headers: { 'retry-after': '0' }, body: {} } : { body: { schools: [] } }),
  };
}

interface Case {
  readonly value: string;
  readonly argv: readonly string[];
  /** Other settings that the command needs. */
  readonly beside?: Readonly<Record<string, string>>;
  readonly answers?: Answers | (() => Answers);
  /** What the output and the requests contain only with the setting. */
  readonly shows: RegExp;
}

const CASES: Readonly<Record<Exclude<SettingName, 'pager' | 'token-command'>, Case>> = {
  'base-url': { value: `${NOWHERE}/other`, argv: ['schools', 'list', '--retries', '0'], shows: /127\.0\.0\.1:9/ },
  'client-id': { value: 'cid7', argv: LOGIN, beside: LOGIN_SETTINGS, shows: /client_id=cid7/ },
  'callback-url': {
    value: 'http://127.0.0.1:18977/callback',
    argv: LOGIN,
    beside: LOGIN_SETTINGS,
    shows: /redirect_uri=[^&]*18977/,
  },
  'exact-callback': {
    value: 'true',
    argv: LOGIN,
    beside: LOGIN_SETTINGS,
    shows: /redirect_uri=[^&\s]*%2Fcallback[&\s]/,
  },
  organization: {
    value: 's7',
    argv: ['users', 'list', '--organization-type', 'School'],
    answers: LISTED,
    shows: /organization=s7/,
  },
  'organization-type': {
    value: 'Publisher',
    argv: ['users', 'list'],
    beside: { organization: 's7' },
    answers: LISTED,
    shows: /type=Publisher/,
  },
  language: { value: 'DE', argv: ['books', 'subjects'], answers: LISTED, shows: /language=DE/ },
  output: { value: 'json', argv: ['schools', 'list'], answers: LISTED, shows: /"id": "s1"/ },
  'page-size': { value: '7', argv: ['schools', 'list'], answers: LISTED, shows: /limit=7/ },
  timeout: {
    value: '1ms',
    argv: ['schools', 'list', '--retries', '0'],
    answers: { ...LISTED, 'GET /v1/schools': slowly },
    shows: /1 ?ms|1 millisecond/,
  },
  retries: { value: '0', argv: ['schools', 'list'], answers: () => busyFor(1), shows: /503/ },
  'max-wait': { value: '1ms', argv: ['schools', 'list'], answers: () => busyFor(3), shows: /503/ },
  browser: {
    value: '/nowhere/my-browser',
    argv: ['books', 'edit', 'b1'],
    answers: { ...existing('books/b1'), '*': { body: { url: 'https://editor.example/x' } } },
    shows: /my-browser/,
  },
};

async function shownBy({ argv, answers }: Case, settings: Readonly<Record<string, string>>): Promise<string> {
  const folders = { ...home(), EDU_CLIENT_SECRET: 'secret', EDU_CALLBACK_URL: '' };
  for (const [name, value] of Object.entries(settings)) {
    expect(await run(['config', 'set', name, value], { env: folders })).toMatchObject({ code: 0 });
  }
  const service = answers && (await scriptedService(typeof answers === 'function' ? answers() : answers));
  const { stdout, stderr } = await run(argv, { env: { ...folders, EDU_MAX_WAIT: '', ...service?.env } });
  const urls = service?.requests.map(({ url }) => url) ?? [];
  return `${stdout}${stderr}\n${urls.join('\n')}\n${urls.length} requests\n`;
}

test.each(Object.entries(CASES))('%s', async (name, one) => {
  const { value, beside = {}, shows } = one;
  expect(await shownBy(one, { ...beside, [name]: value })).toMatch(shows);
  const { [name]: _, ...without } = beside as Record<string, string>;
  expect(await shownBy(one, without)).not.toMatch(shows);
});

test('pager', async () => {
  const [program, record] = [join(temporaryFolder(), 'program'), join(temporaryFolder(), 'record')];
  writeFileSync(program, `#!/bin/sh\ncat > "${record}"\n`);
  chmodSync(program, 0o755);
  const env = { ...home(), PATH: process.env.PATH ?? '', PAGER: 'cat' };
  await run(['config', 'set', 'pager', program], { env });
  const { env: service } = await scriptedService(LISTED);
  await run(['schools', 'list'], { env: { ...env, ...service }, terminal: 80 });
  expect(readFileSync(record, 'utf8')).toContain('s1');
  const shown = await run(['config', 'get', 'pager'], { env: { ...env, EDU_PAGER: 'more' } });
  expect([shown.code, shown.stdout]).toEqual([0, 'more\n']);
});

test('every setting has a case', () => {
  expect(Object.keys(CASES).concat('pager', 'token-command').toSorted()).toEqual([...SETTING_NAMES].toSorted());
});

test.each([
  ['--offline=false', { EDU_OFFLINE: '1' }, ['schools', 'list', '-o', 'ids'], { stdout: 's1\n', stderr: '' }],
  ['--debug=false', { EDU_DEBUG: '1' }, ['schools', 'list', '-o', 'ids'], { stdout: 's1\n', stderr: '' }],
  [
    '--plain=false',
    { EDU_PLAIN: '1', FORCE_COLOR: '1' },
    ['schools', 'get', 's7', '-o', 'table'],
    { stdout: expect.stringContaining('\x1b[') },
  ],
])('%s wins over %j', async (flag, more, argv, shown) => {
  const { env } = await scriptedService({ ...LISTED, 'GET /v1/schools': { body: { schools: [SCHOOL] } } });
  expect(await run([...argv, flag], { env: { ...env, ...more } })).toMatchObject({ code: 0, ...shown });
});

test.each([
  [{ EDU_OFFLINE: '1' }, [], '--base-url does not apply: EDU_OFFLINE is set.'],
  [{}, ['--offline'], '--base-url cannot be given together with --offline; use one of them.'],
])('--base-url is refused with %j %j', async (more, flags, message) => {
  const ran = await run(['schools', 'list', '--base-url', NOWHERE, ...flags], { env: { ...home(), ...more } });
  expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
});

test('an invalid setting is shown by the commands that correct it', async () => {
  const env = home();
  mkdirSync(env.EDU_CONFIG_DIR, { recursive: true });
  const profiles = { default: { language: 'xx', output: 'yy' } };
  writeFileSync(join(env.EDU_CONFIG_DIR, 'settings.json'), JSON.stringify({ profiles }));
  const { stdout, code } = await run(['config', 'list', '--fields', 'name,value'], { env });
  expect([code, stdout]).toEqual([0, expect.stringContaining('language\txx\noutput\tyy\n')]);
  expect(await run(['config', 'get', 'language'], { env })).toMatchObject({ code: 0, stdout: 'xx\n' });
  expect(await run(['roles', 'list'], { env })).toMatchObject({ code: 2 });
});
