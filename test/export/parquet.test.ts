/** `--format parquet`: a table for each data file, in folders that engines read as columns. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { run, temporaryFolder } from '../support/run.js';
import { worldService } from './world.js';

async function rowsOf(...path: readonly string[]) {
  const { buffer, byteOffset, length } = readFileSync(join(...path));
  return parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer });
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.parquet'))
    .sort();

test('shards are folders of one table, a merge is the table of an unsharded export', async () => {
  const service = await worldService();
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder, name);
  const edu = async (...argv: readonly string[]) =>
    expect(await run(['export', ...argv], { env: service.env })).toMatchObject({ code: 0 });
  const line = ['publishers', 'schools', 'users', '--format', 'parquet', '--mode', '640'];
  await edu(...line, '--to', at('whole'));
  await edu(...line, '--shard', '1/2', '--to', at('1'));
  await edu(...line, '--shard', '2/2', '--gzip', '--to', at('2'));
  expect(filesIn(at('2'))).toEqual(['publishers', 'schools', 'users'].map((name) => `${name}/shard=2/part-0.parquet`));
  const [whole, ...shards] = await Promise.all([
    rowsOf(at('whole'), 'users/part-0.parquet'),
    rowsOf(at('1'), 'users/shard=1/part-0.parquet'),
    rowsOf(at('2'), 'users/shard=2/part-0.parquet'),
  ]);
  expect(whole).toHaveLength(160);
  expect(new Set(shards.flat().map(({ id }) => id))).toEqual(new Set(whole.map(({ id }) => id)));
  if (process.platform !== 'win32') {
    expect(statSync(at('whole/users')).mode & 0o777).toBe(0o750);
    expect(statSync(at('whole/users/part-0.parquet')).mode & 0o777).toBe(0o640);
  }
  await edu('publishers', 'schools', 'users', '--format', 'parquet', '--shard', '2/2', '--to', at('2'));
  await edu('merge', at('1'), at('2'), '--to', at('merged'));
  expect(readFileSync(at('merged/users/part-0.parquet'))).toEqual(readFileSync(at('whole/users/part-0.parquet')));
});

test('changes have a folder each, and files are verified, and removed by an export without them', async () => {
  const service = await worldService();
  const folder = temporaryFolder();
  const [old, to] = [join(folder, 'old'), join(folder, 'new')];
  const edu = (...argv: readonly string[]) => run(['export', ...argv], { env: service.env });
  await edu('publishers', '--to', old);
  service.lists.set('/v1/publishers', [{ id: 'p2', name: 'Neu', roles: [] }]);
  await edu('publishers', '--to', to, '--since', old, '--format', 'parquet');
  expect(await rowsOf(to, 'publishers/change=added/part-0.parquet')).toMatchObject([{ id: 'p2', name: 'Neu' }]);
  expect(await rowsOf(to, 'publishers/change=removed/part-0.parquet')).toMatchObject([{ id: 'p1' }]);
  writeFileSync(join(to, 'publishers/change=added/part-0.parquet'), 'x');
  expect((await edu('--verify', to, '-o', 'tsv')).stdout).toMatch(
    /^publishers\tpublishers\/change=added\/part-0\.parquet\t1\tit has 1 bytes/m,
  );
  // Also after an incomplete export, whose manifest does not name them.
  service.onPage = () => 500;
  expect((await edu('publishers', '--to', to, '--retries', '0')).code).toBe(3);
  service.onPage = () => undefined;
  expect(existsSync(join(to, 'publishers'))).toBe(true);
  expect((await edu('publishers', '--to', to)).code).toBe(0);
  expect(existsSync(join(to, 'publishers'))).toBe(false);
});
