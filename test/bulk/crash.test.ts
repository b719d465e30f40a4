/** However a job ends, running it again creates exactly the requested licences. */
import { appendFileSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withResolvers } from '../support/with-resolvers.js';
import { served } from './jobs.js';
import { manyLicences, type Program, program } from './program.js';

function expectExactly(count: number, created: readonly Readonly<Record<string, unknown>>[]): void {
  expect(created).toHaveLength(count);
  expect(new Set(created.map(({ code }) => code)).size).toBe(count);
}

const summary = (stdout: string): Record<string, unknown> => JSON.parse(stdout);

/** The folder of the only job. */
function jobFolder({ env }: Program): string {
  const jobs = join(env.EDU_STATE_DIR ?? '', 'jobs');
  const [only, ...others] = readdirSync(jobs).filter((name) => !name.startsWith('.'));
  expect(others).toEqual([]);
  return join(jobs, only ?? '');
}

const journalOf = (edu: Program): string => join(jobFolder(edu), 'journal.ndjson');

describe('kill -9', () => {
  test.each([
    ['before the send: noted, and nothing arrived', { reset: 'before' } as const],
    ['after the work: created, and the answer lost', { reset: 'after' } as const],
  ])('%s', async (_, fate) => {
    let dead = true;
    const { promise: arrived, resolve: arrive } = withResolvers();
    const server = await served({
      fate: (index) => {
        if (!dead || index < 3) return 'ok';
        arrive();
        return fate;
      },
    });
    const edu = program(server.origin);
    const { child, ended } = edu.start([...manyLicences(10), '--concurrency', '1', '--json']);
    await arrived;
    child.kill('SIGKILL');
    await ended;
    dead = false;
    const again = await edu.run([...manyLicences(10), '--json']);
    expect(again).toMatchObject({ code: 0 });
    expect(summary(again.stdout)).toMatchObject({ created: 10, exists: 0 });
    expectExactly(10, server.created);
  });

  test('in the middle of a line of the journal', async () => {
    const server = await served();
    const edu = program(server.origin);
    await edu.run(manyLicences(5));
    truncateSync(journalOf(edu), readFileSync(journalOf(edu), 'utf8').lastIndexOf('{"ended"') - 20);
    const again = await edu.run([...manyLicences(5), '--json']);
    expect(summary(again.stdout)).toMatchObject({ created: 5, done: true });
    expectExactly(5, server.created);
    expect(
      readFileSync(journalOf(edu), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .findLast(({ row }) => row !== undefined)?.state,
    ).toBe('created');
  });

  test('stops at a journal that is damaged in the middle', async () => {
    const server = await served();
    const edu = program(server.origin);
    await edu.run(manyLicences(3));
    appendFileSync(journalOf(edu), 'xx\n{"row":1,"state":"created"}\n');
    const again = await edu.run(manyLicences(3));
    expect(again.code).toBe(2);
    expect(again.stderr).toMatch(/journal .* is damaged at byte \d+/);
    expect(server.posts()).toBe(3);
  });
});

describe('lost responses', () => {
  test.each([
    ['resets after processing', { reset: 'after' } as const],
    ['resets before processing', { reset: 'before' } as const],
    ['504 after processing', { status: 504, after: true } as const],
    ['408 after processing', { status: 408, after: true } as const],
  ])('%s, for every third request', async (_, fault) => {
    const server = await served({ fate: (index) => (index % 3 === 1 ? fault : 'ok') });
    const edu = program(server.origin);
    const { code, stdout } = await edu.run([...manyLicences(60), '--json']);
    expect(code).toBe(0);
    expect(summary(stdout)).toMatchObject({ created: 60, exists: 0, done: true });
    expectExactly(60, server.created);
  });

  test('a new disk with the same secret derives the same codes, and creates nothing twice', async () => {
    const server = await served();
    const edu = program(server.origin, { EDU_CODE_SECRET: 'a secret of the build server' });
    await edu.run(manyLicences(20));
    rmSync(edu.env.EDU_STATE_DIR ?? '', { recursive: true });
    rmSync(edu.env.EDU_CONFIG_DIR ?? '', { recursive: true, force: true });
    const again = await edu.run([
      ...manyLicences(25).slice(0, 2),
      '--count',
      '20',
      ...manyLicences(20).slice(4),
      '--json',
    ]);
    expect(again.code).toBe(0);
    expect(summary(again.stdout)).toMatchObject({ created: 0, exists: 20, done: true });
    expectExactly(20, server.created);
  });

  test('codes cannot be guessed from another job, and have the form that the service accepts', async () => {
    const server = await served();
    await program(server.origin).run(manyLicences(50));
    await program(server.origin).run(manyLicences(50));
    expectExactly(100, server.created);
    for (const { code } of server.created) expect(code).toMatch(/^[a-z0-9]{16}$/);
  });
});
