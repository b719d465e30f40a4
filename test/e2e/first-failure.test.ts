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

test('nothing more is deleted once the service is out of reach', async () => {
  const service = await scriptedService({
    '*': ({ line }) => (line.startsWith('DELETE') ? { status: 503 } : { body: { id: line.split('/').at(-1) } }),
  });
  const argv = ['licenses', 'delete', 'id:7', 'id:8', 'id:9', '--yes', '--retries', '0', '--max-wait', '1s'];
  expect((await run(argv, { env: { ...home(), ...service.env } })).code).toBe(7);
  const deleted = service.sent.filter(({ line }) => line.startsWith('DELETE'));
  expect(new Set(deleted.map(({ line }) => line))).toEqual(new Set(['DELETE /v1/licenses/7']));
});
