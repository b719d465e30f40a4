import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ReceiptHeader, type ReceiptStep, readReceipt } from '../../../src/plan/apply/receipt.js';
import { planUndo } from '../../../src/plan/undo-receipt.js';
import { temporaryFolder } from '../../support/run.js';

const section = { id: 's1', name: 'Gymnasium' };
const step = (number: number, more: Partial<ReceiptStep>): ReceiptStep => ({
  ...{ step: number, verb: 'create', resource: 'licenses', key: 'autumn', id: null, section, before: null },
  ...{ after: { name: 'Autumn' }, needs: [], reversible: true, mails: false, why: '' },
  ...{ outcome: 'done', resultId: `made${number}`, error: null },
  ...more,
});
const header: ReceiptHeader = {
  ...{ receipt: 1, service: 'https://example.org', account: { id: 's1', type: 'School' }, plan: 'a' },
  ...{ planned: '2026-11-23', written: '2026-11-23', steps: 1 },
};

test('deletes a created licence, unless the plan has assigned it', () => {
  const holder = step(3, {
    ...{ verb: 'assign', resource: 'holders', key: 'spring  mia@s1.example', reversible: false, needs: [2] },
    after: { license: { step: 2 }, user: { id: 'mia' } },
  });
  const { steps, conflicts } = planUndo({ header, steps: [step(1, {}), step(2, { key: 'spring' }), holder] });
  expect(steps.map(({ verb, key, id }) => [verb, key, id])).toEqual([['delete', 'autumn', 'made1']]);
  expect(conflicts.map(({ key, why }) => [key, why])).toEqual([
    ['spring', 'it was assigned, so the service cannot delete it: edu licenses cancel ends it'],
    ['spring  mia@s1.example', 'the service cannot take a licence away'],
  ]);
});

test('refuses a receipt that is truncated or damaged', () => {
  const file = join(temporaryFolder(), 'a.receipt');
  const read = (...lines: readonly object[]) => {
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return () => readReceipt(file);
  };
  expect(read(header, step(1, {}))()).toMatchObject({ steps: [{ step: 1 }] });
  expect(read(header)).toThrow(`Cannot use ${file}: it has 0 of 1 steps.`);
  expect(read({ receipt: 1 })).toThrow('it is not a receipt');
  for (const wrong of [{ needs: undefined }, { needs: {} }, { section: 1 }, { step: 'a' }, { outcome: null }])
    expect(read(header, { ...step(1, {}), ...wrong })).toThrow('line 2 is not a step');
});
