/** A plan or receipt shows what it does, whatever is in the file; else it is refused by an error that names it, and nothing is sent. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readReceipt, withDigest } from '../../src/plan/apply/receipt.js';
import { linesOf, newPlan, readPlan } from '../../src/plan/plan-file.js';
import { type Door, faultyDoor } from '../faults/faulty-door.js';
import { offline } from '../support/offline.js';
import { announced, expected, type Json, planned, readWorld, record, sent } from '../support/plan-witness.js';
import { run } from '../support/run.js';

type Line = Json & { before: Json | null; after: Json | null };

let door: Door;
beforeAll(async () => {
  door = await faultyDoor();
});
afterAll(() => door.close());

const IDS = [
  ...[
    's1',
    's2',
    'd1',
    'x9',
    '0000000155',
    '0000000157',
    '0000000160',
    'c1',
    'c2',
    'c6',
    's1-teacher',
    's1-administrator',
  ],
  ...['0011', '0021', '00000002', '00000003', '00000009', '..', '__proto__', ''],
];
const VALUES = [
  ...IDS,
  'harmless',
  'evil@s2.example',
  'School',
  'Publisher',
  null,
  true,
  7,
  {},
  [],
  { step: 1 },
  { step: 99 },
  { name: 'Teacher' },
];

/** A change of one value at a random place of a random step. */
const mutation = fc.record({
  step: fc.nat(20),
  place: fc.nat(20),
  value: fc.constantFrom<unknown>(...VALUES),
  how: fc.constantFrom('set', 'set', 'set', 'drop', 'empty', 'verb', 'resource', 'copy', 'remove', 'label'),
  word: fc.constantFrom(
    'create',
    'update',
    'delete',
    'cancel',
    'assign',
    'unassign',
    'none',
    'users',
    'classes',
    'licenses',
    'members',
    'holders',
    'toString',
  ),
});

function mutate(
  steps: Line[],
  { step, place, value, how, word }: typeof mutation extends fc.Arbitrary<infer M> ? M : never,
): void {
  const index = step % steps.length;
  const line = steps[index] as Line;
  const side = place % 2 === 0 || line.before === null ? 'after' : 'before';
  const fields = line[side] ?? {};
  const names = Object.keys(fields);
  const name = names[place % Math.max(names.length, 1)] ?? 'name';
  if (how === 'verb' || how === 'resource') line[how] = word;
  else if (how === 'empty') line[side] = {};
  else if (how === 'label') line.key = 'harmless';
  else if (how === 'copy') steps.push({ ...structuredClone(line), step: steps.length + 1 });
  else if (how === 'remove') steps.splice(index, 1);
  else if (how === 'drop') line[side] = Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name));
  else if (place % 3 === 0) line.id = value;
  else if (name === 'organization' && place % 5 > 0)
    line[side] = { ...fields, organization: { id: value, type: 'School' } };
  else if (name === 'roles' && place % 5 > 0) line[side] = { ...fields, roles: [value] };
  else line[side] = { ...fields, [name]: value };
}

