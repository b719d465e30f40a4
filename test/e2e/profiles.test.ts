/** `edu profiles use NAME`: the default profile, and with --here that of a folder, in the user's own settings. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { home, run } from '../support/run.js';

const HERE = realpathSync('.');

async function world() {
  const env = { ...home(), EDU_TOKEN: 'token-with-20-characters' };
  for (const profile of ['work', 'test'])
    await run(['config', 'set', 'base-url', `https://${profile}.example`, '--profile', profile], { env });
  const status = async (...more: string[]) =>
    JSON.parse((await run(['auth', 'status', '--offline-check', '--json', ...more], { env })).stdout);
  const settings = join(env.EDU_CONFIG_DIR, 'settings.json');
  return { env, status, settings };
}

it('is kept in the settings by the real path of the folder, and holds below it', async () => {
  const { env, status, settings } = await world();
  expect(await run(['profiles', 'use', 'work', '--here'], { env, terminal: 80 })).toMatchObject({
    code: 0,
    stderr: `Profile work is used in ${HERE} and below.\n`,
  });
  const document = JSON.parse(readFileSync(settings, 'utf8'));
  expect(document).toMatchObject({ folders: { [HERE]: 'work' } });
  expect(await status()).toMatchObject({ profile: 'work', folder: HERE, baseUrl: 'https://work.example' });
  expect(await status('--profile', 'test')).toMatchObject({ profile: 'test', folder: null });

  writeFileSync(settings, JSON.stringify({ ...document, folders: { [dirname(HERE)]: 'test', [`${HERE}/x`]: 'work' } }));
  expect(await status()).toMatchObject({ profile: 'test', folder: dirname(HERE) });
});

it('is said before each write on a terminal, and goes with its profile', async () => {
  const { env, settings } = await world();
  const [want, plan] = [join(env.EDU_STATE_DIR, 'schools.csv'), join(env.EDU_STATE_DIR, 'a.plan')];
  mkdirSync(env.EDU_STATE_DIR, { recursive: true });
  writeFileSync(want, 'name,country,city\nNew,NL,Delft\n');
  expect((await run(['plan', want, '--out', plan, '--offline'], { env })).code).toBe(10);
  expect((await run(['schools', 'create', '--from', want, '--offline'], { env, randomBytes })).code).toBe(0);
  const job = (await run(['jobs', 'list', '-o', 'ids'], { env })).stdout.trim();
  await run(['profiles', 'use', 'work', '--here'], { env });
  const document = JSON.parse(readFileSync(settings, 'utf8'));
  writeFileSync(settings, JSON.stringify({ ...document, folders: { ...document.folders, '/x': 'test' } }));
  const nowhere = ['--no-input', '--retries', '0', '--max-wait', '1ms', '--base-url', 'http://127.0.0.1:1'];
  for (const [words, isSaid] of [
    [['licenses', 'delete', 'id:1', '--dry-run'], true],
    [['api', '/v1/licenses/1', '-X', 'DELETE'], true],
    [['api', '/v1/licenses/1'], false],
    [['jobs', 'resume', job], true],
    [['jobs', 'undo', job], true],
    [['apply', plan], true],
  ] as const) {
    const { stderr } = await run([...words, ...nowhere], { env, terminal: 80 });
    expect(stderr.includes(`Profile work, chosen by the folder ${HERE}.`), words.join(' ')).toBe(isSaid);
  }
  expect(await run(['profiles', 'use', 'nosuch', '--here'], { env })).toMatchObject({ code: 2 });
  const removed = await run(['profiles', 'remove', 'work', '--yes'], { env, terminal: 80 });
  expect([removed.code, removed.stderr]).toEqual([0, 'Removed work.\n']);
  const { folders, profiles } = JSON.parse(readFileSync(settings, 'utf8'));
  expect([folders, Object.keys(profiles)]).toEqual([{ '/x': 'test' }, ['test']]);
  expect(await run(['config', 'get', 'profile'], { env })).toMatchObject({ stdout: 'default\n' });
});

it('profiles use sets the default profile', async () => {
  const env = home();
  await run(['config', 'set', 'language', 'DE', '--profile', 'work'], { env });
  expect((await run(['profiles', 'use', 'work'], { env })).code).toBe(0);
  const language = async (more: Record<string, string>, ...words: string[]) =>
    (await run(['config', 'get', 'language', ...words], { env: { ...env, ...more } })).stdout.trim();
  expect(await language({})).toBe('DE');
  expect(await language({}, '--profile', 'default')).toBe('EN');
  expect(await language({ EDU_PROFILE: 'default' })).toBe('EN');
  await run(['profiles', 'use', 'default'], { env });
  expect(await language({})).toBe('EN');
});
