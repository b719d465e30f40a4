/** Attack: settings, credentials and secrets that another user of the machine wrote, or could have written. */

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultCategory, storeDefaultCategory } from '../../src/settings/remembered.js';
import { asOther, explainSkipped, OTHER, testAsRoot } from '../support/other-user.js';
import { run, temporaryFolder } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';

interface Planted {
  readonly folder: string;
  readonly file: string;
  /** The program in the settings writes this file. */
  readonly ran: string;
  /** Runs a command that would send the token and start the program. */
  readonly attacked: () => Promise<{ readonly code: number; readonly stderr: string; readonly requests: number }>;
}

/** Settings that send the token to a service of the attacker, and run a program. */
async function plant(): Promise<Planted> {
  const service = await scriptedService({
    'GET /v1/books/1': { body: { id: '1', title: 'Fractions' } },
    '*': { body: { url: 'https://editor.example/' } },
  });
  const base = temporaryFolder();
  const [folder, ran, program] = [join(base, 'config'), join(base, 'ran'), join(base, 'program')];
  mkdirSync(folder, { mode: 0o700 });
  chmodSync(base, 0o755);
  writeFileSync(program, `#!/bin/sh\nprintf %s "$SHOWN$EDU_TOKEN" > '${ran}.new' && mv '${ran}.new' '${ran}'\n`, {
    mode: 0o700,
  });
  const file = join(folder, 'settings.json');
  const settings = { profiles: { default: { 'base-url': service.baseUrl, browser: program } } };
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  const env = {
    EDU_CONFIG_DIR: folder,
    EDU_STATE_DIR: join(base, 'state'),
    EDU_TOKEN: 'token-of-the-victim',
    SHOWN: 'shown',
  };
  return {
    folder,
    file,
    ran,
    attacked: async () => {
      const ended = await run(['books', 'edit', '1'], { env });
      // The program runs on its own, and must have ended before the folder is removed.
      if (ended.code === 0) {
        await expect.poll(() => existsSync(ran), { timeout: 10_000 }).toBe(true);
        // The program has the environment without its secrets.
        expect(readFileSync(ran, 'utf8')).toBe('shown');
      }
      return { ...ended, requests: service.requests.length };
    },
  };
}

async function expectRefused({ attacked, ran }: Planted, message: string): Promise<void> {
  const { code, stderr, requests } = await attacked();
  expect({ code, requests }).toEqual({ code: 2, requests: 0 });
  expect(stderr).toContain(message);
  expect(existsSync(ran)).toBe(false);
}

describe.skipIf(process.platform === 'win32')('settings that others can write', () => {
  test('settings that only this user can write are used', async () => {
    const planted = await plant();
    expect(await planted.attacked()).toMatchObject({ code: 0, requests: 2 });
  });

  test.each([0o606, 0o660, 0o622])('a file with mode %o is refused with the chmod to run', async (mode) => {
    const planted = await plant();
    chmodSync(planted.file, mode);
    await expectRefused(planted, `chmod go-w ${planted.file}`);
  });

  test.each([0o707, 0o770, 0o1777])('a folder with mode %o is refused with the chmod to run', async (mode) => {
    const planted = await plant();
    chmodSync(planted.folder, mode);
    await expectRefused(planted, `chmod go-w ${planted.folder}`);
  });

  test('no settings are written into a folder that others can write', async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o777);
    const env = { EDU_CONFIG_DIR: folder, EDU_STATE_DIR: folder };
    const { code, stderr } = await run(['config', 'set', 'language', 'NL'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain(`chmod go-w ${folder}`);
    expect(existsSync(join(folder, 'settings.json'))).toBe(false);
  });

  test('a link to settings is followed, unless others can write to its target', async () => {
    const planted = await plant();
    const dotfiles = temporaryFolder();
    renameSync(planted.file, join(dotfiles, 'edu.json'));
    symlinkSync(join(dotfiles, 'edu.json'), planted.file);
    expect(await planted.attacked()).toMatchObject({ code: 0, requests: 2 });
    chmodSync(dotfiles, 0o777);
    expect(await planted.attacked()).toMatchObject({ code: 2, requests: 2 });
  });
});

