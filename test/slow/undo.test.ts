/** `edu jobs undo` of many licences, also killed at random moments. */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { program } from '../bulk/program.js';

const CREATE = 'licenses create --type Teacher --name Undo --maximum-activations 1 --job all'.split(' ');

function machine() {
  const one = program('http://127.0.0.1:9', { EDU_OFFLINE: '1' });
  const ids = async (): Promise<readonly string[]> => {
    const { stdout } = await one.run(['licenses', 'list', '--json']);
    return JSON.parse(stdout).flatMap(({ id, name }: Record<string, string>) => (name === 'Undo' ? [id] : []));
  };
  return { ...one, ids };
}

test('undoes 300 licences, 3 of them activated', async () => {
  const { run, ids } = machine();
  expect((await run([...CREATE, '--count', '300'])).code).toBe(0);
  const used = (await ids()).slice(150, 153);
  for (const id of used) expect((await run(['licenses', 'assign', id, '0000000155'])).code).toBe(0);
  expect((await run(['jobs', 'undo', 'all', '--yes'])).code).toBe(3);
  expect(await ids()).toEqual(used);
  const cancelled = await run(['jobs', 'undo', 'all', '--yes', '--cancel-activated', '--json']);
  expect([cancelled.code, JSON.parse(cancelled.stdout)]).toMatchObject([0, { updated: 3 }]);
}, 300_000);

test('finishes when it is run again after SIGKILL at any moment', async () => {
  const { run, start, ids } = machine();
  // So many that an undo takes longer than the longest delay before a kill.
  expect((await run([...CREATE, '--count', '2000'])).code).toBe(0);
  let kills = 0;
  for (let tries = 0; tries < 12; tries++) {
    const { child, ended } = start(['jobs', 'undo', 'all', '--yes']);
    await Promise.race([ended, delay(randomInt(150, 500))]);
    child.kill('SIGKILL');
    if ((await ended).code !== null) break;
    kills++;
  }
  expect(kills).toBeGreaterThan(0);
  expect((await run(['jobs', 'undo', 'all', '--yes'])).code).toBe(0);
  expect(await ids()).toEqual([]);
  expect((await run(['jobs', 'undo', 'all', '--yes'])).stderr).toContain('Nothing to do');
}, 300_000);
