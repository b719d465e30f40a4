/** The script of the documentation, killed midway, against a service with failures. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { licenceServer } from './licence-server.js';
import { program } from './program.js';

const SCRIPT = resolve('docs/examples/create-licences.sh');
const isThere = spawnSync('bash', ['--version']).error === undefined;

test.skipIf(!isThere)(
  'creates exactly 500 licences although it is killed and responses are lost',
  async () => {
    const server = await licenceServer({
      latency: 2,
      fate: (index) =>
        index % 50 === 7 ? { reset: 'after' } : index % 50 === 20 ? { status: 500, after: true } : 'ok',
    });
    onTestFinished(() => server.close());
    const edu = program(server.origin, { EDU: `${process.execPath} ${resolve('bin/edu.js')}`, PAUSE: '0' });
    const codes = join(edu.env.EDU_STATE_DIR ?? '', '..', 'codes.csv');
    // A process group, so that the script and its children are killed together.
    const run = () => spawn('bash', [SCRIPT, 'B1', codes], { env: edu.env, stdio: 'pipe', detached: true });
    const first = run();
    while (server.created.length < 100) await new Promise((done) => setTimeout(done, 5));
    process.kill(-(first.pid ?? 0), 'SIGKILL');
    await new Promise((done) => first.on('close', done));
    expect(server.created.length).toBeLessThan(500);

    const second = run();
    let said = '';
    second.stdout.on('data', (chunk) => (said += chunk));
    expect(await new Promise((done) => second.on('close', done))).toBe(0);
    expect(said).toBe(`500 licences exist; their codes are in ${codes}.\n`);
    expect(server.created).toHaveLength(500);
    const rows = readFileSync(codes, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
    expect(new Set(rows.map(([, , , code]) => code))).toEqual(new Set(server.created.map(({ code }) => code)));
    expect(rows.every(([, status]) => status === 'created')).toBe(true);
  },
  60_000,
);
