/** `--dry-run` of a job that is finished, and the output flags of a dry run. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { offline } from '../support/offline.js';

test('shows the requests that another run of a finished removal sends', async () => {
  const { edu, path } = offline();
  const list = path('classes.csv');
  writeFileSync(list, 'class\nc1\nc2\n');
  const line = ['classes', 'delete', '--from', list];
  const dry = await edu(...line, '--dry-run');
  expect(dry.stdout).toContain('/v1/classes/delete/c2\n');
  expect((await edu(...line, '--yes')).code).toBe(0);
  expect(await edu(...line, '--dry-run')).toEqual(dry);
});

test.each([
  [['--fields', 'method,body.name', '-o', 'csv'], 0, 'method,body.name\nPUT,Herbst\n', ''],
  [['--query', '[].method', '-o', 'table'], 0, expect.stringContaining('PUT'), ''],
  [
    ['--fields', 'id'],
    2,
    '',
    'Error: --fields: there is no field "id".\nHint: Use one of method, url, headers, body.\n',
  ],
])('selects from the requests: %j', async (flags, code, stdout, stderr) => {
  const line = ['licenses', 'update', 'code:welcome1', '--name', 'Herbst', '--reset-license-category', '--dry-run'];
  const ran = await offline().edu(...line, ...flags);
  expect(ran).toEqual({ code, stdout, stderr });
  expect(ran.stdout).not.toContain('http');
});

const JOB = 'licenses create --name A --type Teacher --maximum-activations 1 --count 4 --dry-run'.split(' ');

test.each([
  [['--fields', 'row,method,body.name', '-o', 'csv'], 'row,method,body.name\n1,POST,A\n2,POST,A\n3,POST,A\n4,POST,A\n'],
  // The limit counts rows of the job.
  [['--json', '--limit', '3', '--query', 'length(@)'], '3\n'],
  [['--json', '--query', '[?row==`2`].body.name'], '[\n  "A"\n]\n'],
  [['--quiet', '--fields', 'row', '--limit', '2'], '1\n2\n'],
  [['-o', 'csv', '--limit', '1'], expect.stringMatching(/^row,method,url,headers,body\n1,POST,http.*\n$/)],
])('selects from the requests of a job: %j', async (flags, stdout) => {
  expect(await offline().edu(...JOB, ...flags)).toMatchObject({ code: 0, stdout });
});

test('refuses a field that the requests of a job do not have', async () => {
  const stderr = 'Error: --fields: there is no field "name".\nHint: Use one of row, method, url, headers, body.\n';
  expect(await offline().edu(...JOB, '--fields', 'name')).toEqual({ code: 2, stdout: '', stderr });
});
