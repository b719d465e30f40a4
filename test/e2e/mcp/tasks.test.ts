/** Everyday tasks with an assistant, through the official client, on the sample data. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answered, accepting, assistant } from '../../support/assistant.js';
import { home, run } from '../../support/run.js';

/** Notes the questions, and accepts. */
const confirming = (asked: string[]) => (question: Parameters<typeof accepting>[0]) => {
  asked.push(String(question.message));
  return accepting(question);
};

const WANT = {
  users: [{ email: 'noor.azmi@s1.example.org', firstName: 'Noor', lastName: 'Azmi', school: 's1', roles: ['Teacher'] }],
  classes: [
    {
      school: 's1',
      class: '7b',
      subject: 'Biology',
      users: ['noor.azmi@s1.example.org', 'antonia.paixao.160@s1.example.org'],
    },
  ],
};

const classesOf = async (env: ReturnType<typeof home>): Promise<Answered[]> =>
  JSON.parse((await run(['--offline', 'classes', 'list', '--school', 's1', '--json'], { env })).stdout).filter(
    ({ deactivationDate }: Answered) => deactivationDate === null,
  );

describe('who runs out before summer', () => {
  it('is read with the end and the users of each licence', async () => {
    const { call, client } = await assistant(['--offline']);
    const { messages } = await client.getPrompt({ name: 'licences_running_out', arguments: { before: '+200d' } });
    expect(JSON.stringify(messages)).toContain('expires-before +200d');
    const flags = {
      'expires-before': '+200d',
      fields: 'code,expiration.date,numberOfActivations',
      sort: 'expiration.date',
    };
    const { items, data, notes } = await call('read', { command: 'licenses list', flags });
    expect(items).toBeGreaterThan(0);
    expect(Object.keys(data[0])).toEqual(['code', 'expiration', 'numberOfActivations']);
    expect(notes.join('\n')).toMatch(/licences are left out/);
  });
});

describe("a new term's class lists", () => {
  it.each([false, true])('are planned, confirmed by a person, and undone (protocol of 2026: %s)', async (isModern) => {
    const asked: string[] = [];
    const env = home();
    const { call } = await assistant(['--offline', '--allow-apply'], { env, person: confirming(asked), isModern });
    const before = await classesOf(env);
    const plan = await call('plan', { want: WANT, arguments: [] });
    expect(plan).toMatchObject({
      isError: false,
      hash: expect.stringMatching(/^[0-9a-f]{8}$/),
      summary: expect.stringMatching(/^4 to add, 1 e-mail\. Plan /),
      text: expect.stringContaining('+ class'),
      person_runs: expect.stringMatching(/^edu apply \S+\.plan --confirm \w{8} --offline$/),
    });
    expect(await classesOf(env)).toEqual(before);

    const applied = await call('apply', { hash: plan.hash });
    expect(applied).toMatchObject({ applied: true, undo: plan.hash, data: [{ steps: 4, done: 4 }] });
    expect(asked).toEqual([expect.stringMatching(/^Apply plan \w{8}\? 4 to add, 1 e-mail/)]);
    expect((await classesOf(env)).length).toBe(before.length + 1);
    expect(await call('plan', { want: WANT })).not.toHaveProperty('hash');

    const undo = await call('plan', { undo: plan.hash });
    expect(await call('apply', { hash: undo.hash })).toMatchObject({ applied: true });
    expect(await classesOf(env)).toEqual(before);
  });

  it('are not applied unless the person types the hash', async () => {
    for (const answer of [
      { action: 'decline' as const },
      { action: 'cancel' as const },
      { action: 'accept' as const, content: { hash: 'abc' } },
      { action: 'accept' as const, content: { hash: '' } },
      { action: 'accept' as const, content: {} },
    ]) {
      const { call, env } = await assistant(['--offline', '--allow-apply'], { person: () => answer });
      const { hash } = await call('plan', { want: { users: WANT.users } });
      expect(await call('apply', { hash })).toMatchObject({
        applied: false,
        why: expect.stringContaining('Nothing was sent'),
      });
      expect((await run(['--offline', 'users', 'find', 'noor.azmi@s1.example.org'], { env })).code).toBe(5);
    }
  });

  it('are left to a person if the assistant cannot ask, or may not apply', async () => {
    const { call, env } = await assistant(['--offline', '--allow-apply']);
    const { hash, person_runs: line } = await call('plan', { want: WANT });
    expect(await call('apply', { hash })).toMatchObject({ applied: false, person_runs: line });
    expect(await call('apply', { hash: '00000000' })).toMatchObject({ isError: true, error: { kind: 'usage' } });
    // The printed line works as it is.
    expect((await run(line.split(' ').slice(1), { env, randomBytes })).code).toBe(0);
    const { call: callWithout } = await assistant(['--offline']);
    await expect(callWithout('apply', { hash })).rejects.toThrow('not found');
  });
});

