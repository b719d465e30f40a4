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
