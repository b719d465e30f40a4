/** `edu apply`, killed at random moments. */
import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { program } from '../bulk/program.js';
import { temporaryFolder } from '../support/run.js';

const USERS = 120;
const CLASSES = 12;

test('carries out each step once after SIGKILL at any moment', async () => {
  const { run, start } = program('http://127.0.0.1:9', { EDU_OFFLINE: '1' });
  const folder = temporaryFolder();
  const want = join(folder, 'want');
  mkdirSync(want);
  const email = (index: number): string => `new${index}@s1.example.org`;
  const users = Array.from({ length: USERS }, (_, index) => `${email(index)},First,Last,s1,Teacher\n`);
  writeFileSync(join(want, 'users.csv'), `email,firstName,lastName,school,roles\n${users.join('')}`);
  const classes = Array.from({ length: CLASSES }, (_, index) => {
    const members = Array.from({ length: USERS / CLASSES }, (__, each) => email(index * (USERS / CLASSES) + each));
    return `s1,new${index},Biology,${members.join(';')}\n`;
  });
  writeFileSync(join(want, 'classes.csv'), `school,class,subject,users\n${classes.join('')}`);
  const licenses = Array.from({ length: 60 }, (_, index) => `crash${index},L,Teacher,5,${email(index)}\n`);
  writeFileSync(join(want, 'licenses.csv'), `code,name,type,maximumActivations,endUsers\n${licenses.join('')}`);
  const plan = join(folder, 'a.plan');
  expect((await run(['plan', want, '--out', plan])).code).toBe(10);
  const { hash } = JSON.parse(readFileSync(plan, 'utf8').split('\n')[0] ?? '') as { hash: string };
  const line = ['apply', plan, '--confirm', hash];
  let kills = 0;
  for (let tries = 0; tries < 14; tries++) {
    const { child, ended } = start(line);
    // The first ones hit the start and the first steps on a fast machine, the last ones the end on a slow one.
    await Promise.race([ended, delay(120 + 60 * tries + randomInt(100))]);
    if (child.exitCode === null) kills++;
    child.kill('SIGKILL');
    await ended;
  }
  expect(kills).toBeGreaterThan(0);
  const last = await run([...line, '--json']);
  expect([last.code, last.stderr]).toEqual([0, '']);
  const steps = 2 * USERS + CLASSES + 2 * 60;
  expect(JSON.parse(last.stdout)).toMatchObject({ steps, done: steps, exists: 0 });
  const names = async (argv: readonly string[], field: string): Promise<readonly string[]> => {
    const items = JSON.parse((await run([...argv, '--json'])).stdout) as Record<string, string>[];
    return items.flatMap(({ [field]: name = '' }) => (/^(new|crash)\d/.test(name) ? [name] : []));
  };
  const made = await names(['users', 'list', '--organization', 's1', '--organization-type', 'School'], 'email');
  expect([made.length, new Set(made).size]).toEqual([USERS, USERS]);
  const named = await names(['classes', 'list', '--school', 's1'], 'className');
  expect([named.length, new Set(named).size]).toEqual([CLASSES, CLASSES]);
  expect((await run(['plan', want])).code).toBe(0);
}, 300_000);