describe('rows of a write', () => {
  it('are shown as requests, and sent after a confirmation that counts e-mails', async () => {
    const asked: string[] = [];
    const { call, env } = await assistant(['--offline', '--allow-apply'], { person: confirming(asked) });
    const rows = [
      { email: 'ada@s1.example', 'first-name': 'Ada', 'last-name': 'L', role: 'Teacher' },
      { email: 'bo@s1.example', 'first-name': 'Bo', 'last-name': 'K', role: 'Teacher' },
    ];
    const plan = await call('plan', { command: 'users create', flags: { organization: 's1', language: 'EN' }, rows });
    expect(plan).toMatchObject({ summary: 'users create: 2 requests, e-mails: 2, removals: 0' });
    expect(plan.text.split('\n')[0]).toMatch(/^POST \S+\/v1\/users \{"firstName":"Ada"/);
    expect(await call('apply', { hash: plan.hash })).toMatchObject({ applied: true, data: [{ rows: 2, created: 2 }] });
    expect(asked[0]).toContain('2 requests, e-mails: 2, removals: 0');
    expect((await run(['--offline', 'users', 'find', 'bo@s1.example'], { env })).code).toBe(0);
  });

  it('count removals, and refuse files, other commands and invalid rows', async () => {
    const { call, env } = await assistant(['--offline']);
    expect(await call('plan', { command: 'licenses delete', rows: [{ licence: 'code:0012345' }] })).toMatchObject({
      summary: 'licenses delete: 1 request, e-mails: 0, removals: 1',
      person_runs: expect.stringMatching(/\.rows\.json --offline --$/),
    });
    const { data } = await call('read', { command: 'schools classes', arguments: ['s1'], flags: { limit: 5 } });
    const { classId, usersInClass } = data.find((one: Answered) => one.usersInClass?.length > 1);
    const member = { class: `id:${classId}`, user: usersInClass[0] };
    expect(await call('plan', { command: 'classes unassign', rows: [member] })).toMatchObject({
      summary: 'classes unassign: 1 request, e-mails: 0, removals: 1',
    });
    for (const given of [
      { command: 'licenses create', flags: { from: '/etc/passwd' }, rows: [{ name: 'x' }] },
      { command: 'licenses create', flags: { results: '/tmp/x' }, rows: [{ name: 'x' }] },
      { command: 'readers create', rows: [{ title: 'x', pdf: '/etc/passwd' }] },
      { command: 'files upload', rows: [{ file: '/etc/passwd' }] },
      { command: 'licenses list', rows: [{}] },
      { command: 'classes sync', arguments: ['c1'], rows: [{ id: '0000000155' }] },
      { command: 'licenses create', rows: [{ nosuch: 'x' }] },
      { command: 'licenses create', undo: '12345678' },
      { undo: '../../../etc' },
      { want: WANT, flags: { out: '/tmp/x' } },
      { want: { users: [{ email: 'x' }] } },
    ])
      expect(await call('plan', given), JSON.stringify(given)).toMatchObject({
        isError: true,
        error: { kind: 'usage' },
      });
    const plans = join(env.EDU_STATE_DIR ?? '', 'mcp', 'plans');
    expect(existsSync(plans) ? readdirSync(plans).filter((name) => !/^[0-9a-f]{64}\.rows/.test(name)) : []).toEqual([]);
  });
});

describe('why a code does not work', () => {
  it('is found by reading the licence, its activations and the licences of the person', async () => {
    const { call } = await assistant(['--offline']);
    expect(await call('read', { command: 'licenses get', arguments: ['code:WELCOME1'] })).toMatchObject({ items: 1 });
    expect(
      (await call('read', { command: 'licenses activations', arguments: ['code:welcome1'] })).items,
    ).toBeGreaterThan(0);
    const user = await call('read', { command: 'users licenses', arguments: ['school@example.org'] });
    expect(user.isError).toBe(false);
    const { error } = await call('read', { command: 'licenses get', arguments: ['code:welcme1'] });
    expect(error).toMatchObject({ kind: 'not_found' });
    const { kinds } = await call('explain_error', { kind: error.kind });
    expect(kinds).toMatchObject([{ advice: expect.stringContaining('search') }]);
  });
});
