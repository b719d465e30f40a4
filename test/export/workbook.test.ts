/** `--format xlsx`: one workbook with a sheet for each data file, beside the data files. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFile } from '../../src/core/table/open-table.js';
import { run, temporaryFolder } from '../support/run.js';
import { worldService } from './world.js';

async function rowsOf(file: string, sheet: string) {
  const { columns, batches } = await openFile(file, { name: file, reading: { sheet } });
  const rows: (readonly unknown[])[] = [];
  for await (const batch of batches) rows.push(...batch.rows.map(({ cells }) => cells));
  return { columns, rows };
}

const manifestIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));

describe('the workbook of an export', () => {
  test('has a sheet for each resource, and is described, and is the same for the same data', async () => {
    const service = await worldService();
    const [a, b] = [join(temporaryFolder(), 'a'), join(temporaryFolder(), 'b')];
    const edu = (...argv: readonly string[]) => run(argv, { env: service.env });
    const resources = ['licenses', 'users', 'readers'];
    expect(await edu('export', ...resources, '--to', a, '--format', 'xlsx', '--mode', '640')).toMatchObject({
      code: 0,
      stderr: '',
    });
    const file = join(a, 'export.xlsx');
    expect(manifestIn(a)).toMatchObject({
      format: 'ndjson',
      copy: { format: 'xlsx', files: [{ file: 'export.xlsx', bytes: statSync(file).size }] },
    });
    const { columns, rows } = await rowsOf(file, 'users');
    expect(columns.slice(0, 3)).toEqual(['id', 'email', 'firstName']);
    const users = [...service.lists].flatMap(([list, items]) => (list.startsWith('/v1/users?') ? items : []));
    expect(rows).toHaveLength(users.length);
    expect(rows[0]?.[2]).toBe('Ä"\u2028\u009b');
    expect((await rowsOf(file, 'licenses')).rows[0]?.slice(0, 3)).toEqual(['000001', 'Licence 000001', 'code000001']);
    expect((await rowsOf(file, 'readers')).rows).toEqual([]);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o640);

    service.shuffles = true;
    const printed = await edu('export', ...resources, '--to', b, '--format', 'xlsx', '-o', 'csv');
    expect(readFileSync(join(b, 'export.xlsx')).equals(readFileSync(file))).toBe(true);
    expect(printed.stdout.trim().split('\n').at(-1)).toBe(`all,,export.xlsx,${statSync(file).size},true,,`);
  });

  test('has the changes with --since, and a merged one has all shards', async () => {
    const service = await worldService();
    const folder = temporaryFolder();
    const at = (name: string): string => join(folder, name);
    const edu = async (...argv: readonly string[]) => {
      const ran = await run(argv, { env: service.env });
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
    };
    await edu('export', 'publishers', '--to', at('old'));
    service.lists.set('/v1/publishers', [{ id: 'p2', name: 'Neu', roles: [] }]);
    await edu('export', 'publishers', '--to', at('new'), '--since', at('old'), '--format', 'xlsx', '--force');
    expect((await rowsOf(join(at('new'), 'export.xlsx'), 'publishers.added')).rows[0]?.[0]).toBe('p2');
    service.lists.set('/v1/publishers', [{ id: 'p1', name: 'Verlag', roles: [] }]);
    const resources = ['publishers', 'schools', 'users'];
    await edu('export', ...resources, '--to', at('whole'), '--format', 'xlsx');
    for (const shard of ['1/2', '2/2'])
      await edu('export', ...resources, '--shard', shard, '--to', at(shard[0] ?? ''), '--format', 'xlsx');
    await edu('export', 'merge', at('1'), at('2'), '--to', at('merged'));
    expect(readFileSync(join(at('merged'), 'export.xlsx')).equals(readFileSync(join(at('whole'), 'export.xlsx')))).toBe(
      true,
    );
  });

  test('that Excel could not open is not written: the data files are complete without it', async () => {
    const service = await worldService();
    const to = temporaryFolder();
    service.lists.set('/v1/publishers', [{ id: 'p1', name: 'x'.repeat(40_000), roles: [] }]);
    const ran = await run(['export', 'publishers', '--to', to, '--format', 'xlsx'], { env: service.env });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('cell B2 of publishers has 40000 characters')]);
    expect(manifestIn(to)).toMatchObject({ complete: true, format: 'ndjson' });
    expect(existsSync(join(to, 'export.xlsx'))).toBe(false);
    expect((await run(['export', '--verify', to], { env: service.env })).code).toBe(0);
  });
});