describe('settings of another user', () => {
  explainSkipped('settings, links and folders that belong to somebody else');

  const { uid, gid } = OTHER;

  testAsRoot('a file, a folder and a link are refused, by root too', async () => {
    for (const path of ['file', 'folder'] as const) {
      const planted = await plant();
      chownSync(planted[path], uid, gid);
      await expectRefused(planted, `${planted[path]}: it belongs to another user (uid ${uid})`);
    }
    const planted = await plant();
    const target = `${planted.file}.target`;
    renameSync(planted.file, target);
    symlinkSync(target, planted.file);
    lchownSync(planted.file, uid, gid);
    await expectRefused(planted, `${planted.file}: it belongs to another user`);
  });

  testAsRoot('files that another user plants in an open folder are refused', async () => {
    const planted = await plant();
    chmodSync(planted.folder, 0o777);
    asOther(
      `const { renameSync, writeFileSync } = require('node:fs');
       const [file] = process.argv.slice(1);
       renameSync(file, file + '.old');
       writeFileSync(file, '{"profiles":{"default":{"base-url":"http://127.0.0.1:9"}}}', { mode: 0o644 });`,
      planted.file,
    );
    await expectRefused(planted, 'other users can change it');
    chmodSync(planted.folder, 0o755);
    await expectRefused(planted, 'belongs to another user');
  });

  testAsRoot('root writes nothing into a folder of another user', async () => {
    const folder = join(temporaryFolder(), 'config');
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, uid, gid);
    const { baseUrl } = await scriptedService({ '*': { body: { id: '1', email: 'anna@example.com' } } });
    const env = { EDU_BASE_URL: baseUrl, EDU_CONFIG_DIR: folder, EDU_STATE_DIR: join(folder, 'state') };
    const set = await run(['config', 'set', 'language', 'NL'], { env });
    expect(set).toMatchObject({ code: 2, stderr: expect.stringContaining('belongs to another user') });
    const login = await run(['auth', 'login', '--with-token'], { env, input: 'token' });
    expect(login).toMatchObject({ code: 4, stderr: expect.stringContaining('belongs to another user') });
    expect(existsSync(join(folder, 'private', 'credentials.json'))).toBe(false);
  });
});

/** Folders with a job, an applied plan and offline data. */
async function used() {
  const env = { EDU_CONFIG_DIR: temporaryFolder(), EDU_STATE_DIR: temporaryFolder() };
  const folder = temporaryFolder();
  const [input, want, plan] = [join(folder, 'rows.csv'), join(folder, 'schools.csv'), join(folder, 'plan.ndjson')];
  writeFileSync(input, 'name,type,maximum-activations\nA,Teacher,1\n');
  writeFileSync(want, 'name,country,city\nNew,NL,Delft\n');
  const create = ['--offline', 'licenses', 'create', '--from', input, '-q'];
  expect((await run(create, { env })).code).toBe(0);
  await run(['--offline', 'plan', want, '--out', plan], { env });
  const confirm = JSON.parse(readFileSync(plan, 'utf8').split('\n')[0] ?? '').hash.slice(0, 8);
  const apply = ['--offline', 'apply', plan, '--confirm', confirm];
  expect((await run(apply, { env, randomBytes })).code).toBe(0);
  const path = (...names: readonly string[]) => join(env.EDU_STATE_DIR, ...names);
  const [job = ''] = readdirSync(path('jobs'));
  const [applied = ''] = readdirSync(path('plans'));
  const show = ['--offline', 'jobs', 'show', job];
  const list = ['--offline', 'schools', 'list'];
  const inJob = readdirSync(path('jobs', job)).map((name) => ({ file: path('jobs', job, name), line: show }));
  const others = [
    { file: path(), line: show },
    { file: path('jobs'), line: ['jobs', 'list'] },
    { file: path('jobs'), line: create.concat('--batch', 'another') },
    { file: path('jobs', job), line: ['jobs', 'list'] },
    { file: path('jobs', job), line: create.concat('--batch', 'next') },
    { file: path(), line: apply },
    { file: path('plans'), line: apply },
    { file: path('plans', applied), line: apply },
    { file: path('plans', applied, 'journal.ndjson'), line: apply },
    { file: path(), line: list },
    { file: path('offline'), line: list },
    { file: path('offline', 'service.db'), line: list },
    { file: path('offline', 'service.db'), line: ['offline', 'reset', '--yes'] },
  ];
  return { env, uses: [...inJob, ...others] };
}

describe.skipIf(process.platform === 'win32')('a file or folder of jobs, plans or offline data', () => {
  test('is refused, with the chmod to run, if others can write it', async () => {
    const { env, uses } = await used();
    for (const { file, line } of uses) {
      const { mode } = statSync(file);
      chmodSync(file, mode | 0o020);
      const { code, stderr } = await run(line, { env, randomBytes });
      expect({ file, code, stderr }).toEqual({
        file,
        code: 2,
        stderr: expect.stringContaining(`chmod go-w ${file}`),
      });
      chmodSync(file, mode);
      expect((await run(line, { env, randomBytes })).code).toBe(0);
    }
  });

  testAsRoot('is refused if another user owns it, by root too', async () => {
    const { env, uses } = await used();
    for (const { file, line } of uses) {
      chownSync(file, OTHER.uid, OTHER.gid);
      const { code, stderr } = await run(line, { env, randomBytes });
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining(`${file}: it belongs to another user`),
      });
      chownSync(file, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    }
  });

  test('is refused if it is a link, unless it is a folder that this user moved', async () => {
    const { env, uses } = await used();
    const target = join(temporaryFolder(), 'moved');
    for (const { file, line } of uses) {
      const mayMove = [env.EDU_STATE_DIR, ...['jobs', 'plans', 'offline'].map((name) => join(env.EDU_STATE_DIR, name))];
      renameSync(file, target);
      symlinkSync(target, file);
      const { code, stderr } = await run(line, { env, randomBytes });
      if (mayMove.includes(file)) expect({ file, code }).toEqual({ file, code: 0 });
      else
        expect({ code, stderr }).toEqual({
          code: 2,
          stderr: expect.stringContaining(`${file}: it is a symbolic link`),
        });
      unlinkSync(file);
      renameSync(target, file);
    }
  });
});

