/** Time and memory of plans and rosters of many users, and the speed of `edu apply` compared with a bulk job. */
import { spawn } from 'node:child_process';
import { once as happens } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, quantile, watched } from './harness.mjs';
import { CLASSES, ENROLMENTS, LICENCES, seed, USERS, writeRoster } from './plan-data.mjs';

const count = (/** @type {number} */ number) => number.toLocaleString('en-GB');

export const title = 'Plans and rosters';
export const about =
  `A wanted state of ${count(USERS)} users, ${count(CLASSES)} classes and ${count(LICENCES)} licences, 600 of which differ, ` +
  'against a service on loopback (targets: 10 s of processor time, 250 MB); a OneRoster folder of the same people with ' +
  `${count(ENROLMENTS)} enrolments, one in 200 of which was removed (target: 200 MB), and one of four times as many; 2,000 licences created by a plan and by a bulk job, alternately.`;

const EDU = fileURLToPath(new URL('../bin/edu.js', import.meta.url));
const STEPS = 2000;

/** Starts the bundled service. @param {string} file seed @param {Readonly<Record<string, string>>} env */
async function serve(file, env) {
  const line = ['offline', 'serve', '--memory', '--seed', file, '--port', '0', '--json', '--quiet'];
  const child = spawn(process.execPath, [EDU, ...line], {
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [ready] = await happens(child.stdout, 'data');
  const { baseUrl, personas } = JSON.parse(String(ready));
  return { child, baseUrl, token: personas.distributor ?? Object.values(personas)[0] };
}

/** One user in 100 has another last name, one licence in 200 one activation more. @param {string} folder */
function writeWantedState(folder) {
  const users = Array.from({ length: USERS }, (_, index) => {
    const last = index % 100 === 0 ? `Other${index}` : `Last${index}`;
    return JSON.stringify({ id: `u${index}`, firstName: `First${index}`, lastName: last });
  });
  writeFileSync(join(folder, 'users.ndjson'), `${users.join('\n')}\n`);
  const licences = Array.from({ length: LICENCES }, (_, index) =>
    JSON.stringify({
      code: `bench${index}`,
      name: `Licence ${index}`,
      maximumActivations: index % 200 === 0 ? 31 : 30,
    }),
  );
  writeFileSync(join(folder, 'licenses.ndjson'), `${licences.join('\n')}\n`);
  const classes = Array.from({ length: CLASSES }, (_, index) =>
    JSON.stringify({ id: `c${index}`, className: `Class ${index}` }),
  );
  writeFileSync(join(folder, 'classes.ndjson'), `${classes.join('\n')}\n`);
}

/** @param {{ rounds: number }} options @returns {Promise<import('./harness.mjs').Table>} */
export async function measure({ rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'edu-bench-'));
  const file = (/** @type {string} */ name) => join(folder, name);
  writeFileSync(file('seed.json'), JSON.stringify(seed()));
  const state = { EDU_CONFIG_DIR: file('config'), EDU_STATE_DIR: file('state') };
  const { child, baseUrl, token } = await serve(file('seed.json'), state);
  const env = { ...state, EDU_BASE_URL: baseUrl, EDU_TOKEN: token, EDU_CODE_SECRET: 'bench' };
  const edu = (/** @type {string} */ name, /** @type {readonly string[]} */ line) => ({
    name,
    line: [process.execPath, EDU, ...line],
    env,
  });
  try {
    mkdirSync(file('want'));
    writeWantedState(file('want'));
    writeRoster(file('roster'));
    writeRoster(file('roster4'), 4);
    const measured = [
      [edu('edu plan', ['plan', file('want'), '--out', file('a.plan')]), 10],
      [edu('edu roster check', ['roster', 'check', file('roster')]), 0],
      [edu('the same of four times as many', ['roster', 'check', file('roster4')]), 0],
      [edu('edu roster plan', ['roster', 'plan', file('roster'), '--out', file('roster.plan')]), 10],
    ];
    const rows = [];
    for (const [command, code] of measured) {
      const runs = [];
      for (let round = 0; round < Math.min(rounds, 3); round++) runs.push(await watched(command, code));
      const middle = (/** @type {'time' | 'cpu' | 'peak'} */ which) =>
        quantile(
          runs.map((run) => run[which]),
          0.5,
        );
      rows.push([
        command.name,
        `${(middle('time') / 1000).toFixed(1)} s`,
        `${middle('cpu').toFixed(1)} s`,
        `${Math.round(middle('peak'))} MB`,
      ]);
    }
    const applied = [];
    const jobs = [];
    for (let round = 0; round < Math.min(rounds, 3); round++) {
      const want = file(`want${round}`);
      mkdirSync(want);
      const codes = Array.from({ length: STEPS }, (_, index) => `plan${round}x${index},L,Teacher,5`);
      writeFileSync(join(want, 'licenses.csv'), `code,name,type,maximumActivations\n${codes.join('\n')}\n`);
      writeFileSync(
        file('rows.csv'),
        `code,name,type,maximum-activations\n${codes.map((row) => `job${row}`).join('\n')}\n`,
      );
      const plan = file(`b${round}.plan`);
      await watched(edu('edu plan', ['plan', want, '--out', plan]), 10);
      const { hash } = JSON.parse(readFileSync(plan, 'utf8').split('\n', 1)[0] ?? '');
      applied.push(await watched(edu('edu apply', ['apply', plan, '--confirm', hash])));
      jobs.push(await watched(edu('bulk', ['licenses', 'create', '--from', file('rows.csv')])));
    }
    const times = (/** @type {readonly { time: number }[]} */ runs) => runs.map(({ time }) => time);
    const ratio = quantile(
      applied.map(({ time }, round) => time / (jobs[round]?.time ?? Number.NaN)),
      0.5,
    );
    for (const [name, runs] of /** @type {const} */ ([
      [`edu apply, ${count(STEPS)} creates`, applied],
      ['the same as a bulk job', jobs],
    ]))
      rows.push([
        name,
        `${(quantile(times(runs), 0.5) / 1000).toFixed(1)} s`,
        `${quantile(
          runs.map(({ cpu }) => cpu),
          0.5,
        ).toFixed(1)} s`,
        `${Math.round(
          quantile(
            runs.map(({ peak }) => peak),
            0.5,
          ),
        )} MB`,
      ]);
    rows.push(['apply to bulk job', ratio.toFixed(2), '', '']);
    return { head: ['what', 'time', 'processor time', 'peak memory'], rows };
  } finally {
    child.kill('SIGTERM');
    await happens(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}
