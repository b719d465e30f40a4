/** A bulk job that is killed at random moments, again and again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { licenceServer } from '../bulk/licence-server.js';
import { manyLicences, program } from '../bulk/program.js';
import { temporaryFolder } from '../support/run.js';

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** EDU_KILLS=100 kills more often. */
const KILLS = Number(process.env.EDU_KILLS ?? 20);

test(
  `a job that is killed ${KILLS} times creates each licence once`,
  async () => {
    const server = await licenceServer({ latency: 5 });
    onTestFinished(() => server.close());
    const edu = program(server.origin);
    const rows = 30 * KILLS;
    const line = [...manyLicences(rows), '--concurrency', '8', '--json'];
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, ended } = edu.start(line);
      // Spread over the whole run of the program, the same in every run of this test.
      await wait(90 + ((kill * 37) % 160));
      child.kill('SIGKILL');
      await ended;
    }
    const last = await edu.run([...line, '--results', join(edu.env.EDU_STATE_DIR ?? '', 'results.csv')]);
    expect(last).toMatchObject({ code: 0 });
    expect(server.created).toHaveLength(rows);
    expect(new Set(server.created.map(({ code }) => code)).size).toBe(rows);
    expect(JSON.parse(last.stdout)).toMatchObject({ rows, created: rows, exists: 0, left: 0, done: true });
    const results = readFileSync(join(edu.env.EDU_STATE_DIR ?? '', 'results.csv'), 'utf8')
      .trim()
      .split('\n');
    expect(results.slice(1).map((row) => Number(row.split(',')[0]))).toEqual(
      Array.from({ length: rows }, (_, i) => i + 1),
    );
    const codes = new Set(results.slice(1).map((row) => row.split(',')[3]));
    expect(codes).toEqual(new Set(server.created.map(({ code }) => code)));
  },
  KILLS * 3000,
);

test(
  `a file that grows and is sorted between ${KILLS} kills creates each row once`,
  async () => {
    const server = await licenceServer({ latency: 5 });
    onTestFinished(() => server.close());
    const edu = program(server.origin);
    const folder = temporaryFolder();
    const names: string[] = [];
    /** The rows so far in a new order each time: as CSV, as a German CSV with a byte order mark, as NDJSON. */
    const save = (time: number): string => {
      for (let added = 0; added < 20; added++) names.push(`Class ${names.length}`);
      const turned = names.map((_, index) => names[(index + 11 * time) % names.length] ?? '');
      const order = time % 2 === 0 ? turned : turned.reverse();
      const file = join(folder, `rows${time % 5}`);
      const lines = [
        () => ['name,type,maximum-activations', ...order.map((name) => `${name},Teacher,3`)].join('\n'),
        () => ['\ufeffname;type;maximum-activations', ...order.map((name) => `${name};Teacher;3`), ''].join('\r\n'),
        () => order.map((name) => JSON.stringify({ name, type: 'Teacher', maximumActivations: 3 })).join('\n'),
      ];
      writeFileSync(file, lines[time % lines.length]?.() ?? '');
      return file;
    };
    const line = (file: string): string[] => ['licenses', 'create', '--from', file, '--concurrency', '8', '--json'];
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, ended } = edu.start(line(save(kill)));
      await wait(90 + ((kill * 53) % 230));
      child.kill('SIGKILL');
      await ended;
    }
    expect((await edu.run(line(save(KILLS)))).code).toBe(0);
    const made = server.created.map(({ name }) => String(name)).sort();
    expect(made).toEqual([...names].sort());
  },
  KILLS * 3000,
);
