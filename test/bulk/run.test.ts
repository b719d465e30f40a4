/** How a job runs: concurrency, giving up, interruption, conflicts, shards, files. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type LicenceServerOptions, licenceServer } from './licence-server.js';
import { answersCaller, manyLicences, type Program, program } from './program.js';

async function served(options: LicenceServerOptions = {}) {
  const server = await licenceServer(options);
  onTestFinished(() => server.close());
  return server;
}

const fileIn = ({ env }: Program, name: string, text?: string): string => {
  const file = join(env.EDU_STATE_DIR ?? '', '..', name);
  if (text !== undefined) writeFileSync(file, text);
  return file;
};

const HEADER = 'name,type,maximum-activations,code';
const csv = (...rows: readonly string[]): string => `${[HEADER, ...rows].join('\n')}\n`;
const create = (...more: readonly string[]): readonly string[] => ['licenses', 'create', ...more];

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('requests of a job', () => {
  test('sends as many at a time as --concurrency allows', async () => {
    const server = await served({ latency: 300 });
    expect((await program(server.origin).run([...manyLicences(15), '--concurrency', '5'])).code).toBe(0);
    expect(server.atOnce()).toBe(5);
  });

  test('429 with Retry-After pauses all requests', async () => {
    let refusedAt: number | undefined;
    let refused = 0;
    const server = await served({
      // Refuses until the time that Retry-After names. The load of the machine decides how many requests are under way
      // then, so a fixed number of refusals could take a pause each.
      fate: (index) => {
        if (index < 4) return 'ok';
        const now = performance.now();
        refusedAt ??= now;
        if (now - refusedAt > 900) return 'ok';
        refused++;
        return { status: 429, retryAfter: 1 };
      },
    });
    const edu = program(server.origin, { EDU_MAX_WAIT: '60s' });
    const { code, stdout } = await edu.run([...manyLicences(12), '--concurrency', '4', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ created: 12, done: true });
    expect(server.created).toHaveLength(12);
    // Only the requests under way at the first refusal are refused.
    expect(refused).toBeLessThanOrEqual(4);
  });

  test('a learned rate does not delay the end of a job that has no more rows', async () => {
    const server = await served({ fate: (index) => (index === 0 ? { status: 429 } : 'ok') });
    const { stdout } = await program(server.origin).run([...manyLicences(1), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ created: 1, throttled: 1 });
    // The other seven workers would each have waited for a slot of one a second.
    expect(JSON.parse(stdout).seconds).toBeLessThan(4);
  });

  test('an outage beyond --max-wait ends the job with 7, and it resumes later', async () => {
    let isDown = false;
    const server = await served({ fate: (index) => (isDown && index > 0 ? { status: 503 } : 'ok') });
    const edu = program(server.origin);
    isDown = true;
    const began = Date.now();
    const down = await edu.run([...manyLicences(50), '--max-wait', '3s', '--json']);
    expect(Date.now() - began).toBeLessThan(12_000);
    expect(down.code).toBe(7);
    expect(JSON.parse(down.stdout)).toMatchObject({ done: false, rejected: 0, unknown: 0 });
    expect(JSON.parse(down.stderr).error).toMatchObject({
      kind: 'unavailable',
      hint: expect.stringContaining('edu jobs resume'),
    });
    isDown = false;
    const job: string = JSON.parse(down.stdout).job;
    const again = await edu.run(['jobs', 'resume', job, '--json']);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ created: 50, done: true });
    expect(server.created).toHaveLength(50);
  }, 30_000);

  test('no service: exit 7, nothing sent, nothing unknown', async () => {
    const server = await licenceServer();
    await server.close();
    const { code, stdout, stderr } = await program(server.origin).run([...manyLicences(20), '--json']);
    expect([code, stdout, JSON.parse(stderr).error.kind]).toEqual([7, '', 'unreachable']);
  });

  test('an expired token ends the job with 4', async () => {
    const server = await served({ fate: (index) => (index < 3 ? 'ok' : { status: 401 }) });
    const { code, stdout } = await program(server.origin).run([...manyLicences(20), '--concurrency', '1', '--json']);
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({ created: 3, left: 17, rejected: 0 });
    expect(server.posts()).toBe(4);
  });

  test('--max-errors stops the job and is named in the error', async () => {
    const server = await served({ fate: () => ({ status: 400 }) });
    const edu = program(server.origin);
    const { code, stderr, stdout } = await edu.run([...manyLicences(20), '--concurrency', '1', '--max-errors', '3']);
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toContain('3 of 20 rows failed. The job was stopped by --max-errors.');
    expect(server.posts()).toBe(3);
  });
});

describe('a success whose response does not show the licence', () => {
  test.each(['', 'null', '<html>moved</html>', '{"id": "L1", "na', '{}'])(
    'looks up the licence when the service has created it: %j',
    async (text) => {
      const server = await served({ fate: (index) => (index % 2 === 0 ? { status: 200, after: true, text } : 'ok') });
      const edu = program(server.origin);
      const results = fileIn(edu, 'results.ndjson');
      const { code } = await edu.run([...manyLicences(6), '--results', results]);
      expect([code, server.created.length, server.posts()]).toEqual([0, 6, 6]);
      const rows = readFileSync(results, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      for (const { edu_status: status, edu_id: id, edu_code: made } of rows) {
        expect([status, server.created.find((one) => one.id === id)?.code]).toEqual(['created', made]);
      }
    },
  );

  test('sends the row again, three times at most, when nothing was created', async () => {
    const page = { status: 200, text: '<html>log in</html>' };
    const server = await served({ fate: (index) => (index < 2 ? page : 'ok') });
    const { code } = await program(server.origin).run([...manyLicences(1)]);
    expect([code, server.created.length, server.posts()]).toEqual([0, 1, 3]);
    const stuck = await served({ fate: () => page });
    const ended = await program(stuck.origin).run([...manyLicences(1), '--json']);
    expect([ended.code, JSON.parse(ended.stdout).rejected, stuck.posts()]).toEqual([3, 1, 3]);
  });
});

test('counts a licence as created when its first attempt arrives after the look-up', async () => {
  // The first attempt is lost and looked up, and arrives with the second one.
  const late = { status: 400, after: true, text: '{"message":"the code exists"}' } as const;
  const server = await served({ fate: (index) => (index === 0 ? { reset: 'before' } : late) });
  const { code, stdout } = await program(server.origin).run([
    ...manyLicences(1),
    ...['--on-existing', 'fail', '--json'],
  ]);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { created: 1, exists: 0, rejected: 0 }]);
  expect([server.posts(), server.created.length]).toEqual([2, 1]);
});

describe('an interruption', () => {
  test('Ctrl-C finishes requests under way, writes results and exits 130; the same command resumes', async () => {
    const server = await served({ latency: 30 });
    const edu = program(server.origin);
    const results = fileIn(edu, 'results.csv');
    const line = [...manyLicences(200), '--concurrency', '4', '--results', results];
    const { child, ended } = edu.start(line);
    await until(() => server.created.length >= 20);
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/Resume with: edu jobs resume \w+/);
    const created = server.created.length;
    expect(created).toBeLessThan(200);
    const rows = readFileSync(results, 'utf8').trim().split('\n').slice(1);
    expect(rows).toHaveLength(200);
    expect(rows.filter((row) => row.includes(',created,'))).toHaveLength(created);
    expect(rows.filter((row) => row.includes(',planned,'))).toHaveLength(200 - created);
    const again = await edu.run(line);
    expect(again.code).toBe(0);
    expect(again.stderr).toMatch(new RegExp(`is resumed: ${created} of 200 rows are done`));
    expect(server.created).toHaveLength(200);
    // Nothing was looked up: every request had a response.
    expect(server.requests.filter((request) => request.startsWith('GET /v1/licenses'))).toEqual([]);
  });

  test('a second Ctrl-C does not wait for requests under way, and the same command resumes', async () => {
    const server = await served({ latency: 1500 });
    const edu = program(server.origin);
    const { child, ended } = edu.start([...manyLicences(4), '--concurrency', '2']);
    await until(() => server.requests.length >= 2);
    child.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 200));
    const began = performance.now();
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(performance.now() - began).toBeLessThan(1000);
    expect((await edu.run(manyLicences(4))).code).toBe(0);
    expect(server.created).toHaveLength(4);
  });

  test('refuses a second process for the same job, and names the first', async () => {
    const server = await served({ latency: 30 });
    const edu = program(server.origin);
    const first = edu.start([...manyLicences(100), '--concurrency', '2']);
    await until(() => server.posts() > 0);
    const second = await edu.run(manyLicences(100));
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`This job is being run by process ${first.child.pid} on `);
    expect((await first.ended).code).toBe(0);
    expect(server.created).toHaveLength(100);
  });

  test('a finished job creates nothing when it is run again; --batch creates the same again', async () => {
    const server = await served();
    const edu = program(server.origin);
    await edu.run(manyLicences(5));
    const again = await edu.run(manyLicences(5));
    expect(again).toMatchObject({ code: 0, stdout: '' });
    expect(again.stderr).toContain('Nothing to do: 5 of 5 rows are done already.');
    expect(server.posts()).toBe(5);
    expect((await edu.run([...manyLicences(5), '--batch', 'second'])).code).toBe(0);
    expect(new Set(server.created.map(({ code }) => code)).size).toBe(10);
  });
});

describe('keys that are taken', () => {
  test('an equal item exists; a different one, or one of another organization, is a conflict', async () => {
    const server = await served({ foreign: ['theirs'] });
    const edu = program(server.origin);
    const before = fileIn(edu, 'before.csv', csv('A,Teacher,1,mine1', 'B,Teacher,1,mine2'));
    expect((await edu.run(create('--from', before))).code).toBe(0);
    const file = fileIn(
      edu,
      'now.csv',
      csv('A,Teacher,1,mine1', 'B,Teacher,9,mine2', 'C,Teacher,1,theirs', 'D,Teacher,1,new1'),
    );
    const results = fileIn(edu, 'results.ndjson');
    const failed = fileIn(edu, 'failed.csv');
    const { code } = await edu.run(create('--from', file, '--results', results, '--failed', failed));
    expect(code).toBe(3);
    const rows = readFileSync(results, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ edu_row, edu_status }) => [edu_row, edu_status])).toEqual([
      [1, 'exists'],
      [2, 'conflict'],
      [3, 'conflict'],
      [4, 'created'],
    ]);
    expect(rows[1].edu_error).toContain('maximumActivations is 1, not 9');
    expect(rows[2].edu_error).toContain('belongs to another organization');
    expect(readFileSync(failed, 'utf8').split('\n')[0]).toBe(`${HEADER},edu_row,edu_status,edu_id,edu_code,edu_error`);
    expect(server.created.map((licence) => licence.code)).toEqual(['mine1', 'mine2', 'new1']);
    // Read again unchanged, the failed rows are a job of two rows.
    const repaired = readFileSync(failed, 'utf8').replace('mine2', 'mine3').replace('theirs', 'ours1');
    expect((await edu.run(create('--from', '-'), repaired)).code).toBe(0);
    expect(server.created.map((licence) => licence.code)).toEqual(['mine1', 'mine2', 'new1', 'mine3', 'ours1']);
  });

  test('are errors with --on-existing fail', async () => {
    const server = await served();
    const edu = program(server.origin);
    const file = fileIn(edu, 'a.csv', csv('A,Teacher,1,mine1'));
    await edu.run(create('--from', file));
    const again = await edu.run(create('--from', file, '--batch', 'second', '--on-existing', 'fail', '--json'));
    expect(again.code).toBe(3);
    expect(JSON.parse(again.stdout)).toMatchObject({ rejected: 1 });
  });

  test('jobs retry sends refused rows again, and only them', async () => {
    let isBad = true;
    const server = await served({ fate: (_, { name }) => (isBad && name === 'B' ? { status: 400 } : 'ok') });
    const edu = program(server.origin);
    const file = fileIn(edu, 'a.csv', csv('A,Teacher,1,', 'B,Teacher,1,', 'C,Teacher,1,'));
    expect((await edu.run(create('--from', file, '--job', 'spring'))).code).toBe(3);
    expect(server.posts()).toBe(3);
    isBad = false;
    const again = await edu.run(['jobs', 'retry', 'spring', '--json']);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ name: 'spring', created: 3, done: true });
    expect(server.created).toHaveLength(3);
    const listed = JSON.parse((await edu.run(['jobs', 'list', '--json'])).stdout);
    expect(listed).toMatchObject([{ name: 'spring', state: 'done', rows: 3, done: 3, failed: 0, left: 0 }]);
    expect((await edu.run(['jobs', 'remove', 'spring'])).code).toBe(0);
    expect(readdirSync(join(edu.env.EDU_STATE_DIR ?? '', 'jobs'))).toEqual(['.ledger.ndjson']);
  });
});

test('jobs resume and retry keep the --on-existing of the job', async () => {
  let isDown = true;
  const updates: unknown[] = [];
  const server = createServer((request, response) => {
    if (answersCaller(request, response)) return;
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      const found = { id: 's1', name: 'Acme', country: 'NL', city: 'Delft', roles: [] };
      const answer = (status: number, body: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (isDown) return answer(503, { message: 'down' });
      if (request.method === 'PUT') updates.push(JSON.parse(text));
      if (request.method === 'PUT') return answer(200, { ...found, ...JSON.parse(text) });
      return request.method === 'POST' ? answer(400, { message: 'name exists' }) : answer(200, { schools: [found] });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const edu = program(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const rows = 'name,country,city\nAcme,NL,Leiden\n';
  const line = ['schools', 'create', '--from', '-', '--on-existing', 'update', '--job', 'moves'];
  expect((await edu.run([...line, '--max-wait', '1s'], rows)).code).toBe(7);
  isDown = false;
  const { code, stdout } = await edu.run(['jobs', 'resume', 'moves', '--json']);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { updated: 1, conflict: 0 }]);
  expect(updates).toEqual([{ name: 'Acme', country: 'NL', city: 'Leiden' }]);
  expect((await edu.run(['schools', 'create', '--from', '-', '--job', 'stays'], rows)).code).toBe(3);
  const retried = await edu.run(['jobs', 'retry', 'stays', '--on-existing', 'update', '--json']);
  expect([retried.code, JSON.parse(retried.stdout), updates.length]).toMatchObject([0, { updated: 1 }, 2]);
});

describe('shards and files', () => {
  test('shards together create all rows, with distinct codes, without knowing each other', async () => {
    const server = await served();
    const file = csv(...Array.from({ length: 10 }, (_, index) => `N${index + 1},Teacher,1,`));
    const env = { EDU_CODE_SECRET: 'a secret of the build server' };
    for (const shard of ['1/3', '2/3', '3/3']) {
      const edu = program(server.origin, env);
      expect((await edu.run(create('--from', '-', '--shard', shard), file)).code).toBe(0);
    }
    expect(server.created.map(({ name }) => name).sort()).toEqual([
      'N1',
      'N10',
      'N2',
      'N3',
      'N4',
      'N5',
      'N6',
      'N7',
      'N8',
      'N9',
    ]);
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

  test('refuses output files that would overwrite each other or the input', async () => {
    const server = await served();
    const edu = program(server.origin);
    const input = fileIn(edu, 'a.csv', csv('"N 1",Teacher,1,'));
    const other = fileIn(edu, 'b.csv');
    for (const [more, words] of [
      [['--failed', input], '--failed cannot be'],
      [['--results', input], '--results cannot be'],
      [['--results', other, '--failed', other], 'cannot both be'],
      [['--job', ''], '--job must not be empty'],
      [['--results', ''], '--results must not be empty'],
    ] as const) {
      const refused = await edu.run(create('--from', input, ...more));
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(words)]);
    }
    expect(server.requests).toEqual([]);
    expect(readFileSync(input, 'utf8')).toContain('N 1');
  });

  test.each([
    [['-o', 'json', '--results', '-'], '--results - cannot use stdout: the output format prints the summary'],
    [['--fields', 'rows', '--failed', '-'], '--failed - cannot use stdout: the output format prints the summary'],
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
    const server = await served();
    const edu = program(server.origin);
    // The file system allows this name, but not the longer temporary one.
    const file = fileIn(edu, `${'r'.repeat(240)}.csv`);
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

  test('writes results in the order of the input', async () => {
    const server = await served({ latency: 3 });
    const edu = program(server.origin);
    const rows = Array.from({ length: 100 }, (_, index) => `"N ${index + 1}",Teacher,1,`);
    const results = fileIn(edu, 'results.csv');
    await edu.run(create('--from', fileIn(edu, 'a.csv', csv(...rows)), '--concurrency', '16', '--results', results));
    const lines = readFileSync(results, 'utf8').trim().split('\n').slice(1);
    expect(lines.map((line) => line.split(',')[0])).toEqual(
      Array.from({ length: 100 }, (_, index) => `N ${index + 1}`),
    );
    for (const line of lines) {
      const [name, , , , row, status, id, code] = line.split(',');
      const licence = server.created.find((one) => one.id === id);
      expect([`N ${row}`, status, licence?.code, licence?.name]).toEqual([name, 'created', code, name]);
    }
  });

  test('--dry-run lists what would be created, exists and is in conflict, and sends nothing', async () => {
    const server = await served({ foreign: ['theirs'] });
    const edu = program(server.origin);
    await edu.run(create('--from', '-'), csv('A,Teacher,1,mine1', 'B,Teacher,1,mine2'));
    const posts = server.posts();
    const file = csv('A,Teacher,1,mine1', 'B,Teacher,9,mine2', 'C,Teacher,1,theirs', 'D,Teacher,1,new1');
    const { code, stdout } = await edu.run(create('--from', '-', '--dry-run', '--json'), file);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 4,
      create: 1,
      exist: 1,
      conflict: 2,
      requests: [{ row: 4, method: 'POST', body: { name: 'D', type: 'Teacher', maximumActivations: 1, code: 'new1' } }],
    });
    expect(server.posts()).toBe(posts);
    expect(readdirSync(join(edu.env.EDU_STATE_DIR ?? '', 'jobs'))).toHaveLength(1);
  });

  test('leaves files that only their owner can read', async () => {
    const server = await served();
    const edu = program(server.origin);
    await edu.run(manyLicences(2));
    const { statSync } = await import('node:fs');
    const jobs = join(edu.env.EDU_STATE_DIR ?? '', 'jobs');
    const mode = (path: string): number => statSync(path).mode & 0o777;
    expect(mode(jobs)).toBe(0o700);
    for (const job of readdirSync(jobs)) {
      expect(mode(join(jobs, job))).toBe(0o700);
      for (const file of readdirSync(join(jobs, job))) expect(mode(join(jobs, job, file))).toBe(0o600);
    }
  });
});
