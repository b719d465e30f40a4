/** The first command that needs the offline state creates it, also if several start at once. */
import { expect, test } from 'vitest';
import { stateProcesses } from '../support/state-processes.js';

const { path, open } = stateProcesses();

test('eight processes that start at once create the state once', { timeout: 60_000 }, async () => {
  const state = path('at-once');
  const opened = await Promise.all(Array.from({ length: 8 }, () => open(state).done));
  expect(opened.map(({ code }) => code)).toEqual(Array(8).fill(0));
  const [first] = opened.map(({ output }) => output);
  expect(JSON.parse(first ?? '')).toMatchObject({ status: 200, licences: 265, users: 303 });
  expect(opened.map(({ output }) => output)).toEqual(Array(8).fill(first));
});

test('the next process creates the state if the first is killed meanwhile', { timeout: 60_000 }, async () => {
  // At moments spread over the duration of a start.
  for (let moment = 0; moment < 10; moment++) {
    const state = path(`killed-${moment}`);
    const killed = open(state);
    setTimeout(killed.kill, 40 + moment * 15);
    await killed.done;
    const { code, output } = await open(state).done;
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ status: 200, licences: 265, users: 303 });
  }
});
