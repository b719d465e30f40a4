/** Licences that the caller created for a school: it may change them, but read them only in `GET licenses`. */
import { beforeEach, expect, test } from 'vitest';
import { offline, summaryOf } from './on-the-bundled-service.js';

let machine: ReturnType<typeof offline>;
/** IDs and codes of the licences. */
let made: readonly { readonly id: string; readonly code: string }[];

beforeEach(async () => {
  machine = offline();
  const create = 'licenses create --type Teacher --organization s1 --maximum-activations 3 --job made --count 3';
  expect((await machine.edu([...create.split(' '), '--name', 'For a school'])).code).toBe(0);
  made = (await machine.json('licenses', 'list')).filter(({ name }: { name: string }) => name === 'For a school');
  expect((await machine.edu(['licenses', 'get', made[0]?.id ?? ''])).code).toBe(6);
});

const shown = async () =>
  (await machine.json('licenses', 'list', '--fields', 'id,name,maximumActivations'))
    .filter(({ id }: { id: string }) => made.some((one) => one.id === id))
    .map(({ name, maximumActivations }: Record<string, unknown>) => `${name} ${maximumActivations}`);

test('are updated by ID and by code, which are found in the list', async () => {
  const [first, second] = made;
  const one = await machine.edu(['licenses', 'update', first?.id ?? '', '--name', 'A', '--reset-license-category']);
  expect(one, one.stderr).toMatchObject({ code: 0 });
  const rows = `licence,name,maximumActivations\n${first?.id},,5\ncode:${second?.code},B,\n`;
  const many = await machine.edu(['licenses', 'update', '--from', '-', '--reset-license-category'], rows);
  expect(many, many.stderr).toMatchObject({ code: 0 });
  expect(await shown()).toEqual(['A 5', 'B 3', 'For a school 3']);
});

test('are assigned, cancelled and deleted by code', async () => {
  const [first, second] = made.map(({ code }) => `code:${code}`);
  const assigned = await machine.edu(['licenses', 'assign', first ?? '', '0000000154']);
  expect(assigned, assigned.stderr).toMatchObject({ code: 0 });
  for (const verb of ['cancel', 'delete']) {
    const ended = await machine.edu(['licenses', verb, '--from', '-', '--yes', '--json'], `licence\n${second}\n`);
    expect(summaryOf(ended)).toMatchObject({ updated: 1 });
  }
  expect(await shown()).toHaveLength(2);
});

test('are cancelled by an undo if they have been activated', async () => {
  await machine.edu(['licenses', 'assign', made[0]?.id ?? '', '0000000154']);
  const kept = await machine.edu(['jobs', 'undo', 'made', '--yes']);
  expect(kept).toMatchObject({ code: 3, stderr: expect.stringContaining('it has been activated once') });
  expect((await machine.edu(['jobs', 'undo', 'made', '--yes', '--cancel-activated'])).code).toBe(0);
});
