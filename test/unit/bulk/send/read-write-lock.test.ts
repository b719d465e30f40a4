import { expect, test } from 'vitest';
import { ReadWriteLock } from '../../../../src/bulk/send/read-write-lock.js';
import { withResolvers } from '../../../support/with-resolvers.js';

/** Work that ends on request. */
function work(log: string[], name: string) {
  const { promise: running, resolve: end } = withResolvers();
  const run = async (): Promise<string> => {
    log.push(`${name} begins`);
    await running;
    log.push(`${name} ends`);
    return name;
  };
  return { run, end };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('lets sends run in parallel; a look-up waits for them and blocks later ones', async () => {
  const lock = new ReadWriteLock();
  const log: string[] = [];
  const [a, b, c, look] = ['a', 'b', 'c', 'look'].map((name) => work(log, name)) as [
    ReturnType<typeof work>,
    ReturnType<typeof work>,
    ReturnType<typeof work>,
    ReturnType<typeof work>,
  ];
  const all = [lock.send(a.run), lock.send(b.run), lock.look(look.run), lock.send(c.run)];
  await turn();
  expect(log).toEqual(['a begins', 'b begins']);
  b.end();
  await turn();
  expect(log).toEqual(['a begins', 'b begins', 'b ends']);
  a.end();
  await turn();
  expect(log.slice(3)).toEqual(['a ends', 'look begins']);
  c.end();
  await turn();
  expect(log.slice(5)).toEqual([]);
  look.end();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'look', 'c']);
  expect(log.slice(5)).toEqual(['look ends', 'c begins', 'c ends']);
});

test('runs look-ups one after the other, also after a failed one', async () => {
  const lock = new ReadWriteLock();
  const log: string[] = [];
  const failing = lock.look(async () => {
    log.push('first');
    throw new Error('no');
  });
  const second = lock.look(async () => log.push('second'));
  const send = lock.send(async () => log.push('send'));
  await expect(failing).rejects.toThrow('no');
  await Promise.all([second, send]);
  expect(log[0]).toBe('first');
  expect(log.slice(1).sort()).toEqual(['second', 'send']);
});

test('is idle when nothing sends, looks up or waits', async () => {
  const lock = new ReadWriteLock();
  expect(lock.isEmpty).toBe(true);
  const look = work([], 'look');
  const all = [lock.look(look.run), lock.send(async () => 'send'), lock.look(async () => 'again')];
  await turn();
  expect(lock.isEmpty).toBe(false);
  look.end();
  await Promise.race(all);
  expect(lock.isEmpty).toBe(false);
  await Promise.all(all);
  expect(lock.isEmpty).toBe(true);
});
