/** `edu plan`, `edu apply` and sync against a service that fails or hides something. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { run, temporaryFolder } from '../support/run.js';
import { skipWaits } from '../support/skip-waits.js';
import { answerWith, type Door, faultyDoor } from './faulty-door.js';

skipWaits();

let door: Door;
beforeAll(async () => {
  door = await faultyDoor();
});
afterAll(() => door.close());
beforeEach(() => door.set());

function world() {
  const folder = temporaryFolder();
  const env = { ...door.env, EDU_CONFIG_DIR: join(folder, 'config'), EDU_STATE_DIR: join(folder, 'state') };
  const edu = (...argv: string[]) => run(argv, { env });
  return {
    edu,
    write: (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    },
    /** Plans, and applies the plan. */
    async apply(want: string, ...flags: string[]) {
      const plan = join(folder, 'a plan');
      await edu('plan', want, '--out', plan);
      const { hash } = JSON.parse(readFileSync(plan, 'utf8').split('\n')[0] ?? '') as { hash: string };
      return edu('apply', plan, '--confirm', hash, ...(flags.length === 0 ? ['--json'] : flags));
    },
  };
}

test('finds the ID of a class whose response has none, once the list shows it, for its members and for an undo', async () => {
  const { write, apply } = world();
  const want = write('classes.csv', 'school,class,subject,users\ns1,9x,Biology,school@example.org\n');
  let isPost = false;
  let isLate = false;
  door.set({
    hits: (method, path) => {
      isPost = method === 'POST' && path.startsWith('/v1/classes');
      return isPost || (isLate && path.startsWith('/v1/schools/s1/classes'));
    },
    deed: async (exchange) => {
      isLate = isPost;
      if (!isPost) return answerWith(exchange, 200, '[]');
      const { status } = await exchange.process();
      answerWith(exchange, status, '');
    },
  });
  const { stdout, stderr, code } = await apply(want);
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ done: 2, skipped: 0 });
  const { receipt } = JSON.parse(stdout) as { receipt: string };
  expect(JSON.parse(readFileSync(receipt, 'utf8').split('\n')[1] ?? '')).toMatchObject({
    resource: 'classes',
    resultId: expect.any(String),
  });
});

test('reports the ID of an unknown or deleted class with its row', async () => {
  const { edu, write } = world();
  const unknown = await edu('plan', write('classes.csv', 'classId,users\nc999,school@example.org\n'));
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain('  - classes.csv line 2: no active class has the ID c999\n');
  const created = await edu(...['classes', 'create', '--school', 's1', '--subject', 'Biology', '--name', '9y', '-q']);
  const id = created.stdout.trim();
  await edu('classes', 'delete', id, '--yes');
  const list = write('list.csv', 'school@example.org\n');
  const deleted = await edu('classes', 'sync', id, '--school', 's1', '--from', list, '--yes');
  expect(deleted).toMatchObject({ code: 2, stdout: '' });
  expect(deleted.stderr).toContain(`no active class has the ID ${id}`);
});

test('explains that a name needs a list of classes, which a school may not read', async () => {
  const { edu, write } = world();
  const list = write('list.csv', 'school@example.org\n');
  door.set({
    hits: (_, path) => path.startsWith('/v1/schools/s1/classes'),
    deed: (exchange) => answerWith(exchange, 403, '{}'),
  });
  const { code, stderr } = await edu('classes', 'sync', '5a', '--school', 's1', '--from', list, '--dry-run');
  expect(code).toBe(5);
  expect(stderr).toContain('classes cannot be listed');
});

test.each([
  ['schools.csv', 'name,country,city\nGymnasium am Kirchplatz,DE,Bonn\n', '/v1/schools?'],
  ['publishers.csv', 'name\nAny\n', '/v1/publishers?'],
])('does not take items of a hidden list for new ones: %s', async (name, text, list) => {
  const { edu, write } = world();
  door.set({ hits: (_, path) => path.startsWith(list), deed: (exchange) => answerWith(exchange, 403, '{}') });
  const { code, stdout, stderr } = await edu('plan', write(name, text));
  expect([code, stdout]).toEqual([6, '']);
  expect(stderr).toContain('not allowed (403)');
});

