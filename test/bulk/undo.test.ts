/** `edu jobs undo` undoes a job as far as the API can. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loseResponses } from '../support/lost-responses.js';
import { offline } from '../support/offline.js';
import { home, run } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';
import { skipWaits } from '../support/skip-waits.js';
import { CALLER } from './program.js';

skipWaits();

function machine() {
  const { write: file, ...one } = offline();
  const { json } = one;
  const ids = async (): Promise<readonly string[]> =>
    (await json('licenses', 'list'))
      .filter(({ name }: { name: string }) => name === 'Undo')
      .map(({ id }: { id: string }) => id);
  return { ...one, file, ids };
}

const licences = (count: number): readonly string[] => [
  ...['licenses', 'create', '--count', String(count), '--type', 'Teacher', '--name', 'Undo'],
  ...['--maximum-activations', '1', '--job', 'autumn'],
];

describe('edu jobs undo', () => {
  test('deletes 57 of 60 licences, names the 3 activated ones, and cancels them with --cancel-activated', async () => {
    const { edu, json, ids, path } = machine();
    await edu(...licences(60));
    const used = (await ids()).slice(30, 33);
    for (const id of used) await edu('licenses', 'assign', id, '0000000155');

    const refused = await edu('jobs', 'undo', 'autumn');
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'Refusing to delete 60 licences created by the job autumn without confirmation; nothing was sent.\n' +
          'Hint: Pass --yes to confirm: edu jobs undo autumn --yes\n',
      ),
    });
    expect(await ids()).toHaveLength(60);

    const dry = await edu('jobs', 'undo', 'autumn', '--dry-run');
    expect([dry.code, dry.stderr]).toEqual([3, expect.stringContaining('to cancel it, add --cancel-activated')]);

    const failed = path('failed.csv');
    const first = await edu('jobs', 'undo', 'autumn', '--yes', '--failed', failed);
    expect([first.code, first.stderr]).toEqual([
      3,
      expect.stringContaining('3 of 60 licences created by the job autumn could not be undone.'),
    ]);
    expect(first.stderr).toContain(
      `Cannot delete licence ${used[0]}: it has been activated once; to cancel it, add --cancel-activated.`,
    );
    expect(await ids()).toEqual(used);
    // Rows that no file had are objects.
    const lines = readFileSync(failed, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id).sort()).toEqual([...used].sort());

    expect(await json('jobs', 'undo', 'autumn', '--yes', '--cancel-activated')).toMatchObject({
      updated: 3,
      done: true,
    });
    const again = await edu('jobs', 'undo', 'autumn', '--yes');
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Nothing to do')]);
    expect(await json('jobs', 'undo', 'autumn', '--yes')).toMatchObject({ command: 'jobs undo', rows: 0, done: true });
    expect(await json('jobs', 'undo', 'autumn', '--dry-run')).toMatchObject({ requests: [], rows: 0 });
    const results = (await edu('jobs', 'show', 'autumn', '--results', '-')).stdout;
    expect(results.match(/(deleted|cancelled) by edu jobs undo/g)).toHaveLength(60);
    expect(results).toContain('cancelled by edu jobs undo');

    // The same command creates deleted items again, but not cancelled ones.
    const made = await edu(...licences(60), '--json', '--quiet');
    expect([made.code, JSON.parse(made.stdout)]).toMatchObject([0, { created: 60, left: 0, done: true }]);
    expect(made.stderr).toContain('The items of 3 rows were cancelled by `edu jobs undo`, and not created again.');
    expect(await ids()).toHaveLength(60);
    expect((await edu('jobs', 'undo', 'autumn', '--yes')).code).toBe(0);
    expect(await ids()).toEqual(used);
  }, 60_000);

  test('a dry run of the same command finds what somebody created again', async () => {
    const { edu, json, file } = machine();
    const rows = 'name,type,maximum-activations,code\nA,Teacher,1,undone1\nB,Teacher,1,undone2\n';
    const line = ['licenses', 'create', '--from', file('a.csv', rows), '--job', 'codes'];
    await edu(...line);
    await edu('jobs', 'undo', 'codes', '--yes');
    const again = ['--name', 'A', '--type', 'Teacher', '--maximum-activations', '1', '--code', 'undone1'];
    expect((await edu('licenses', 'create', ...again)).code).toBe(0);
    expect(await json(...line, '--dry-run')).toMatchObject({ create: 1, exist: 1 });
  });

  test('counts an item that somebody deleted meanwhile as undone', async () => {
    const { edu, json, ids } = machine();
    await edu(...licences(2));
    const [first = ''] = await ids();
    expect((await edu('licenses', 'delete', first, '--yes')).code).toBe(0);
    expect(await json('jobs', 'undo', 'autumn', '--yes')).toMatchObject({ updated: 2, rejected: 0, done: true });
    expect(await ids()).toEqual([]);
  });

  test.each([
    ['that is deleted between its look-up and its undo as undone', 404, 0, { updated: 1, rejected: 0, done: true }],
    ['whose undo is refused as not undone', 400, 3, { updated: 0, rejected: 1, done: false }],
  ])('counts an item %s', async (_, status, code, counts) => {
    const service = await scriptedService({
      'GET /v1/account': { body: CALLER['/v1/account'] },
      'GET /v1/users/u1': { body: CALLER['/v1/users/u1'] },
      'POST /v1/licenses': { body: { id: 'L1' } },
      'GET /v1/licenses/L1': { body: { id: 'L1' } },
      'DELETE /v1/licenses/L1': { status, body: { message: 'no' } },
    });
    const env = { ...home(), ...service.env };
    expect(await run(licences(1), { env })).toMatchObject({ code: 0 });
    const undone = await run(['jobs', 'undo', 'autumn', '--yes', '--json'], { env });
    expect([undone.code, JSON.parse(undone.stdout)]).toMatchObject([code, counts]);
    expect(undone.stderr).not.toContain('--cancel-activated');
    expect(service.sent.at(-1)?.line).toBe('DELETE /v1/licenses/L1');
  });

  test('prints the requests with --dry-run, and sends none', async () => {
    const { edu, json, ids } = machine();
    await edu(...licences(2));
    const plan = await json('jobs', 'undo', 'autumn', '--dry-run');
    expect(plan.requests.map(({ method }: { method: string }) => method)).toEqual(['DELETE', 'DELETE']);
    expect(await ids()).toHaveLength(2);
    expect((await json('jobs', 'list')).map(({ command }: { command: string }) => command)).toEqual([
      'licenses create',
    ]);
  });

  test('leaves what existed before the job, and undoes an unfinished job', async () => {
    const { edu, file, ids } = machine();
    await edu(...licences(2).slice(0, -2));
    const [first = ''] = await ids();
    await edu(...licences(5), '--limit', '3');
    expect(await ids()).toHaveLength(5);
    const rows = file('rows.csv', 'name,code\nUndo,undo1\nUndo,undo2\n');
    const create = ['licenses', 'create', '--type', 'Teacher', '--license-category', '01', '--from', rows];
    await edu(...create, '--maximum-activations', '1', '--job', 'codes');
    const update = [...create, '--maximum-activations', '2', '--on-existing', 'update', '--job', 'more'];
    expect((await edu(...update)).code).toBe(0);
    const updated = 'The job updated 2 licences that existed before, which cannot be undone.';
    expect((await edu('jobs', 'undo', 'more', '--yes')).stderr).toContain(updated);
    await edu('jobs', 'undo', 'codes', '--yes');
    expect(await ids()).toHaveLength(5);
    expect((await edu('jobs', 'undo', 'autumn', '--yes')).code).toBe(0);
    expect(await ids()).toHaveLength(2);
    expect(await ids()).toContain(first);
    expect((await edu(...licences(5))).code).toBe(0);
    expect(await ids()).toHaveLength(5);
  });

  test('deletes classes', async () => {
    const { edu, json, file } = machine();
    const rows = file('rows.csv', 'school,subject,name\ns1,0001,Undo 1\ns1,0001,Undo 2\n');
    const { job } = await json('classes', 'create', '--from', rows);
    expect((await edu('jobs', 'undo', job, '--yes')).code).toBe(0);
    const active = (await json('classes', 'list', '--school', 's1')).filter(
      ({ className, deactivationDate }: Record<string, string>) =>
        className?.startsWith('Undo') && deactivationDate === null,
    );
    expect(active).toEqual([]);
    expect((await edu('classes', 'create', '--from', rows, '--json')).stdout).toContain('"created": 2');
  });

  test.each([
    ['classes', 'name,subject,school\n1x,Mathematics,s1\n2x,Mathematics,s1\n3x,Mathematics,s1\n'],
    ['licenses', 'name,code,type,maximum-activations\nU,u1,Teacher,1\nU,u2,Teacher,1\nU,u3,Teacher,1\n'],
  ])('looks up %s that a killed run may have created', async (group, rows) => {
    const { edu, json, file, env } = machine();
    const all = async (): Promise<readonly Record<string, unknown>[]> =>
      json(group, 'list', ...(group === 'classes' ? ['--school', 's1'] : []));
    const listed = async () => (await all()).filter((item) => (item.deactivationDate ?? null) === null);
    const before = (await listed()).length;
    await edu(group, 'create', '--from', file('rows.csv', rows), '--job', 'autumn', '--concurrency', '1');
    const made = (await listed()).length - before;
    expect(made).toBe(3);
    const jobs = join(env.EDU_STATE_DIR, 'jobs');
    const [job = ''] = readdirSync(jobs).filter((name) => !name.startsWith('.'));
    const journal = join(jobs, job, 'journal.ndjson');
    // As if the run had been killed before the outcomes of the last two rows were recorded, the last one never sent.
    const entries = readFileSync(journal, 'utf8').trim().split('\n');
    const isKept = (line: string): boolean => /"state":"sending"|"list"/.test(line) || JSON.parse(line).row === 1;
    writeFileSync(journal, `${entries.filter(isKept).join('\n')}\n`);
    const last = (await listed()).find(({ className, code }) => className === '3x' || code === 'u3');
    expect((await edu(group, 'delete', String(last?.classId ?? last?.id), '--yes')).code).toBe(0);
    const ended = await edu('jobs', 'undo', 'autumn', '--yes', '--json');
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    // The list still shows a deleted class, which is undone already.
    expect(JSON.parse(ended.stdout)).toMatchObject({ updated: group === 'classes' ? 3 : 2, left: 0 });
    expect(await listed()).toHaveLength(before);
  });

  test('knows a licence by the code that edu derived, even if it was changed since', async () => {
    const { edu, json, ids, env } = machine();
    const { job } = await json(...licences(2));
    loseResponses(join(env.EDU_STATE_DIR, 'jobs', job, 'journal.ndjson'));
    await edu('licenses', 'update', (await ids())[0] ?? '', '--maximum-activations', '9', '--reset-license-category');
    expect(await json('jobs', 'undo', 'autumn', '--yes')).toMatchObject({ updated: 2, done: true });
    expect(await ids()).toEqual([]);
  });

  test('lists what the API cannot undo, and sends nothing', async () => {
    const { edu, json, file } = machine();
    const rows = file('rows.csv', 'first-name,last-name,email\nAnn,A,ann@undo.example\n');
    const { job } = await json('users', 'create', '--from', rows);
    const { id } = await json('users', 'get', 'ann@undo.example');
    const undone = await edu('jobs', 'undo', job, '--yes');
    expect([undone.code, undone.stderr]).toEqual([
      3,
      expect.stringContaining('the API cannot delete 1 user. Nothing was sent.'),
    ]);
    expect(undone.stderr).toContain(`user ${id} stays`);
    const update = await json(
      'licenses',
      'update',
      '--reset-license-category',
      '--from',
      file('u.csv', 'code,name\n007,Bond\n'),
    );
    expect((await edu('jobs', 'undo', update.job, '--yes')).code).toBe(2);
  });

  test('is made again by the same command, which leaves no other folder than those of the two jobs', async () => {
    const { edu, env, ids } = machine();
    await edu(...licences(2));
    expect((await edu('jobs', 'undo', 'autumn', '--yes')).code).toBe(0);
    await edu(...licences(2));
    expect(await ids()).toHaveLength(2);
    expect(
      readdirSync(join(env.EDU_STATE_DIR, 'jobs'), { withFileTypes: true }).filter((one) => one.isDirectory()),
    ).toHaveLength(2);
  });

  test('is undone again after the first undo was resumed', async () => {
    const { edu, json, ids } = machine();
    await edu(...licences(2));
    const { job: undo } = await json('jobs', 'undo', 'autumn', '--yes');
    await edu(...licences(2));
    expect(await json('jobs', 'resume', undo)).toMatchObject({ updated: 2 });
    expect(await ids()).toHaveLength(2);
    expect(await json('jobs', 'undo', 'autumn', '--yes')).toMatchObject({ updated: 2 });
    expect(await ids()).toEqual([]);
  });

  test('is made again by `jobs resume`, too', async () => {
    const { edu, json, ids } = machine();
    await edu(...licences(4), '--limit', '3');
    expect((await edu('jobs', 'undo', 'autumn', '--yes')).code).toBe(0);
    expect(await ids()).toEqual([]);
    expect(await json('jobs', 'resume', 'autumn')).toMatchObject({ created: 4, left: 0 });
    expect(await ids()).toHaveLength(4);
  });

  test('is made again by the same line that updates what exists, but not by `jobs retry` of other rows', async () => {
    const { edu, file } = machine();
    const rows = file('rows.csv', 'name,code\nUndo,undo1\nUndo,007\nUndo,undo3\n');
    const line = ['licenses', 'create', '--type', 'Teacher', '--maximum-activations', '1', '--from', rows];
    const undo = async () => expect((await edu('jobs', 'undo', 'codes', '--yes')).code).toBe(0);
    expect((await edu(...line, '--job', 'codes', '--limit', '2')).code).toBe(3);
    await undo();
    const again = await edu(...line, '--job', 'codes', '--on-existing', 'update', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ created: 2, left: 0 });
    await undo();
    const retried = await edu('jobs', 'retry', 'codes', '--json');
    expect(JSON.parse(retried.stdout)).toMatchObject({ created: 0, left: 2 });
  });
});
