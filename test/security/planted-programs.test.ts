/** Attack: a program with a common name is in the current folder, and PATH contains "." or an empty entry. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';
import { EDU, surroundings } from '../support/spawned.js';

const NAMES = ['xdg-open', 'evil', 'open', 'sh'];

/**
 * Plants programs that record their arguments.
 * @returns the folder, and the file that they write
 */
function plant(): { readonly folder: string; readonly ran: string } {
  const folder = temporaryFolder();
  const ran = join(folder, 'ran');
  for (const name of NAMES) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "$0 $* $EDU_TOKEN" >> '${ran}'\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return { folder, ran };
}

async function editBook(cwd: string, env: Record<string, string>): Promise<string> {
  const { env: service } = await scriptedService({
    'GET /v1/books/1': { body: { id: '1', title: 'Fractions' } },
    'GET /v1/books/1/editor': { body: { url: 'https://editor.example/?once=1' } },
  });
  const child = spawn(process.execPath, [EDU, 'books', 'edit', '1'], {
    cwd,
    env: { ...surroundings(), ...service, DISPLAY: ':9', ...env },
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += chunk));
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  return out;
}

test.each([
  ['the program of the system', {}],
  ['a program of EDU_BROWSER', { EDU_BROWSER: 'evil' }],
  ['a relative path in EDU_BROWSER', { EDU_BROWSER: './evil' }],
])('%s is not run from the current folder', async (_, env) => {
  const { folder, ran } = plant();
  for (const path of ['.:/nonexistent', ':/nonexistent', '/nonexistent:', 'sub:/nonexistent']) {
    expect(await editBook(folder, { ...env, PATH: path })).toContain('https://editor.example/?once=1');
  }
  expect(existsSync(ran)).toBe(false);
});

test.skipIf(process.platform !== 'linux')(
  'a program in an absolute folder is run, without secrets in its environment',
  async () => {
    const { folder, ran } = plant();
    const cwd = join(folder, 'cwd');
    mkdirSync(cwd);
    for (const env of [{}, { EDU_BROWSER: 'evil' }]) await editBook(cwd, { ...env, PATH: `.:${folder}:/usr/bin:/bin` });
    await expect
      .poll(() =>
        existsSync(ran)
          ? readFileSync(ran, 'utf8')
              .trimEnd()
              .split('\n')
              .map((line) => line.trimEnd())
              .sort()
          : [],
      )
      .toEqual([
        `${join(folder, 'evil')} https://editor.example/?once=1`,
        `${join(folder, 'xdg-open')} https://editor.example/?once=1`,
      ]);
  },
);
