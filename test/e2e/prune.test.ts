/** `edu jobs prune`: removes the records of finished work, and says how many. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { home, run } from '../support/run.js';

const CREATE = ['licenses', 'create', '--type', 'Teacher', '--maximum-activations', '1', '--name', 'Autumn'];
const PRUNE = ['jobs', 'prune', '--older-than', '0s'];

function machine() {
  const env = { ...home(), EDU_OFFLINE: '1' };
  return { env, edu: (...argv: readonly string[]) => run(argv, { env, randomBytes }) };
}

test('says in a pipe how many jobs were removed, on stderr', async () => {
  const { edu } = machine();
  await edu(...CREATE, '--count', '2', '--quiet');
  await edu(...CREATE, '--count', '9', '--limit', '1', '--quiet');
  expect(await edu(...PRUNE)).toEqual({ code: 0, stdout: '', stderr: 'Removed 1 finished job.\n' });
  expect(await edu(...PRUNE)).toEqual({ code: 0, stdout: '', stderr: 'Removed 0 finished jobs.\n' });
  expect(await edu(...PRUNE, '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
});
