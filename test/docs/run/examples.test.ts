/** Runs every example of every help page, with EDU_OFFLINE=1, each with new sample data. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { isGroup } from '../../../src/cli/command.js';
import { everyNode } from '../../../src/commands/index.js';
import { csvFiles, DELTA, manifest, SMALL_11, user11 } from '../../support/roster-files.js';
import { sharedFolder } from '../../support/run.js';
import { workbookOf } from '../../support/workbook.js';
import { zipOf } from '../../support/zip-file.js';

const run = promisify(execFile);
const bin = resolve('bin/edu.js');

/** These wait for a person, a browser or a signal, or need a login; other tests cover them. */
const ELSEWHERE = /edu (auth|login|logout|offline serve|jobs|config|profiles|alias|completion|apply|undo|mcp)\b/;

const folder = sharedFolder();
const seed = join(folder, 'seed');
const exported = join(folder, 'exported');

const lines: string[] = [];
for await (const { loaded } of everyNode()) {
  if (!isGroup(loaded)) lines.push(...Object.values(loaded.examples).filter((line) => !ELSEWHERE.test(line)));
}

const pdf = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';

/** A roster that equals the service's data, in the forms that the examples name. */
function writeRosters(home: string): void {
  const teacher = user11('t1', 'g1', 'teacher', 'Antónia', 'Paixão', 'antonia.paixao.160@s1.example.org');
  const files = csvFiles({
    manifest: manifest('1.1', { ...DELTA, orgs: 'bulk' }),
    orgs: SMALL_11.orgs ?? [],
    users: [(SMALL_11.users ?? [])[0] ?? [], teacher],
    enrollments: [['classSourcedId', 'userSourcedId', 'role']],
  });
  mkdirSync(join(home, 'oneroster'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(home, 'oneroster', name), content);
  writeFileSync(join(home, 'oneroster.zip'), zipOf(csvFiles(SMALL_11)));
  const rows = [
    ['Schule', 'Klasse', 'Rufname', 'last-name'],
    ['Gymnasium', '5a', 'Mia', 'Brandt'],
  ];
  writeFileSync(join(home, 'list.xlsx'), workbookOf({ sheets: [{ name: 'A', rows }] }));
}

beforeAll(async () => {
  mkdirSync(seed);
  const env = { ...process.env, EDU_STATE_DIR: seed, EDU_OFFLINE: '1' };
  await run('node', [bin, 'offline', 'reset'], { env });
  await run('node', [bin, 'export', '--to', exported], { env });
});

describe('examples of help pages', () => {
  it.concurrent.each(lines)('%s', async (line) => {
    const home = mkdtempSync(join(folder, 'run-'));
    const state = join(home, 'state');
    cpSync(seed, state, { recursive: true });
    writeFileSync(join(home, 'fractions.pdf'), pdf);
    writeFileSync(join(home, 'recording.bin'), 'sound');
    writeFileSync(join(home, 'cover.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
    for (const day of ['yesterday', 'today']) cpSync(exported, join(home, day), { recursive: true });
    if (line.startsWith('edu plan')) cpSync(exported, join(home, 'want'), { recursive: true });
    if (line.startsWith('edu roster')) writeRosters(home);
    const env = {
      ...process.env,
      EDU_OFFLINE: '1',
      EDU_STATE_DIR: state,
      EDU_CONFIG_DIR: join(home, 'config'),
      EDU_BROWSER: 'none',
    };
    const result = run('bash', ['-c', `edu() { node ${JSON.stringify(bin)} "$@"; }; set -e; ${line}`], {
      cwd: home,
      env,
    });
    await expect(result, line).resolves.toMatchObject({ stderr: expect.not.stringContaining('Error') });
    rmSync(home, { recursive: true, force: true });
  });
});
