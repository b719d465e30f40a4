/** Shards, and the files that a job reads and writes. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.js';
import { create, csv, served } from './jobs.js';
import { manyLicences, program } from './program.js';

describe('shards and files', () => {
  test('shards together create all rows, with distinct codes, without knowing each other', async () => {
    const server = await served();
    const file = csv(...Array.from({ length: 10 }, (_, index) => `N${index + 1},Teacher,1,`));
    const env = { EDU_CODE_SECRET: 'a secret of the build server' };
    for (const shard of ['1/3', '2/3', '3/3']) {
      const edu = program(server.origin, env);
      expect((await edu.run(create('--from', '-', '--shard', shard), file)).code).toBe(0);
    }
    expect(server.created.map(({ name }) => name).sort()).toEqual('N1 N10 N2 N3 N4 N5 N6 N7 N8 N9'.split(' '));
    const codes = new Set(server.created.map(({ code }) => code));
    expect(codes.size).toBe(10);
    const whole = await program(server.origin, env).run(create('--from', '-', '--json'), file);
    expect(JSON.parse(whole.stdout)).toMatchObject({ rows: 10, exists: 10, created: 0 });
  });

  test('shards of one name resume by their IDs, and a name that needs quoting is not printed in a command', async () => {
    const server = await served({ fate: () => ({ status: 400 }) });
    const edu = program(server.origin);
    const rows = csv('A,Teacher,1,x', 'B,Teacher,1,y');
    const part = (...more: readonly string[]) => edu.run(create('--from', '-', '--json', ...more), rows);
    const first = JSON.parse((await part('--shard', '1/2', '--job', 'autumn')).stdout);
    const second = JSON.parse((await part('--shard', '2/2', '--job', 'autumn')).stdout);
    expect([first.retry, second.retry]).toEqual([`edu jobs retry ${first.job}`, `edu jobs retry ${second.job}`]);
    const named = await edu.run(['jobs', 'show', 'autumn']);
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining(`${second.job}, ${first.job}`)]);
    const odd = JSON.parse((await part('--job', 'a term; $(x)')).stdout);
    expect(odd.retry).toMatch(/^edu jobs retry [0-9a-f]{10}$/);
  });

  test.each([
    [['-o', 'json', '--results', '-'], '--results - cannot use stdout: the output format prints the summary'],
    [['-q', '--results', '-'], '--results - cannot use stdout: the output format prints the IDs'],
    [['-o', 'csv', '--failed', '-'], '--failed - cannot use stdout: the output format prints the results'],
  ])('refuses two outputs on stdout, for resumed jobs as well: %j', async (more, words) => {
    const server = await served();
    const edu = program(server.origin);
    const rows = csv('"N 1",Teacher,1,');
    const refused = await edu.run(create('--from', '-', '--job', 'n', ...more), rows);
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([2, '', expect.stringContaining(words)]);
    expect(server.requests).toEqual([]);
    expect((await edu.run(create('--from', '-', '--job', 'n'), rows)).code).toBe(0);
    const again = await edu.run(['jobs', 'resume', 'n', ...more]);
    expect([again.code, again.stdout, again.stderr]).toEqual([2, '', expect.stringContaining(words)]);
    const alone = await edu.run(['jobs', 'resume', 'n', '--results', '-']);
    expect([alone.code, alone.stdout]).toEqual([0, expect.stringContaining('N 1,Teacher,1,,1,created')]);
  });

  test('an output file that cannot be written after the run is not a usage error', async () => {
    const file = join(temporaryFolder(), 'results.csv');
    const fate = () => {
      mkdirSync(file, { recursive: true });
      return 'ok' as const;
    };
    const server = await served({ fate });
    const edu = program(server.origin);
    const ended = await edu.run([...manyLicences(3), '--results', file]);
    expect([ended.code, server.created.length]).toEqual([1, 3]);
    expect(ended.stderr).toContain('The outcome of each row is still recorded.');
    expect((await edu.run(['jobs', 'list', '--json', '--query', '[0].done'])).stdout.trim()).toBe('3');
  });

  test('EDU_OUTPUT selects results as -o does', async () => {
    const server = await served();
    const file = csv('"N 1",Teacher,1,');
    const asked = await program(server.origin, { EDU_OUTPUT: 'csv' }).run(create('--from', '-'), file);
    expect(asked.stdout).toMatch(/^name,.*edu_error\nN 1,Teacher,1,,1,created,L1,\w{16},\n$/);
    const silent = await program(server.origin).run(create('--from', '-', '--batch', 'second'), file);
    expect(silent.stdout).toBe('');
  });

  test('warns of a weak secret and uses it', async () => {
    const server = await served();
    const line = create('--from', '-', '--json');
    const file = csv('"N 1",Teacher,1,');
    const first = await program(server.origin, { EDU_CODE_SECRET: 'short' }).run(line, file);
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('EDU_CODE_SECRET has 5 characters')]);
    // The same secret derives the same code on another machine.
    const again = await program(server.origin, { EDU_CODE_SECRET: 'short' }).run(line, file);
    expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, exists: 1 });
    expect(server.created).toHaveLength(1);
  });

  test('--dry-run lists what would be created, exists and is in conflict, and sends nothing', async () => {
    const server = await served({ foreign: ['theirs'] });
    const edu = program(server.origin);
    await edu.run(create('--from', '-'), csv('A,Teacher,1,mine1', 'B,Teacher,1,mine2'));
    const posts = server.posts();
    const file = csv('A,Teacher,1,mine1', 'B,Teacher,9,mine2', 'C,Teacher,1,theirs', 'D,Teacher,1,new1');
    const { code, stdout, stderr } = await edu.run(create('--from', '-', '--dry-run', '--json'), file);
    expect(code).toBe(3);
    expect(JSON.parse(stderr).error).toMatchObject({
      kind: 'partial',
      message: '2 of 4 rows would fail.',
      details: [
        { where: 'row 2', message: 'maximumActivations is 1, not 9' },
        { where: 'row 3', message: 'exists, but belongs to another organization' },
      ],
    });
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 4,
      create: 1,
      exist: 1,
      conflict: 2,
      requests: [{ row: 4, method: 'POST', body: { name: 'D', type: 'Teacher', maximumActivations: 1, code: 'new1' } }],
    });
    const quiet = await edu.run(create('--from', '-', '--dry-run', '--quiet'), file);
    expect(quiet.stdout).toMatch(/^POST http:/);
    expect(server.posts()).toBe(posts);
    expect(readdirSync(join(edu.env.EDU_STATE_DIR ?? '', 'jobs'))).toHaveLength(1);
  });
});
