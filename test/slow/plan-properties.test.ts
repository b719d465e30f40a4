/** Properties of plan, apply and undo on the bundled service, for random wanted states and changes by other users. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { home, run, temporaryFolder } from '../support/run.js';

const PRESENT = ['femke.coordes.155@s1.example.org', 'inigo.vazquez.156@s1.example.org', 'user.157.157@s1.example.org'];
const NEW = ['new1@s1.example', 'new2@s1.example'];
const SUBJECTS: Readonly<Record<string, string>> = { '5a': '0021', '5b': '0016', '8x': '0011' };
const CODES = ['autumn', 'prop1', 'prop2'];

const some = (values: readonly string[]) => fc.subarray([...values]);
const want = fc.record({
  users: fc.uniqueArray(
    fc.record({
      email: fc.constantFrom(...PRESENT, ...NEW),
      name: fc.constantFrom('Ana', 'Bo'),
      role: fc.constantFrom('Teacher', ''),
    }),
    { selector: ({ email }) => email },
  ),
  classes: fc.uniqueArray(
    fc.record({ name: fc.constantFrom(...Object.keys(SUBJECTS)), members: some([...PRESENT, ...NEW]) }),
    { selector: ({ name }) => name, minLength: 1 },
  ),
  licenses: fc.uniqueArray(fc.record({ code: fc.constantFrom(...CODES), holders: some(PRESENT) }), {
    selector: ({ code }) => code,
  }),
  prune: fc.boolean(),
});
type Wanted = typeof want extends fc.Arbitrary<infer T> ? T : never;

/** Command lines of other users. */
const CHANGES: readonly (readonly string[])[] = [
  ['users', 'update', PRESENT[0] ?? '', '--last-name', 'Other'],
  [
    'users',
    'create',
    '--first-name',
    'Ana',
    '--last-name',
    'Same',
    '--email',
    NEW[0] ?? '',
    '--organization',
    's1',
    '--organization-type',
    'School',
  ],
  ['classes', 'create', '--name', '8x', '--school', 's1', '--subject', '0011'],
  ['classes', 'update', 'c1', '--name', '5a new'],
  ['classes', 'delete', 'c2', '--yes'],
  ['classes', 'unassign', 'c1', '0000000253', '--yes'],
  ['classes', 'assign', 'c1', PRESENT[1] ?? ''],
  ['licenses', 'create', '--name', 'L', '--type', 'Teacher', '--maximum-activations', '5', '--code', 'prop1'],
  ['licenses', 'assign', 'code:autumn', PRESENT[2] ?? ''],
];

/** The steps and conflicts that `-o ndjson` prints. */
const linesOf = ({ stdout }: { readonly stdout: string }) =>
  stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { verb: string; key: string }]));

function world(wanted: Wanted) {
  const env = { ...home(), EDU_OFFLINE: '1' };
  const folder = temporaryFolder();
  const file = (name: string): string => join(folder, name);
  const edu = (...argv: readonly string[]) => run(argv, { env, randomBytes });
  const write = (name: string, head: string, rows: readonly string[]): void => {
    if (rows.length > 0) writeFileSync(file(`want/${name}`), `${[head, ...rows].join('\n')}\n`);
  };
  mkdirSync(file('want'));
  // A member or holder must exist, or be created.
  const known = new Set([...PRESENT, ...wanted.users.map(({ email }) => email)]);
  const people = (list: readonly string[]): string => list.filter((email) => known.has(email)).join(';');
  write(
    'users.csv',
    'email,firstName,lastName,organization,roles',
    wanted.users.map(({ email, name, role }) => `${email},${name},Same,s1,${role}`),
  );
  write(
    'classes.csv',
    'school,class,subject,users',
    wanted.classes.map(({ name, members }) => `s1,${name},${SUBJECTS[name]},${people(members)}`),
  );
  write(
    'licenses.csv',
    'code,type,name,maximumActivations,endUsers',
    wanted.licenses.map(({ code, holders }) =>
      code === 'autumn' ? `${code},,,,${people(holders)}` : `${code},Teacher,L,5,${people(holders)}`,
    ),
  );
  const limits = ['--allow-removals', '100%', '--allow-changes', '100%'];
  const plan = async (out: string) => {
    const prune = wanted.prune ? ['--prune', 'classes'] : [];
    const planned = await edu('plan', file('want'), ...limits, ...prune, '--out', file(out), '-o', 'ndjson');
    expect([0, 3, 10], planned.stderr).toContain(planned.code);
    return planned;
  };
  const hashOf = (out: string): string =>
    (JSON.parse(readFileSync(file(out), 'utf8').split('\n')[0] ?? '') as { readonly hash: string }).hash;
  const apply = (out: string) => edu('apply', file(out), '--confirm', hashOf(out), ...limits);
  return { edu, file, plan, apply };
}

