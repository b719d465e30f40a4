/** `--limit` on a bulk write: the next rows, and the rest without it. */
import { describe, expect, test } from 'vitest';
import { offline } from '../support/offline.js';
import { home, run } from '../support/run.js';

const CREATE = ['licenses', 'create', '--type', 'Teacher', '--maximum-activations', '1', '--name', 'Cut'];

const cut = ['licenses', 'list', '-o', 'ids', '--query', "[?name=='Cut'].id"];
const count = (text: string): number => text.split('\n').filter((line) => line !== '').length;

describe('--limit', () => {
  test('sends only the next rows, and the same command without it sends the rest', async () => {
    const { edu } = offline();
    const line = [...CREATE, '--count', '10'];
    const first = await edu(...line, '--limit', '3');
    expect(first.code).toBe(0);
    expect(first.stderr).toContain('7 rows are left by --limit. To continue, run the same command without it');
    expect(count((await edu(...cut)).stdout)).toBe(3);
    expect(JSON.parse((await edu(...line, '--limit', '4', '--json')).stdout)).toMatchObject({ created: 7, left: 3 });
    expect(JSON.parse((await edu(...line, '--json')).stdout)).toMatchObject({ created: 10, left: 0, done: true });
    expect(count((await edu(...cut)).stdout)).toBe(10);
    expect((await edu('jobs', 'list', '-o', 'ids')).stdout.trim().split('\n')).toHaveLength(1);
  });

  test('counts the rows whose items an undo deleted', async () => {
    const { edu } = offline();
    const line = [...CREATE, '--count', '5', '--json'];
    const { job } = JSON.parse((await edu(...line, '--limit', '3')).stdout);
    const sendsTwo = async (): Promise<void> => {
      await edu('jobs', 'undo', job, '--yes');
      const shown = await edu(...line, '--limit', '2', '--dry-run');
      expect(JSON.parse(shown.stdout).requests).toHaveLength(2);
      const sent = await edu(...line, '--limit', '2');
      expect(JSON.parse(sent.stdout)).toMatchObject({ created: 2, left: 3, done: false });
      expect(count((await edu(...cut)).stdout)).toBe(2);
      expect(JSON.parse((await edu(...line)).stdout)).toMatchObject({ created: 5, left: 0 });
      expect(count((await edu(...cut)).stdout)).toBe(5);
    };
    // Of an unfinished job, and of a finished one.
    await sendsTwo();
    await sendsTwo();
  });

  test('does not count the rows that are printed', async () => {
    const { edu } = offline();
    const line = [...CREATE, '--count', '5', '--limit', '2', '-o', 'table'];
    await edu(...line);
    const { stdout, stderr } = await edu(...line);
    expect(stdout.match(/created/g)).toHaveLength(4);
    expect(stderr).not.toContain('cut by --limit');
    const removal = await edu('jobs', 'remove', /Job (\w+),/.exec(stderr)?.[1] ?? '');
    expect(removal.stderr).toMatch(
      /Refusing to remove the job (\w+) \(1 row is not finished\) without .*edu jobs remove \1 --yes/s,
    );
  });

  test('a dry run shows the requests of the next rows, many in one write', async () => {
    let writes = 0;
    const options = { env: { ...home(), EDU_OFFLINE: '1' }, onWrite: () => void writes++ };
    const shown = await run([...CREATE, '--count', '900', '--limit', '500', '--dry-run', '-o', 'ndjson'], options);
    expect(count(shown.stdout)).toBe(500);
    expect(writes).toBeLessThan(5);
  });

  test('deletes no more rows than were confirmed, and asks again for the rest', async () => {
    const { edu, write } = offline();
    await edu(...CREATE, '--count', '5');
    const ids = (await edu(...cut)).stdout;
    const line = ['licenses', 'delete', '--from', write('rows.csv', `licence\n${ids}`)];
    expect((await edu(...line, '--limit', '2')).stderr).toContain('Pass --yes to confirm: edu licenses delete --from');
    expect((await edu(...line, '--limit', '2', '--yes')).code).toBe(0);
    expect((await edu(...cut)).stdout).toBe(ids.split('\n').slice(2).join('\n'));
    const rest = await edu(...line);
    expect(rest).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Refusing to delete 3 licences without confirmation'),
    });
    expect(count((await edu(...cut)).stdout)).toBe(3);
    expect((await edu(...line, '--yes')).code).toBe(0);
    expect((await edu(...cut)).stdout).toBe('');
  });

  test.each(['skip', 'update'])(
    'failed rows do not count, with --on-existing %s, until the others are done',
    async (how) => {
      const { edu, write } = offline();
      const create = ['licenses', 'create', '--type', 'Teacher', '--maximum-activations', '1', '--json'];
      await edu(...create, '--name', 'Other', '--code', 'taken');
      const rows = write('rows.csv', 'name,code\nCut,taken\nCut,free1\nCut,free2\n');
      const line = [...create, '--from', rows, '--on-existing', how];
      expect(JSON.parse((await edu(...line, '--limit', '1')).stdout)).toMatchObject({
        conflict: 1,
        created: 0,
        left: 2,
      });
      expect(JSON.parse((await edu(...line, '--limit', '1')).stdout)).toMatchObject({
        conflict: 1,
        created: 1,
        left: 1,
      });
      const plan = JSON.parse((await edu(...line, '--dry-run')).stdout);
      expect(plan).toMatchObject({ conflict: 0, fail: 1, create: 1, done: 1 });
      expect(JSON.parse((await edu(...line)).stdout)).toMatchObject({ conflict: 1, created: 2, left: 0 });
      expect(JSON.parse((await edu(...line, '--dry-run')).stdout)).toMatchObject({ conflict: 1, fail: 0, exist: 2 });
    },
  );
});
