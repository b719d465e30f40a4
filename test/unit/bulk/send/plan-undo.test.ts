import { expect, test } from 'vitest';
import { planUndo } from '../../../../src/bulk/send/plan-undo.js';
import { license as resource } from '../../../../src/contract/licenses.js';
import { bench, failure } from '../../client/support.js';

function planning(body: object) {
  const { client, lines } = bench([{ body }]);
  const { undo } = resource;
  if (undo === undefined) throw new TypeError('no undo');
  const { signal } = new AbortController();
  return { lines, plan: planUndo({ resource, undo, client, cancels: false, signal }) };
}

test('deletes the item that the job created, even if its look-up returns no ID', async () => {
  const deleted = [{ input: { params: { id: '7' } }, undoes: 'deleted' }];
  expect(await planning({ code: 'abc', name: 'A' }).plan({ row: '1', id: '7' })).toMatchObject(deleted);
  expect(await failure(planning({ code: 'abc', name: 'A' }).plan({ row: '1', code: 'abc' }))).toMatchObject({
    kind: 'invalid_response',
    message: expect.stringContaining('no ID of the licence abc'),
  });
});

test('finds an item that was created without an ID in the response by its code', async () => {
  const { plan, lines } = planning({ id: '7', code: 'abc', numberOfActivations: 0 });
  expect(await plan({ row: '1', code: 'abc' })).toMatchObject([{ input: { params: { id: '7' } }, undoes: 'deleted' }]);
  expect(lines()).toEqual(['GET /v1/licenses/code/abc']);
  expect(await failure(plan({ row: '1' }))).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('row 1'),
  });
});