test('after apply, plan and apply, a third plan has no steps, whatever other users change', async () => {
  await fc.assert(
    fc.asyncProperty(want, fc.subarray([...CHANGES]), async (wanted, changes) => {
      const { edu, plan, apply } = world(wanted);
      await plan('first.plan');
      for (const change of changes) {
        const { code, stderr } = await edu(...change);
        expect(code, stderr).toBe(0);
      }
      const first = await apply('first.plan');
      expect([0, 3], first.stderr).toContain(first.code);
      if (changes.some(([, , , flag]) => flag === '--last-name')) {
        const { stdout } = await edu('users', 'get', PRESENT[0] ?? '', '--json');
        expect(JSON.parse(stdout)).toMatchObject({ lastName: 'Other' });
      }
      const classes = JSON.parse((await edu('classes', 'list', '--school', 's1', '--json')).stdout) as Record<
        string,
        unknown
      >[];
      expect(classes.filter(({ className }) => className === '8x').length).toBeLessThanOrEqual(1);
      await plan('second.plan');
      const second = await apply('second.plan');
      expect(second.code, second.stderr).toBe(0);
      expect(linesOf(await plan('third.plan')).filter(({ verb }) => verb !== 'none')).toEqual([]);
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test('undo after apply leads back to the first export, except for steps that undo declares irreversible', async () => {
  await fc.assert(
    fc.asyncProperty(want, async (wanted) => {
      const { edu, file, plan, apply } = world(wanted);
      await edu('export', '--as-plan', '--to', file('before'));
      await plan('a.plan');
      const applied = await apply('a.plan');
      expect(applied.code, applied.stderr).toBe(0);
      const undo = await edu('undo', file('a.plan.receipt'), '--out', file('undo.plan'), '-o', 'ndjson');
      const declared = linesOf(undo).filter(({ verb }) => verb === 'none');
      expect([0, 3, 10], undo.stderr).toContain(undo.code);
      const undone = await apply('undo.plan');
      expect(undone.code, undone.stderr).toBe(0);
      const left = await edu('plan', file('before'), '--allow-removals', '100%', '-o', 'ndjson');
      expect([0, 3, 10], left.stderr).toContain(left.code);
      /** The class or licence of a member or holder, else the item. */
      const nameOf = ({ key }: { readonly key: string }): string => key.split('  ')[0]?.replace(/ \(c\d+\)$/, '') ?? '';
      const stays = new Set(declared.map(nameOf));
      expect(linesOf(left).filter((line) => !stays.has(nameOf(line)))).toEqual([]);
      await edu('export', '--as-plan', '--to', file('after'));
      for (const resource of ['classes', 'licenses', 'users']) {
        const keys = (folder: string): ReadonlySet<string> =>
          new Set(
            readFileSync(file(`${folder}/${resource}.ndjson`), 'utf8')
              .split('\n')
              .filter((line) => line !== '')
              .map((line) => JSON.parse(line) as Record<string, string>)
              .map((row) => row.className ?? row.code ?? row.email ?? ''),
          );
        const before = keys('before');
        expect([...keys('after')].filter((key) => !before.has(key) && !stays.has(key))).toEqual([]);
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
