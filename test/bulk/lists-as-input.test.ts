/** What edu writes, edu reads: a list, edited, is the input of update, delete, cancel and assign without --ignore. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home, run, temporaryFolder } from '../support/run.js';

function world() {
  const env = { ...home(), EDU_OFFLINE: '1' };
  const edu = (...argv: readonly string[]) => run(argv, { env });
  return {
    edu,
    async listOf(format: readonly string[], ...argv: readonly string[]): Promise<string> {
      const { code, stdout } = await edu(...argv, ...format, '--limit', '2');
      expect(code).toBe(0);
      return stdout;
    },
  };
}

const LISTS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['users', ['--organization', 's1'], []],
  ['classes', ['--school', 's1'], []],
  ['licenses', [], []],
  ['subscriptions', [], []],
  ['schools', [], []],
  ['publishers', [], []],
  // The language of a book is in no response.
  ['books', [], ['--content-language', 'EN']],
  ['readers', [], ['--content-language', 'EN']],
];

test.each(LISTS)('%s', async (resource, flags, needed) => {
  const { edu, listOf } = world();
  for (const format of [['-o', 'csv'], ['--json']]) {
    const text = await listOf(format, resource, 'list', ...flags);
    const file = join(temporaryFolder(), 'list');
    writeFileSync(file, text);
    const updated = await edu(resource, 'update', '--from', file, ...needed, '--dry-run');
    expect([updated.code, updated.stderr], format.join()).toEqual([0, expect.stringContaining('2 would be changed')]);
  }
});

test('the columns of a list are the fields that the command sets, and a warning names the others', async () => {
  const { edu, listOf } = world();
  const text = await listOf(['-o', 'csv'], 'classes', 'list', '--school', 's1');
  const file = join(temporaryFolder(), 'classes.csv');
  writeFileSync(file, text.replace(',5a,', ',5z,'));
  const { stdout, stderr } = await edu('classes', 'update', '--from', file, '--dry-run');
  expect(stdout).toContain('"name": "5z"');
  expect(stderr).toContain('Ignored columns: "classCode", "usersInClass", "creationDate", "deactivationDate".');
});

test.each([
  ['licenses', ['delete']],
  ['licenses', ['cancel']],
  ['users', ['anonymize']],
  ['classes', ['delete']],
])('a list of %s names the items of %j', async (resource, argv) => {
  const { edu, listOf } = world();
  const flags = { classes: ['--school', 's1'], users: ['--organization', 's1'] }[resource] ?? [];
  const file = join(temporaryFolder(), 'list.csv');
  writeFileSync(file, await listOf(['-o', 'csv'], resource, 'list', ...flags));
  const { code, stderr } = await edu(resource, ...argv, '--from', file, '--dry-run');
  expect([code, stderr]).toEqual([0, expect.stringContaining('Nothing was sent')]);
});

test('a list of users names those to whom a licence is assigned', async () => {
  const { edu, listOf } = world();
  const file = join(temporaryFolder(), 'list.csv');
  writeFileSync(file, await listOf(['-o', 'csv'], 'users', 'list', '--organization', 's1'));
  const { code, stderr } = await edu('licenses', 'assign', 'code:welcome1', '--from', file, '--dry-run');
  expect([code, stderr]).toEqual([0, expect.stringContaining('Nothing was sent')]);
});

test('a column that no list has is still an error', async () => {
  const { edu } = world();
  const file = join(temporaryFolder(), 'users.csv');
  writeFileSync(file, 'id,email,firstName,shoeSize\nu3,school@example.org,Ann,38\n');
  const { code, stderr } = await edu('users', 'update', '--from', file, '--dry-run');
  expect([code, stderr]).toEqual([2, expect.stringContaining('there is no column "shoeSize"')]);
});
