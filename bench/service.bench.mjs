/** The speed of the bundled service: in process, over HTTP, on long lists, and at its start. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, quantile } from './harness.mjs';
import { load } from './load.mjs';
import { serviceParts } from './service-parts.mjs';

export const title = 'The bundled service';
export const about =
  'Requests per second in one process; requests per second over loopback HTTP, 16 at a time, next to a bare ' +
  '`node:http` server that sends as many bytes; the time for a page of 100 licences among a million next to one ' +
  'among a thousand; the time from the start of `offline serve --memory --seed large` to its ready line.';

const BASE_URL = 'http://service.test';
const COUNT = 20_000;

const range = (numbers) => `${Math.round(quantile(numbers, 0.25))}–${Math.round(quantile(numbers, 0.75))}`;
const ratioRange = (numbers) => `${quantile(numbers, 0.25).toFixed(2)}–${quantile(numbers, 0.75).toFixed(2)}`;

const licence = (number) => ({
  id: String(number).padStart(8, '0'),
  name: `Licence ${number}`,
  code: `bench${number}`,
  type: 'Books',
  bookIds: ['B1'],
  expiration: { type: 'Days', days: 365, date: null },
  maximumActivations: 30,
  numberOfActivations: 0,
  ownerId: 'd1',
  creatorId: 'd1',
  categoryId: '01',
  cancelled: false,
});

function* licences(count) {
  for (let number = 1; number <= count; number++) yield licence(number);
}

async function serviceWith(parts, count) {
  const fill = await parts.seedFill('empty', Date.now());
  const store = await parts.openStore({ fill });
  store.write(() => store.licences.insertMany(licences(count)));
  return parts.createService({ store, clock: Date.now, random: randomBytes, baseUrl: BASE_URL });
}

const ask = (service, token, path) =>
  service.handle({ method: 'GET', url: `${BASE_URL}${path}`, headers: { authorization: `Bearer ${token}` } });

/** @returns requests per second */
async function inProcess(service, token) {
  const start = process.hrtime.bigint();
  for (let number = 0; number < COUNT; number++) {
    const { status } = await ask(service, token, `/v1/licenses/${String((number % 1000) + 1).padStart(8, '0')}`);
    if (status !== 200) throw new Error(`answered ${status}`);
  }
  return COUNT / (Number(process.hrtime.bigint() - start) / 1e9);
}

/** @returns the median time for a page of 100 licences, in milliseconds */
async function page(service, token) {
  const times = [];
  for (let turn = 0; turn < 50; turn++) {
    const start = process.hrtime.bigint();
    const { status } = await ask(service, token, '/v1/licenses?type=BOOKS&limit=100');
    if (status !== 200) throw new Error(`answered ${status}`);
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
  return quantile(times, 0.5);
}

async function started(line) {
  const child = spawn(process.execPath, line, { stdio: ['ignore', 'pipe', 'ignore'], env: cleanEnvironment() });
  const start = process.hrtime.bigint();
  const [data] = await once(child.stdout, 'data');
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { ready: JSON.parse(String(data)), milliseconds, stop };
}

const edu = fileURLToPath(new URL('../bin/edu.js', import.meta.url));

/** Measures our server and a bare one alternately. */
async function overHttp(rounds) {
  const serving = await started([edu, 'offline', 'serve', '--port', '0', '--memory', '--json', '--quiet']);
  const headers = { authorization: `Bearer ${serving.ready.personas.distributor}` };
  const url = `${serving.ready.baseUrl}/v1/licenses/00000002`;
  const bytes = await new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      let size = 0;
      response.on('data', (chunk) => {
        size += chunk.length;
      });
      response.on('end', () => resolve(size));
    })
      .on('error', reject)
      .end();
  });
  const bare = await started([
    '-e',
    `const answer = JSON.stringify({ text: 'x'.repeat(${bytes - 11}) });
     const server = require('node:http').createServer((_, response) => {
       response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
       response.end(answer);
     }).listen(0, '127.0.0.1', () => console.log(JSON.stringify({ baseUrl: 'http://127.0.0.1:' + server.address().port })));`,
  ]);
  const figures = { edu: [], ratio: [] };
  for (let round = 0; round <= rounds; round++) {
    const ours = await load(url, headers, COUNT / 2);
    const theirs = await load(bare.ready.baseUrl, headers, COUNT / 2);
    // The first round warms up the JIT compilers of both.
    if (round === 0) continue;
    figures.edu.push(ours);
    figures.ratio.push(ours / theirs);
  }
  await Promise.all([serving.stop(), bare.stop()]);
  return figures;
}

/** @param {{ rounds: number }} options @returns {Promise<import('./harness.mjs').Table>} */
export async function measure({ rounds }) {
  const turns = Math.min(rounds, 10);
  const { parts, remove } = await serviceParts();
  const token = parts.personaToken('distributor');
  const rows = [];
  try {
    const small = await serviceWith(parts, 1000);
    const rates = [];
    for (let turn = 0; turn <= turns; turn++) rates.push(await inProcess(small, token));
    rates.shift();
    rows.push([
      'GET licences/:id in process, requests/s',
      Math.round(quantile(rates, 0.5)).toString(),
      range(rates),
      '≥ 100000',
    ]);
    const large = await serviceWith(parts, 1_000_000);
    const pages = [];
    for (let turn = 0; turn <= turns; turn++) pages.push((await page(large, token)) / (await page(small, token)));
    pages.shift();
    rows.push([
      'page of 100 of 1,000,000, ratio to 1,000',
      quantile(pages, 0.5).toFixed(2),
      ratioRange(pages),
      '≤ 2.00',
    ]);
    small.close();
    large.close();
  } finally {
    remove();
  }
  const http = await overHttp(turns);
  rows.push([
    'GET licences/:id over HTTP, requests/s',
    Math.round(quantile(http.edu, 0.5)).toString(),
    range(http.edu),
    '',
  ]);
  rows.push([
    'the same, ratio to bare node:http',
    quantile(http.ratio, 0.5).toFixed(2),
    ratioRange(http.ratio),
    '≥ 0.80',
  ]);
  const starts = [];
  for (let turn = 0; turn < turns; turn++) {
    const { milliseconds, stop } = await started([
      edu,
      'offline',
      'serve',
      '--port',
      '0',
      '--memory',
      '--seed',
      'large',
      '--json',
      '--quiet',
    ]);
    starts.push(milliseconds);
    await stop();
  }
  rows.push(['start with the seed large, ms', Math.round(quantile(starts, 0.5)).toString(), range(starts), '≤ 1000']);
  return { head: ['what', 'median', 'middle half', 'target'], rows };
}
