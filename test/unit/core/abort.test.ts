import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { onAbort } from '../../../src/core/abort.js';

test('all that watch a signal are called once, through one listener', () => {
  const controller = new AbortController();
  const seen: string[] = [];
  onAbort(controller.signal, () => seen.push('a'));
  const forget = onAbort(controller.signal, () => seen.push('b'));
  onAbort(controller.signal, () => seen.push('c'));
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  forget();
  controller.abort();
  controller.abort();
  expect(seen).toEqual(['a', 'c']);
});
