/** What is not sent any more after a write has failed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home, run, temporaryFolder } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';
import { skipWaits } from '../support/skip-waits.js';

skipWaits();

const user = (id: string) => ({ body: { id, email: `${id}@a.example`, organization: { id: 's1', type: 'School' } } });
const schoolClass = (id: string, usersInClass: readonly string[] = []) => ({
  body: { id, name: id, school: { id: 's1' }, usersInClass },
});

const PEOPLE = {
  'GET /v1/account': {
    body: { id: 'u2', email: 'u2@a.example', firstName: 'A', lastName: 'B', roles: [], permissions: [] },
  },
  'GET /v1/users/u1': user('u1'),
  'GET /v1/users/u2': user('u2'),
  'GET /v1/classes/c1': schoolClass('c1', ['u1']),
  'GET /v1/classes/c2': schoolClass('c2'),
};

test.each([[['u1']], [['--from', 'users.csv']]])(
  'a user whom the new class does not accept stays in the old one: %j',
  async (users) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'users.csv'), 'user\nu1\n');
    const given = users.map((word) => (word.endsWith('.csv') ? join(folder, word) : word));
    const service = await scriptedService({
      ...PEOPLE,
      '*': ({ line }) => (line.startsWith('PUT') ? { status: 400, body: { message: 'full' } } : { body: {} }),
    });
    const ran = await run(['classes', 'move', ...given, '--from-class', 'c1', '--to-class', 'c2'], {
      env: { ...home(), ...service.env },
    });
    expect(ran.code).not.toBe(0);

    const writes = service.sent.map(({ line }) => line).filter((line) => line.startsWith('PUT'));
    expect(writes).toEqual(['PUT /v1/assignClass/assignClassToUser']);
  },
);

test('each user moves or stays on his own, and what was not sent is said', async () => {
  const service = await scriptedService({
    ...PEOPLE,
    'GET /v1/classes/c1': schoolClass('c1', ['u1', 'u2']),
    '*': ({ json }) =>
      JSON.stringify(json)?.includes('"u1"') ? { status: 400, body: { message: 'full' } } : schoolClass('c2'),
  });
  const argv = ['classes', 'move', 'u1', 'u2', '--from-class', 'c1', '--to-class', 'c2'];
  const { code, stderr } = await run(argv, { env: { ...home(), ...service.env } });
  expect([code, stderr]).toEqual([3, expect.stringContaining('Error: 2 of 4 failed, 2 done.\n')]);
  expect(stderr.match(/: not sent, because the previous one failed/g)).toHaveLength(1);
});

test('nothing more is deleted once the service is out of reach', async () => {
  const service = await scriptedService({
    '*': ({ line }) => (line.startsWith('DELETE') ? { status: 503 } : { body: { id: line.split('/').at(-1) } }),
  });
  const argv = ['licenses', 'delete', 'id:7', 'id:8', 'id:9', '--yes', '--retries', '0', '--max-wait', '1s'];
  const { code, stderr } = await run(argv, { env: { ...home(), ...service.env } });
  expect([code, stderr]).toEqual([7, expect.stringContaining('Error: 3 of 3 failed.\n')]);
  expect(stderr.match(/: not sent, because the previous one failed/g)).toHaveLength(2);
  const deleted = service.sent.filter(({ line }) => line.startsWith('DELETE'));
  expect(new Set(deleted.map(({ line }) => line))).toEqual(new Set(['DELETE /v1/licenses/7']));
});
