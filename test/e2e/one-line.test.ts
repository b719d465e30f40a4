/** What administrators do in one line: a licence for a class, and the codes of new licences. */

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { home, run } from '../support/run.js';

const offline = () => {
  const env = { ...home(), EDU_OFFLINE: '1' };
  return (line: string, more: { readonly terminal?: number; readonly input?: string } = {}) =>
    run(line.split(' '), { env, randomBytes, ...more });
};

describe('--class of an assignment', () => {
  it.each(['licenses assign 00000002', 'subscriptions assign sub1'])(
    'names the members of a class: %s',
    async (line) => {
      const edu = offline();
      const { stdout } = await edu('classes get c1 --query usersInClass --json');
      const { code, stdout: requests } = await edu(`${line} --class 5a --school s1 --dry-run --json`);
      const sent = (JSON.parse(requests) as { body: { userId: string } }[]).map(({ body }) => body.userId);
      expect([code, sent]).toEqual([0, JSON.parse(stdout)]);
    },
  );

  it('is also a column of a file', async () => {
    const { code, stderr } = await offline()('licenses assign --from -', { input: 'licence,class\n00000002,c1\n' });
    expect([code, stderr]).toEqual([0, expect.stringContaining('1 row: 1 done')]);
  });

  it.each([
    ['licenses assign 00000002 0000000155 --class c1', '--class cannot be given together with USER; use one of them.'],
    ['licenses assign 00000002', 'USER is missing'],
  ])('replaces USER: %s', async (line, message) => {
    expect(await offline()(line)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe('the codes of new licences', () => {
  const create = (count: number) =>
    `licenses create --count ${count} --name X --type Teacher --maximum-activations 1 --no-input`;
  it.each([
    ['a terminal', create(2), 100, 2],
    ['a terminal', create(51), 100, 0],
    ['a terminal', `${create(51)} -o table`, 100, 51],
    ['a pipe', create(2), undefined, 0],
    ['a pipe', `${create(2)} -o table`, undefined, 2],
  ])('are printed to %s: %s', async (_, line, terminal, codes) => {
    const { code, stdout } = await offline()(line, terminal === undefined ? {} : { terminal });
    expect([code, stdout.match(/ created +\S+ +[a-z2-9]{16}$/gm) ?? []]).toEqual([
      0,
      expect.objectContaining({ length: codes }),
    ]);
  });
});

it('asks for the language of the e-mail unless it is known', async () => {
  const line = 'users create --first-name A --last-name B --email a@b.example --dry-run --json';
  for (const [more, language] of [
    ['', 'EN'],
    [' --language FR', 'FR'],
  ] as const)
    expect(JSON.parse((await offline()(line + more)).stdout)[0].body.language).toBe(language);
});

describe('edu undo without a receipt', () => {
  it('lists the last receipts and jobs, or lets the user choose on a terminal', async () => {
    const env = { ...home(), EDU_OFFLINE: '1', EDU_PLAIN: '1' };
    const edu = (line: string, more: Parameters<typeof run>[1] = {}) =>
      run(line.split(' '), { env, randomBytes, ...more });
    expect((await edu('undo')).stderr).toContain('RECEIPT is missing, and there is no receipt or job on this machine.');
    const receipt = join(env.EDU_STATE_DIR, 'receipt');
    for (const id of ['00000002', '00000003']) await edu(`licenses sync ${id} --class c1 --yes --receipt ${receipt}`);
    await edu('licenses create --count 2 --name X --type Teacher --maximum-activations 1 --job autumn');
    const { code, stderr } = await edu('undo');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/RECEIPT is missing.*edu jobs undo autumn.*edu undo \//s),
    ]);
    // The second receipt has replaced the first one.
    const listed = [...stderr.matchAll(/ - receipt (.*): edu undo (.*)/g)].map(([, place, kept]) => [place, kept]);
    expect(listed.map(([place]) => place)).toEqual([receipt, receipt]);
    for (const [index, id] of ['00000003', '00000002'].entries())
      expect(readFileSync(listed[index]?.[1] ?? '', 'utf8')).toContain(`"licenseId":"${id}"`);
    expect((await edu('undo --offline')).stderr).toMatch(
      /edu jobs undo autumn --offline\n.*edu undo \/\S+ --offline\n/s,
    );
    const undone = await edu('undo', { terminal: 200, answers: ['1', 'y'] });
    expect([undone.code, undone.stderr]).toEqual([0, expect.stringContaining('2 rows: 2 done')]);
  });
});

it('names the pipe when a job from stdin needs a confirmation', async () => {
  const { code, stderr } = await offline()('licenses cancel --from -', { input: '00000001\n' });
  expect([code, stderr]).toEqual([
    2,
    'Error: Refusing to cancel 1 licence without confirmation; nothing was sent.\n' +
      'Hint: Pass --yes to confirm: COMMAND | edu licenses cancel --from=- --yes\n',
  ]);
});