describe.skipIf(process.platform === 'win32')('links planted in an export folder', () => {
  const line = ['--offline', 'export', 'schools', '--to'];

  test('are replaced, not written through, in place of its files', async () => {
    const [folder, kept] = [temporaryFolder(), join(temporaryFolder(), 'kept')];
    writeFileSync(kept, 'kept');
    const names = ['schools.ndjson', 'schools.schema.json', 'manifest.json', 'run.json'];
    expect((await run([...line, folder])).code).toBe(0);
    for (const name of names) {
      if (name !== 'manifest.json') rmSync(join(folder, name));
      for (const end of name === 'manifest.json' ? ['.partial'] : ['', '.partial'])
        symlinkSync(kept, join(folder, name + end));
    }
    expect((await run([...line, folder])).code).toBe(0);
    expect(readFileSync(kept, 'utf8')).toBe('kept');
    for (const name of names) expect(lstatSync(join(folder, name)).isFile()).toBe(true);
  });

  test('are refused in place of its work folder, and nothing is removed from their target', async () => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(elsewhere, 'mine.run'), '');
    symlinkSync(elsewhere, join(folder, '.edu-export'));
    const { code, stderr } = await run([...line, folder]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('is a symbolic link') });
    expect(readdirSync(elsewhere)).toEqual(['mine.run']);
  });

  test('are refused in place of a folder of its copies, and nothing in their target is changed', async () => {
    const [folder, elsewhere] = [temporaryFolder(), join(temporaryFolder(), 'schools')];
    const inParquet = [...line, folder, '--format', 'parquet'];
    expect((await run(inParquet)).code).toBe(0);
    renameSync(join(folder, 'schools'), elsewhere);
    writeFileSync(join(elsewhere, 'part-0.parquet'), 'mine');
    symlinkSync(elsewhere, join(folder, 'schools'));
    const manifest = readFileSync(join(folder, 'manifest.json'), 'utf8');
    for (const again of [[...line, folder], inParquet]) {
      writeFileSync(join(folder, 'manifest.json'), manifest);
      const { code, stderr } = await run(again);
      expect([code, stderr]).toEqual([2, expect.stringContaining('schools: it is a symbolic link')]);
      expect(readFileSync(join(elsewhere, 'part-0.parquet'), 'utf8')).toBe('mine');
    }
  });
});

test.runIf(process.getuid?.() === 0)(
  'a work folder that another user made in an export folder is refused',
  async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, '.edu-export'));
    chownSync(join(folder, '.edu-export'), 12345, 12345);
    const { code, stderr } = await run(['--offline', 'export', 'schools', '--to', folder]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('it belongs to another user (uid 12345)')]);
  },
);

test.skipIf(process.platform === 'win32')('ignores state that others can write', async () => {
  const env = { EDU_STATE_DIR: temporaryFolder() };
  storeDefaultCategory(env, 'https://a.example', '01');
  expect(defaultCategory(env, 'https://a.example')).toBe('01');
  for (const path of [join(env.EDU_STATE_DIR, 'license-categories.json'), env.EDU_STATE_DIR]) {
    chmodSync(path, 0o777);
    expect(defaultCategory(env, 'https://a.example')).toBeUndefined();
    chmodSync(path, 0o700);
  }
  expect(defaultCategory(env, 'https://a.example')).toBe('01');
});

describe.skipIf(process.platform === 'win32')('a secret of licence codes', () => {
  test.each([
    [0o644, 'planted-planted-planted\n', 'chmod 600 '],
    // As a full disk or a power failure leaves it. The same codes could be derived elsewhere.
    [0o600, '\n', 'Cannot use '],
  ])('is refused with mode %o and content %j, with what to do', async (mode, content, advice) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'private'), { mode: 0o700 });
    const file = join(folder, 'private', 'code-secret');
    writeFileSync(file, content);
    chmodSync(file, mode);
    const line = 'licenses create --offline --count 1 --type Teacher --maximum-activations 1 --name N --days 30 --yes';
    const { code, stderr } = await run(line.split(' '), {
      env: { EDU_CONFIG_DIR: folder, EDU_STATE_DIR: join(folder, 'state') },
    });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(advice + file) });
  });
});
