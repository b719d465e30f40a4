/** `edu apply` of a plan and of its undo, killed at each kind of request: the same line again does each step exactly once. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { program } from '../bulk/program.js';
import { answerWith, type Exchange, faultyDoor } from '../faults/faulty-door.js';
import { run, temporaryFolder } from '../support/run.js';

const FEMKE = 'femke.coordes.155@s1.example.org';
/** Requests of the plan, which has a step of every kind. */
const APPLY = [
  'POST /v1/publishers',
  'PUT /v1/publishers/p1',
  'POST /v1/schools',
  'PUT /v1/schools/s2',
  'POST /v1/users',
  'PUT /v1/users/0000000155',
  'POST /v1/classes',
  'PUT /v1/classes/c6',
  'PUT /v1/classes/delete/c5',
  'PUT /v1/assignClass/assignClassToUser',
  'PUT /v1/unAssignClass/unAssignClassFromUser',
  'POST /v1/licenses',
  'PUT /v1/licenses/00000002',
  'DELETE /v1/licenses/00000003',
  'PUT /v1/licenses/00000009/cancel',
  'PUT /v1/licenses/assignLicense',
  'PUT /v1/books/B1',
  'PUT /v1/readers/r1',
];
const UNDO = [
  'PUT /v1/publishers/p1',
  'PUT /v1/schools/s2',
  'PUT /v1/users/0000000155',
  'PUT /v1/classes/c6',
  'PUT /v1/classes/delete/ID',
  'PUT /v1/assignClass/assignClassToUser',
  'DELETE /v1/licenses/ID',
  'PUT /v1/books/B1',
  'PUT /v1/readers/r1',
];

type Rows = readonly Readonly<Record<string, unknown>>[];
/** Method and path; an ID that the service made is `ID`. */
const lineOf = ({ method, path }: Exchange): string => `${method} ${path.split('?')[0]?.replace(/[0-9a-f]{24}/, 'ID')}`;

