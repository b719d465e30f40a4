/** Commands that need confirmation, without a terminal. */
import { expect, test } from 'vitest';
import { run } from '../../support/run.js';
import { existing, scriptedService } from '../../support/scripted-service.js';
import { table } from './refused.js';

table('what destroys is not done unasked', [
  ['licenses delete l1', 'Refusing to delete', 'licence l1', '--yes'],
  ['licenses cancel l1 l2', 'Refusing to cancel 2 licences', 'l1 l2', '--yes'],
  ['users anonymize u1', 'Refusing to anonymize', 'user u1', '--yes'],
  ['licenses delete code:autumn', 'Refusing to delete', 'licence code:autumn', '--yes'],
  ['licenses cancel --from FOLDER/licences.csv', 'Refusing to cancel 2 licences', '--yes'],
]);

test('--no-input and EDU_NO_INPUT suppress questions on a terminal', async () => {
  const service = await scriptedService({});
  const line = ['licenses', 'delete', 'l1'];
  const runs = [
    await run([...line, '--no-input'], { env: service.env, terminal: 80 }),
    await run(line, { env: { ...service.env, EDU_NO_INPUT: '1' }, terminal: 80 }),
    await run(['publishers', 'create', '--no-input'], { env: service.env, terminal: 80 }),
  ];
  expect(runs.map(({ code }) => code)).toEqual([2, 2, 2]);
  expect(service.sent).toEqual([]);
});

test('refuses to anonymize the account that is logged in', async () => {
  const service = await scriptedService({
    ...existing('users/u1', 'users/u2'),
    'GET /v1/account': { body: { id: 'u1', email: 'a@b.example' } },
  });
  const ran = await run(['users', 'anonymize', 'u2', 'u1', '--yes'], { env: service.env });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('Refusing to anonymize user u1: this is the account you are logged in as.');
  expect(service.sent.filter(({ line }) => !line.startsWith('GET '))).toEqual([]);
});
