import { expect, test } from 'vitest';
import { Turns } from '../../../../src/bulk/send/read-write-lock.js';

/** Work that ends when it is told to. */
function work(log: string[], name: string) {
  let end = (): void => {};
  const running = new Promise<void>((resolve) => {
    end = resolve;
  });
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
  const turns = new Turns();
  const log: string[] = [];
  const [a, b, c, look] = ['a', 'b', 'c', 'look'].map((name) => work(log, name)) as [
    ReturnType<typeof work>,
    ReturnType<typeof work>,
    ReturnType<typeof work>,
    ReturnType<typeof work>,
  ];
  const all = [turns.send(a.run), turns.send(b.run), turns.look(look.run), turns.send(c.run)];
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
  const turns = new Turns();
  const log: string[] = [];
  const failing = turns.look(async () => {
    log.push('first');
    throw new Error('no');
  });
  const second = turns.look(async () => log.push('second'));
  const send = turns.send(async () => log.push('send'));
  await expect(failing).rejects.toThrow('no');
  await Promise.all([second, send]);
  expect(log[0]).toBe('first');
  expect(log.slice(1).sort()).toEqual(['second', 'send']);
});

test('is idle when nothing sends, looks up or waits', async () => {
  const turns = new Turns();
  expect(turns.isEmpty).toBe(true);
  const look = work([], 'look');
  const all = [turns.look(look.run), turns.send(async () => 'send'), turns.look(async () => 'again')];
  await turn();
  expect(turns.isEmpty).toBe(false);
  look.end();
  await Promise.race(all);
  expect(turns.isEmpty).toBe(false);
  await Promise.all(all);
  expect(turns.isEmpty).toBe(true);
});

test('releases the lock when a send fails', async () => {
  const turns = new Turns();
  await expect(turns.send(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.look(async () => 'looked')).toBe('looked');
});