describe('edu apply', () => {
  test('sends what it has shown, or refuses the plan', async () => {
    const { env, file, plan } = await planned(door);
    const world = await readWorld(door);
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { maxLength: 3 }), fc.boolean(), async (mutations, renumbers) => {
        const steps = structuredClone(plan.steps) as unknown as Line[];
        for (const one of mutations) if (steps.length > 0) mutate(steps, one);
        if (renumbers) for (const [index, line] of steps.entries()) line.step = index + 1;
        const forged = newPlan(
          { steps: steps as never, managed: plan.header.managed },
          { ...plan.header, created: `${Math.random()}` },
        );
        writeFileSync(file, [...linesOf(forged)].join(''));
        record(door);
        const limits = ['--allow-removals', '100%', '--allow-changes', '100%'];
        const { code, stderr } = await run(['apply', file, '--confirm', forged.header.hash, ...limits], { env });
        expect(stderr).not.toMatch(/bug in edu|\n {4}at |TypeError|RangeError/);
        const lines = announced(stderr);
        if (sent.length > 0) applied++;
        if (code === 2) {
          expect(sent).toEqual([]);
          expect(stderr).toContain(file);
          return;
        }
        for (const one of sent) {
          const texts = expected(one, world);
          const found = lines.findIndex(
            (line) => line.startsWith(`  ${texts[0]}`) && texts.every((text) => line.includes(text)),
          );
          expect(found, `${one.line} ${JSON.stringify(one.body)}\n${texts}\n${stderr}`).toBeGreaterThanOrEqual(0);
          lines.splice(found, 1);
        }
        expect(lines, stderr).toEqual([]);
      }),
      { numRuns: 30, endOnFailure: true },
    );
    expect(applied).toBeGreaterThan(2);
  }, 120_000);

  test('shows each request with --dry-run and sends none', async () => {
    const { env, file, plan } = await planned(door);
    record(door);
    const { code, stdout } = await run(['apply', file, '--dry-run', '-o', 'json'], { env });
    const shown = (JSON.parse(stdout) as { method: string; url: string; body: Json | null }[]).map(
      ({ method, url, body }) => {
        return { line: `${method} ${new URL(url).pathname}`, body: body ?? {} };
      },
    );
    expect([code, sent.length]).toEqual([0, 0]);
    expect((await run(['apply', file, '--confirm', plan.header.hash], { env })).code).toBe(0);
    const plain = (all: readonly unknown[]) =>
      all.map((one) => JSON.stringify(one).replace(/<ID of step \d+>|made\d+/g, 'ID')).sort();
    expect(plain(sent)).toEqual(plain(shown));
  });

  test('refuses a plan that was signed and then changed', async () => {
    const { env, file } = await planned(door);
    const keyed = { ...env, EDU_PLAN_KEY: 'k'.repeat(32) };
    const want = join(file, '..', 'want');
    const made = await run(['plan', want, '--out', file, '--sign'], { env: keyed });
    const [, id = ''] = /--signed-by ([0-9a-f]{8})/.exec(made.stderr) ?? [];
    record(door);
    const apply = (by: string, more = keyed) => {
      const { hash } = JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '') as { hash: string };
      return run(['apply', file, '--confirm', hash, '--signed-by', by], { env: more });
    };
    const { header, steps, ...rest } = readPlan(file);
    const other = newPlan({ steps: steps.slice(0, 1), managed: header.managed }, header);
    const forged = { ...rest, ...other, header: { ...other.header, signature: header.signature ?? '' } };
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, [...linesOf(forged)].join(''));
    expect((await apply(id)).stderr).toContain(
      `Cannot apply ${file}: it was changed, or signed by another key than ${id}`,
    );
    writeFileSync(file, whole.replace(/"created":"\d{4}/, '"created":"1999'));
    expect((await apply(id)).stderr).toContain('it was changed, or signed by another key');
    writeFileSync(file, [...linesOf(other)].join(''));
    expect((await apply(id)).stderr).toContain('it is not signed; nothing was sent');
    writeFileSync(file, whole);
    expect((await apply(id, { ...keyed, EDU_PLAN_KEY: '' })).stderr).toContain('EDU_PLAN_KEY is not set');
    expect((await apply('00000000')).stderr).toContain(`is not the ID of the key in EDU_PLAN_KEY, which is ${id}`);
    expect(sent).toEqual([]);
    expect((await apply(id)).code).toBe(0);
    expect(whole).not.toContain('k'.repeat(32));
  });
});

test('edu undo shows the items that it would change, whatever a receipt says', async () => {
  const { env, file, plan } = await planned(door);
  record(door);
  expect((await run(['apply', file, '--confirm', plan.header.hash], { env })).code).toBe(0);
  const receipt = readReceipt(`${file}.receipt`);
  const steps = receipt.steps.map((step) =>
    step.resource === 'classes' && step.verb === 'create' ? { ...step, resultId: 'c1' } : step,
  );
  writeFileSync(`${file}.receipt`, [...linesOf(withDigest({ ...receipt, steps }))].join(''));
  const { stdout } = await run(['undo', `${file}.receipt`], { env });
  expect(stdout).toContain('! class   5a  not sent: name, subjectId have changed since the plan');
  expect(stdout).not.toContain('9z');
});

test('edu apply names the people of a new class, and does not send a create of what exists by now', async () => {
  const { edu, write, path } = offline();
  mkdirSync(path('want'));
  write('want/schools.csv', 'name,country,city\nNeue Schule,DE,Ulm\n');
  write('want/users.csv', 'email,firstName,lastName,organization\nnoor@s1.example,Noor,Azmi,s1\n');
  const members = 'antonia.paixao.160@s1.example.org;noor@s1.example';
  write('want/classes.csv', `school,class,subject,users\nNeue Schule,1a,Biology,${members}\n`);
  expect((await edu('plan', path('want'), '--out', path('a.plan'))).code).toBe(10);
  const { hash } = JSON.parse(readFileSync(path('a.plan'), 'utf8').split('\n')[0] ?? '') as { hash: string };
  const user = ['users', 'create', '--email', 'NOOR@s1.example', '--first-name', 'Noor', '--organization', 's1'];
  await edu(...user, '--last-name', 'Azmi', '--organization-type', 'School', '--language', 'EN');
  const { code, stderr } = await edu('apply', path('a.plan'), '--confirm', hash);
  expect(stderr).toContain('  = user    noor@s1.example   already done\n');
  expect(stderr).toContain('  + class   1a   Biology\n');
  expect(stderr).toContain('  + member  1a  antonia.paixao.160@s1.example.org\n');
  expect([code, stderr]).toEqual([0, expect.stringContaining('5 steps: 4 done, 1 already done.')]);
});
