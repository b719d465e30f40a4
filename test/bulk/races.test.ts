/** Another machine creates the same things at the same time: right before each create of this one arrives. */
import { createServer } from 'node:http';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { chunksOf, type Headers, type Method } from '../../src/core/http.js';
import { personaToken } from '../../src/service/personas.js';
import { bundled, closeBundled } from '../support/bundled-service.js';
import { onLoopback } from '../support/loopback.js';
import { skipWaits } from '../support/skip-waits.js';
import { program } from './program.js';

skipWaits();

afterEach(closeBundled);

/** The bundled service, to which another machine sends each create to a path first; the response to one path is lost. */
async function raced(path: string, lost = '/none') {
  const { service, call } = await bundled({ baseUrl: 'http://service.test' });
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const sent = {
      method: request.method as Method,
      url: `http://service.test${request.url}`,
      headers: request.headers as Headers,
      body: Buffer.concat(chunks),
    };
    if (request.method === 'POST' && request.url?.startsWith(path)) await service.handle(sent);
    const { status, headers, body } = await service.handle(sent);
    if (request.method === 'POST' && request.url?.startsWith(lost)) return void response.destroy();
    response.writeHead(status, headers);
    for await (const chunk of chunksOf(body)) response.write(chunk);
    response.end();
  });
  const { origin, close } = await onLoopback(server);
  onTestFinished(close);
  return { call, edu: program(origin, { EDU_TOKEN: personaToken('distributor') }) };
}

test('classes are reported with both IDs, and the remedy', async () => {
  const { edu, call } = await raced('/v1/classes');
  const line = ['classes', 'create', '--school-id', 's1', '--subject-id', '0001', '--from', '-'];
  const { code, stderr } = await edu.run([...line, '--results', '-'], 'name\nAsh\nOak\n');
  const { json: all } = await call('GET', '/v1/schools/s1/classes');
  for (const name of ['Ash', 'Oak']) {
    const ids = all.filter((one: { className: string }) => one.className === name);
    expect(ids).toHaveLength(2);
    for (const { classId } of ids) expect(stderr).toContain(classId);
  }
  expect(code).toBe(3);
  expect(stderr).toMatch(/row 1.*conflict.*Delete one of them: edu classes delete/);
  // One of them is enough for the same line again.
  expect((await edu.run(['jobs', 'retry', 'x'])).code).toBe(5);
  const again = await edu.run([...line, '--json', '--batch', 'again'], 'name\nAsh\nOak\n');
  expect(JSON.parse(again.stdout)).toMatchObject({ exists: 2, created: 0 });
});

const SCHOOL = ['--country', 'NL', '--city', 'Ede'];

test('schools exist, as the service accepts a name only once', async () => {
  const { edu } = await raced('/v1/schools');
  const ran = await edu.run(['schools', 'create', ...SCHOOL, '--from', '-', '--json'], 'name\nAsh\nOak\n');
  expect(JSON.parse(ran.stdout)).toMatchObject({ exists: 2, rejected: 0 });
  expect(ran.code).toBe(0);
});

test('a single class that exists already is not created without a confirmation', async () => {
  const { edu, call } = await raced('/none');
  const line = ['classes', 'create', '--school-id', 's1', '--subject-id', '0001', '--name', 'Elm'];
  const count = async (): Promise<number> =>
    (await call('GET', '/v1/schools/s1/classes')).json.filter((one: { className: string }) => one.className === 'Elm')
      .length;
  expect((await edu.run(line)).code).toBe(0);
  const refused = await edu.run(line);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/class .* exists already. Nothing was sent/),
  ]);
  const shown = await edu.run([...line, '--dry-run']);
  expect([shown.code, shown.stderr]).toEqual([
    0,
    expect.stringMatching(/^Warning: An equal class .* exists already\.$/m),
  ]);
  expect(await count()).toBe(1);
  expect((await edu.run([...line, '--yes'])).code).toBe(0);
  expect(await count()).toBe(2);
});

test('a single class whose response is lost is found, unless an equal one may have existed before', async () => {
  const { edu, call } = await raced('/none', '/v1/classes');
  const line = ['classes', 'create', '--school-id', 's1', '--subject-id', '0001', '--name', 'Elm', '--json'];
  const made = await edu.run(line);
  const { json } = await call('GET', '/v1/schools/s1/classes');
  const { classId } = json.find((one: { className: string }) => one.className === 'Elm');
  expect([made.code, JSON.parse(made.stdout)]).toMatchObject([0, { classId, className: 'Elm' }]);
  const again = await edu.run([...line, '--yes']);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('"kind":"outcome_unknown"')]);
});
