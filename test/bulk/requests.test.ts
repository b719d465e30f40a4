/** The requests of a job: concurrency, pauses, giving up, and responses that do not show the licence. */
import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { fileIn, served } from './jobs.js';
import { licenceServer } from './licence-server.js';
import { manyLicences, program } from './program.js';

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

  test('a pause takes no longer if the system time is set back by a day', async () => {
    const now = Date.now;
    let changeMs = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + changeMs);
    const setBack = (): void => {
      changeMs = -86_400_000;
    };
    const server = await served({
      fate(index) {
        if (index > 0) return 'ok';
        setTimeout(setBack, 300);
        return { status: 429, retryAfter: 1 };
      },
    });
    expect((await program(server.origin).run(manyLicences(1))).code).toBe(0);
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
});

describe('a success whose response does not show the licence', () => {
  test.each(['', '<html>moved</html>', '{}'])(
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
