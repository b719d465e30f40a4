/** Pipes, devices, folders and files without end in place of rosters, plans, imports and uploaded files: one error at once. */
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ODD, replace } from '../support/odd-files.js';
import { temporaryFolder } from '../support/run.js';
import { edu, surroundings } from '../support/spawned.js';

const CREATE = ['licenses', 'create', '--offline', '--type', 'Teacher', '--maximum-activations', '1', '--days', '30'];
const ROW = 'name\nAutumn\n';

describe.skipIf(process.platform === 'win32').each(Object.keys(ODD))('%s', (odd) => {
  test.each([
    ['data to import', 'data.json', ['offline', 'import', 'data.json']],
    ['the manifest of a seed', 'seed/manifest.json', ['offline', 'serve', '--memory', '--port', '0', '--seed', 'seed']],
    ['a roster', 'roster/list.csv', ['roster', 'check', 'roster/list.csv', '--offline']],
    ['a file of a roster', 'roster/orgs.csv', ['roster', 'check', 'roster', '--offline']],
    ['a roster in an archive', 'roster/roster.zip', ['roster', 'check', 'roster/roster.zip', '--offline']],
    ['a wanted state', 'want/schools.ndjson', ['plan', 'want', '--offline']],
    ['a plan', 'plan.ndjson', ['apply', 'plan.ndjson', '--offline', '--confirm', '01234567']],
    ['a receipt', 'receipt.ndjson', ['undo', 'receipt.ndjson', '--offline']],
  ])('is refused as %s', async (_, name, line) => {
    const folder = temporaryFolder();
    for (const made of ['seed', 'roster', 'want']) mkdirSync(join(folder, made));
    replace(join(folder, name), odd);
    const words = line.map((word) => (/^(seed|roster|want)$|[./]/.test(word) ? join(folder, word) : word));
    const { code, stderr } = await edu(words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^Error: /) });
  });

  test('is refused as the ledger of removed jobs', async () => {
    const env = surroundings();
    const input = join(temporaryFolder(), 'rows.csv');
    writeFileSync(input, ROW);
    const line = [...CREATE, '--from', input, '--yes'];
    expect((await edu(line, { env })).code).toBe(0);
    const jobs = join(env.EDU_STATE_DIR ?? '', 'jobs');
    const [id = ''] = readdirSync(jobs);
    replace(join(jobs, '.ledger.ndjson'), odd);
    const { code, stderr } = await edu(line.concat('--batch', 'next'), { env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('.ledger.ndjson') });
    // What the job created cannot be listed.
    if (odd !== 'a file without end') expect((await edu(['jobs', 'remove', id, '--yes'], { env })).code).toBe(2);
    expect(readdirSync(jobs)).toContain(id);
  });

  test('is not downloaded from the bundled service in place of an uploaded file', async () => {
    const env = surroundings();
    const folder = temporaryFolder();
    const file = join(folder, 'up.pdf');
    writeFileSync(file, '%PDF-1.4\n');
    const { stdout } = await edu(['files', 'upload', file, '--offline', '--json'], { env });
    const files = join(env.EDU_STATE_DIR ?? '', 'offline', 'files');
    const [blob = ''] = readdirSync(files).filter((name) => !name.startsWith('sample'));
    replace(join(files, blob), odd);
    const to = join(folder, 'down.pdf');
    const { code } = await edu(['files', 'download', JSON.parse(stdout).id, '--offline', '--to', to], { env });
    const expected = odd === 'a file without end' ? 0 : 1;
    expect({ code, bytes: existsSync(to) ? statSync(to).size : 0 }).toEqual({
      code: expected,
      bytes: expected === 0 ? 9 : 0,
    });
  });
});
