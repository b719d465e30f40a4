/** Bulk jobs wait out an outage of five minutes in each of their phases, single commands one of a minute. */
import { expect, onTestFinished, test } from 'vitest';
import { EduError } from '../../src/core/errors.js';
import { recordingServer } from '../support/recording-server.js';
import { home, run } from '../support/run.js';
import { CALLER } from './program.js';

/**
 * Runs a line until it first waits for a service that is down for an hour at one path.
 * @returns the length of the wait
 */
async function firstWait(argv: readonly string[], input: string, away: string): Promise<string | undefined> {
  const server = await recordingServer(({ url }) => {
    const [path = ''] = url.split('?');
    if (path === away) return { status: 503, headers: { 'retry-after': '3600' } };
    return path in CALLER ? { body: CALLER[path] } : { status: 404, body: {} };
  });
  onTestFinished(() => server.close());
  let wait: string | undefined;
  let stop = (): void => {};
  const after = new Promise<void>((resolve) => (stop = resolve));
  const onShow = (text: string): void => {
    wait ??= /retrying in (\d+m?) ?s?/.exec(text)?.[1];
    if (wait !== undefined) stop();
  };
  const env = { ...home(), EDU_BASE_URL: server.origin, EDU_TOKEN: 'test-token-1234567890', EDU_MAX_WAIT: '' };
  const reason = new EduError('interrupted', 'Interrupted.');
  await run([...argv, '--debug'], { env, input, onShow, stop: { after, reason } });
  return wait;
}

const FIVE_MINUTES = /^(300|299)$/;
const ROWS = 'id,maximum-activations\nL1,5\n';

test.each([
  ['who the caller is', ['licenses', 'assign', 'L1', '--from', '-'], 'user\na@b.example\n', '/v1/account'],
  ['references', ['licenses', 'assign', 'L1', '--from', '-'], 'user\na@b.example\n', '/v1/users/userId/a%40b.example'],
  ['what an update would reset', ['licenses', 'update', '--from', '-'], ROWS, '/v1/licenses/L1'],
])('a job waits for five minutes while it looks up %s', async (_, argv, input, away) => {
  expect(await firstWait(argv, input, away)).toMatch(FIVE_MINUTES);
});

test('a single command waits for a minute', async () => {
  expect(await firstWait(['licenses', 'get', 'L1'], '', '/v1/licenses/L1')).toMatch(/^(60|59)$/);
});

test('a resumed job that nothing answers fails after --retries, because its address is probably wrong', async () => {
  const server = await recordingServer(({ url }) => {
    const [path = ''] = url.split('?');
    return path in CALLER ? { body: CALLER[path] } : { body: { id: 'L1', code: 'a' } };
  });
  const env = { ...home(), EDU_BASE_URL: server.origin, EDU_TOKEN: 'test-token-1234567890' };
  const create = 'licenses create --type Teacher --name A --maximum-activations 1 --count 3'.split(' ');
  expect(await run([...create, '--limit', '1'], { env })).toMatchObject({ code: 0 });
  await server.close();
  const ended = await run([...create, '--retries', '1', '--json'], { env });
  expect(ended).toMatchObject({ code: 7, stderr: expect.stringContaining('connection refused') });
  expect(JSON.parse(ended.stdout)).toMatchObject({ created: 1, left: 2 });
});

test.each([
  ['the same line again', undefined],
  ['a resume', ['jobs', 'resume']],
])('%s also finishes the rows that an outage failed before it stopped the job', async (_, words) => {
  let isDown = true;
  const server = await recordingServer(({ method, url }) => {
    const [path = ''] = url.split('?');
    const id = /L\d/.exec(path)?.[0] ?? '';
    return isDown && method === 'PUT' && id > 'L2'
      ? { status: 500, body: {} }
      : { body: CALLER[path] ?? { id, code: id } };
  });
  onTestFinished(() => server.close());
  const env = { ...home(), EDU_BASE_URL: server.origin, EDU_TOKEN: 'test-token-1234567890' };
  const line = 'licenses cancel --from - --yes --max-wait 1s --retries 1 --json'.split(' ');
  const input = 'id\nL1\nL2\nL3\nL4\nL5\n';
  const stopped = await run(line, { env, input });
  expect([stopped.code, JSON.parse(stopped.stdout)]).toMatchObject([7, { updated: 2, unknown: 2, left: 1 }]);
  isDown = false;
  const { job } = JSON.parse(stopped.stdout);
  const ended = await run(words === undefined ? line : [...words, job, '--json'], { env, input });
  expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([0, { updated: 5 }]);
});

test('a row that was sent when the job stops is left, not "not yet sent"', async () => {
  const answers: Readonly<Record<string, unknown>> = { ...CALLER, '/v1/licenses/L1': { id: 'L1', code: 'a' } };
  const server = await recordingServer(({ method, url }) =>
    method === 'PUT' ? { status: 502, body: {} } : { body: answers[url.split('?')[0] ?? ''] ?? {} },
  );
  onTestFinished(() => server.close());
  const env = { ...home(), EDU_BASE_URL: server.origin, EDU_TOKEN: 'test-token-1234567890' };
  const ended = await run('licenses cancel --from - --yes --max-wait 200ms'.split(' '), { env, input: 'id\nL1\n' });
  expect(server.requests.map(({ method }) => method)).toContain('PUT');
  expect(ended).toMatchObject({ code: 7, stderr: expect.stringMatching(/1 row: 1 left;/) });
});
