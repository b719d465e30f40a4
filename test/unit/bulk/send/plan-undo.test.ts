import { expect, test } from 'vitest';
import { planUndo } from '../../../../src/bulk/send/plan-undo.js';
import { license as resource } from '../../../../src/contract/licenses.js';
import { bench, failure } from '../../client/support.js';

test('finds an item that was created without an ID in the response by its code', async () => {
  const { client, lines } = bench([{ body: { id: '7', code: 'abc', numberOfActivations: 0 } }]);
  const { undo } = resource;
  if (undo === undefined) throw new TypeError('no undo');
  const { signal } = new AbortController();
  const plan = planUndo({ resource, undo, client, cancels: false, onActivated: () => {}, signal });
  expect(await plan({ row: '1', code: 'abc' })).toMatchObject([{ input: { params: { id: '7' } }, undoes: 'deleted' }]);
  expect(lines()).toEqual(['GET /v1/licenses/code/abc']);
  expect(await failure(plan({ row: '1' }))).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('row 1'),
  });
});