/** A service, and the program with a wanted state. */
async function world() {
  const door = await faultyDoor();
  const { start, env } = program(door.origin, door.env);
  const folder = temporaryFolder();
  const file = (name: string): string => join(folder, name);
  const edu = (...argv: string[]) => run(argv, { env, randomBytes });
  const write = (resource: string, rows: Rows): void =>
    writeFileSync(file(`want/${resource}.ndjson`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  mkdirSync(file('want'));
  const { json } = await door.ask('GET', '/v1/classes/c2');
  const { usersInClass } = json as { readonly usersInClass: readonly string[] };
  write('publishers', [{ name: 'New publisher' }, { id: 'p1', name: 'Renamed' }]);
  write('schools', [
    { name: 'New school', country: 'DE', city: 'Bonn' },
    { id: 's2', city: 'Lyon' },
  ]);
  write('users', [
    { email: 'new@s1.example', firstName: 'A', lastName: 'B', organization: 's1' },
    { email: FEMKE, lastName: 'Other' },
  ]);
  write('classes', [
    { name: '9z', school: 's1', subject: '0011', users: ['new@s1.example', FEMKE] },
    ...['c1', 'c3', 'c4'].map((id) => ({ id, school: 's1' })),
    { id: 'c2', school: 's1', users: usersInClass.slice(1) },
    { id: 'c6', school: 's1', name: 'AG Go' },
  ]);
  write('licenses', [
    { code: 'crash1', name: 'L', type: 'Teacher', maximumActivations: 5 },
    { code: '0012345', name: 'Renamed', licenseCategory: '01' },
    { code: 'autumn', endUsers: [FEMKE] },
    { code: '007', remove: true },
    { code: '54cm74ec', remove: true },
  ]);
  write('books', [{ id: 'B1', title: 'Renamed', language: 'DE' }]);
  write('readers', [{ id: 'r1', title: 'Renamed', language: 'DE' }]);
  const planned = await edu('plan', file('want'), '--prune', 'classes', '--out', file('a.plan'));
  expect([3, 10], planned.stderr).toContain(planned.code);
  const apply = (plan: string): string[] => {
    const { hash } = JSON.parse(readFileSync(file(plan), 'utf8').split('\n')[0] ?? '') as { readonly hash: string };
    return ['apply', file(plan), '--confirm', hash];
  };
  /** Writes that the service carried out, with their bodies. */
  let done: string[] = [];
  function record(victim = '', after = false, kill = (): unknown => undefined): void {
    let isKilled = false;
    done = [];
    door.set({
      hits: (method) => method !== 'GET',
      deed: async (exchange) => {
        const isVictim = !isKilled && lineOf(exchange) === victim;
        if (isVictim) isKilled = true;
        if (isVictim && !after) return kill();
        const { status, headers, bytes } = await exchange.process();
        if (status < 300) done.push(`${lineOf(exchange)} ${exchange.body}`);
        return isVictim ? kill() : answerWith(exchange, status, bytes, headers);
      },
    });
  }
  return { ...{ door, edu, file, start, apply, record }, done: (): readonly string[] => done };
}
const linesIn = (done: readonly string[]): readonly string[] =>
  [...new Set(done.map((one) => one.split(' ', 2).join(' ')))].sort();

/** Kills the line at a request, then runs it again. @returns what the service carried out */
async function killed(plan: string, victim: string, after: boolean, one: Awaited<ReturnType<typeof world>>) {
  const argv = one.apply(plan);
  const { child, ended } = one.start(argv);
  one.record(victim, after, () => child.kill('SIGKILL'));
  expect((await ended).code, victim).toBeUndefined();
  const again = await one.edu(...argv);
  expect(again.code, again.stderr).toBe(0);
  return one.done();
}

const CASES = (lines: readonly string[]) =>
  lines.flatMap((line) => [[line, 'before', false] as const, [line, 'after', true] as const]);

describe('apply', () => {
  test('sends the requests at which the tests below kill it', async () => {
    const one = await world();
    one.record();
    const { code, stderr } = await one.edu(...one.apply('a.plan'));
    expect(code, stderr).toBe(0);
    expect(linesIn(one.done())).toEqual([...APPLY].sort());
    const undone = await one.edu('undo', one.file('a.plan.receipt'), '--out', one.file('undo.plan'));
    expect(undone.code, undone.stderr).toBe(3);
    one.record();
    const back = await one.edu(...one.apply('undo.plan'));
    expect(back.code, back.stderr).toBe(0);
    expect(linesIn(one.done())).toEqual([...UNDO].sort());
    await one.door.close();
  });

  test.each(CASES(APPLY))('killed at %s, %s the service carries it out', async (victim, _, after) => {
    const one = await world();
    const done = await killed('a.plan', victim, after, one);
    const once = done.filter((line) => !line.includes('/cancel'));
    expect(once.length).toBe(new Set(once).size);
    expect(linesIn(done)).toEqual([...APPLY].sort());
    // A licence does not show that it was cancelled.
    const left = await one.edu('plan', one.file('want'), '--prune', 'classes', '-o', 'ndjson');
    const steps = left.stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    expect(steps.slice(1).filter(({ verb }) => verb !== 'none')).toMatchObject([{ verb: 'cancel', key: '54cm74ec' }]);
    await one.door.close();
  });
});

describe('apply of an undo', () => {
  test.each(CASES(UNDO))('killed at %s, %s the service carries it out', async (victim, _, after) => {
    const one = await world();
    one.record();
    expect((await one.edu(...one.apply('a.plan'))).code).toBe(0);
    await one.edu('undo', one.file('a.plan.receipt'), '--out', one.file('undo.plan'));
    const done = await killed('undo.plan', victim, after, one);
    expect(done.length).toBe(new Set(done).size);
    expect(linesIn(done)).toEqual([...UNDO].sort());
    await one.door.close();
  });
});
