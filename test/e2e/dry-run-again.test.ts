/** `--dry-run` of a job that is finished. */
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