test('does not say that a book of a hidden list does not exist', async () => {
  const { edu, write } = world();
  door.set({ hits: (_, path) => path.startsWith('/v1/books?'), deed: (exchange) => answerWith(exchange, 403, '{}') });
  const { code, stdout } = await edu('plan', write('books.csv', 'ean,title,language\n9780000000001,Any,DE\n'));
  expect(code).toBe(3);
  expect(stdout).toContain('! book    9780000000001  is not listed; you may not list books of Distributor d1 and ');
});

test('a hint to continue repeats the whole line', async () => {
  const { edu, write, apply } = world();
  const want = write('classes.csv', 'school,class,subject,users\ns1,9v,Biology,school@example.org\n');
  const list = write('a list.csv', 'school@example.org\n');
  door.set({ hits: (method) => method === 'PUT', deed: (exchange) => answerWith(exchange, 503, '{}') });
  const receipt = write('a receipt', '');
  const applied = await apply(want, '--receipt', receipt, '--max-wait', '1s', '--base-url', door.origin);
  expect(applied.stderr).toMatch(/Hint: Continue with the same line: edu apply '\S+\/a plan' --confirm [0-9a-f]{8} /);
  expect(applied.stderr).toContain(` --receipt '${receipt}' --base-url ${door.origin} --max-wait `);
  const synced = await edu(
    'classes',
    'sync',
    '5b',
    '--school',
    's1',
    '--from',
    list,
    '--add-only',
    '-y',
    '--max-wait',
    '1s',
  );
  expect(synced.stderr).toContain(
    `Hint: Continue with the same line: edu classes sync c2 --from '${list}' --school s1 --add-only `,
  );
});

test.each([
  [502, 7, 'unavailable', /^Continue with the same line: edu apply /],
  [401, 4, 'unauthenticated', /EDU_TOKEN.*\nContinue with the same line: edu apply /],
])('a plan that %i ends has the exit code and the advice of a job', async (status, code, kind, hint) => {
  const { write, apply } = world();
  const want = write('classes.csv', 'school,class,subject,users\ns1,9v,Biology,school@example.org\n');
  door.set({ hits: (method) => method === 'PUT', deed: (exchange) => answerWith(exchange, status, '{}') });
  const applied = await apply(want, '--json', '--max-wait', '1s');
  const { error } = JSON.parse(applied.stderr.slice(applied.stderr.indexOf('{"error"')));
  expect([applied.code, error]).toMatchObject([code, { kind, hint: expect.stringMatching(hint) }]);
});

test('keeps the users of a class when one that should replace them cannot be added', async () => {
  const { edu, write } = world();
  const members = async () => (await edu('classes', 'get', 'c1', '--json', '--query', 'usersInClass')).stdout;
  const before = await members();
  const ids = JSON.parse(before) as string[];
  const list = write('list.txt', [...ids.slice(1), '0000000155', '0000000156'].join('\n'));
  door.set({
    hits: (_, path) => path.startsWith('/v1/assignClass'),
    times: 1,
    deed: (exchange) => answerWith(exchange, 400, '{}'),
  });
  const { code, stderr } = await edu('classes', 'sync', 'c1', '--from', list, '--yes');
  expect(code).toBe(3);
  expect(stderr).toContain('skipped: not all users were added to the class');
  expect(JSON.parse(await members())).toEqual(expect.arrayContaining(ids));
});

test('members of a class are planned without a list of subjects', async () => {
  const { edu, write } = world();
  door.set({
    hits: (_, path) => path.startsWith('/v1/books/subjects'),
    deed: (exchange) => answerWith(exchange, 403, '{}'),
  });
  const line = ['classes', 'sync', 'c2', '--from', write('list.txt', '0000000155\n'), '--add-only', '--dry-run'];
  const { code, stdout, stderr } = await edu(...line);
  expect([code, stdout], stderr).toEqual([0, expect.stringContaining('1 to add. Plan ')]);
});
