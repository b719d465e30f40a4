/** What asks first, where nobody can be asked. */
import { expect, test } from 'vitest';
import { run } from '../../support/run.js';
import { scriptedService } from '../../support/scripted-service.js';
import { table } from './refused.js';

table('what destroys is not done unasked', [
  [
    ['licenses', 'delete', 'l1'],
    ['Delete', 'licence l1', '--yes'],
  ],
  [
    ['licenses', 'cancel', 'l1', 'l2'],
    ['Cancel', 'licence l1', 'licence l2', '--yes'],
  ],
  [
    ['classes', 'delete', 'c1'],
    ['Delete', 'class c1', '--yes'],
  ],
  [
    ['users', 'anonymize', 'u1'],
    ['Anonymize', 'user u1', '--yes'],
  ],
  // Not even what names them is looked up.
  [
    ['licenses', 'delete', 'code:autumn'],
    ['Delete', 'licence code:autumn', '--yes'],
  ],
  [
    ['users', 'anonymize', 'a@b.example', 'u2'],
    ['Anonymize', 'these 2: user a@b.example, user u2', '--yes'],
  ],
  [
    ['licenses', 'cancel', '--from', 'FOLDER/licences.csv'],
    ['Cancel what 2 rows name?', '--yes'],
  ],
]);

test('on a terminal nobody is asked with --no-input or EDU_NO_INPUT', async () => {
  const service = await scriptedService({});
  const line = ['licenses', 'delete', 'l1'];
  const runs = [
    await run([...line, '--no-input'], { env: service.env, terminal: 80 }),
    await run(line, { env: { ...service.env, EDU_NO_INPUT: '1' }, terminal: 80 }),
    await run(['publishers', 'create', '--no-input'], { env: service.env, terminal: 80 }),
  ];
  expect(runs.map(({ code }) => code)).toEqual([2, 2, 2]);
  expect(service.sent).toEqual([]);
});
