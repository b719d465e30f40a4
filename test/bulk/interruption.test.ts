/** Jobs that are interrupted, run twice, or run again. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fileIn, served, until } from './jobs.js';
import { manyLicences, program } from './program.js';

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
    expect(again.stderr).toContain('Nothing to do: 5 of 5 rows were done before.');
    expect(server.posts()).toBe(5);
    expect((await edu.run([...manyLicences(5), '--batch', 'second'])).code).toBe(0);
    expect(new Set(server.created.map(({ code }) => code)).size).toBe(10);
  });
});
