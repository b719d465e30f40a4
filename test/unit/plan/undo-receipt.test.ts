import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ReceiptHeader, type ReceiptStep, readReceipt, withDigest } from '../../../src/plan/apply/receipt.js';
import { endpointOf } from '../../../src/plan/items.js';
import { linesOf } from '../../../src/plan/plan-file.js';
import { planUndo } from '../../../src/plan/undo-receipt.js';
import { temporaryFolder } from '../../support/run.js';

const LICENCE = { name: 'Autumn', code: 'autumn', type: 'Teacher', maximumActivations: 5 };
const step = (number: number, more: Partial<ReceiptStep>): ReceiptStep => ({
  step: number,
  verb: 'create',
  resource: 'licenses',
  id: null,
  before: null,
  after: LICENCE,
  outcome: 'done',
  resultId: `made${number}`,
  error: null,
  ...more,
});
const header: ReceiptHeader = {
  receipt: 1,
  plan: 'a',
  service: 'https://example.org',
  account: { id: 's1', type: 'School' },
  created: '2026-11-23',
  managed: [],
  written: '2026-11-23',
  steps: 1,
  digest: '',
};

test('deletes a created licence, unless the plan has assigned it', () => {
  const spring = step(2, { after: { ...LICENCE, code: 'spring' } });
  const holder = step(3, {
    verb: 'assign',
    resource: 'holders',
    after: { licenseId: { step: 2 }, userId: 'mia' },
    resultId: 'mia',
  });
  const { steps, staying } = planUndo({ header, steps: [step(1, {}), spring, holder] });
  expect(steps).toMatchObject([{ step: 1, verb: 'delete', id: 'made1', before: { name: 'Autumn' } }]);
  expect(staying).toMatchObject([
    { step: { id: 'made2' }, why: 'it was assigned, so the service cannot delete it: edu licenses cancel ends it' },
    { step: { after: { licenseId: 'made2', userId: 'mia' } }, why: 'the service cannot take a licence away' },
  ]);
});

test('keeps a created licence whose ID is not known', () => {
  expect(planUndo({ header, steps: [step(1, { resultId: null })] })).toMatchObject({
    steps: [],
    staying: [{ why: 'its ID is not known' }],
  });
});

test('keeps what may have been done', () => {
  const unknown = step(1, { outcome: 'unknown', error: 'no response', resultId: null });
  expect(planUndo({ header, steps: [unknown] }).staying).toMatchObject([
    { why: 'its outcome is unknown: no response' },
  ]);
});

test('keeps a change of a field that the service did not show', () => {
  const after = { ...LICENCE, licenseCategory: '7' };
  const update = step(1, { verb: 'update', id: 'l1', resultId: 'l1', before: LICENCE, after });
  expect(planUndo({ header, steps: [update] })).toMatchObject({
    steps: [],
    staying: [{ why: 'the service does not return all fields that the change replaced' }],
  });
});

test('keeps a change whose earlier value the service would refuse', () => {
  const school = { name: 'East', country: 'NL', city: 'Zwolle' };
  const update = { verb: 'update', resource: 'schools', id: 's1', resultId: 's1', after: school } as const;
  const steps = ['', 'Assen'].map((city, at) => step(at + 1, { ...update, before: { ...school, city } }));
  const undo = planUndo({ header, steps });
  expect(undo.steps).toMatchObject([{ after: { city: 'Assen' } }]);
  expect(undo.staying).toMatchObject([{ why: 'the service would refuse its earlier value: city is required' }]);
});

test('refuses a receipt that is truncated, changed or damaged', () => {
  const file = join(temporaryFolder(), 'a.receipt');
  const read = (steps: readonly object[], more: object = {}) => {
    const receipt = withDigest({ header: { ...header, ...more }, steps: steps as readonly ReceiptStep[] });
    writeFileSync(file, [...linesOf(receipt)].join(''));
    return () => readReceipt(file);
  };
  for (const outcome of ['done', 'exists', 'stale', 'skipped', 'failed', 'unknown', 'left'] as const)
    expect(read([step(1, { outcome })])()).toMatchObject({ steps: [{ step: 1, outcome }] });
  expect(read([])).toThrow(`Cannot use ${file}: it has 0 of 1 steps.`);
  expect(read([step(1, {})], { receipt: 2 })).toThrow('line 1 is not the header of a receipt');
  for (const [wrong, why] of [
    [{ step: 2 }, 'line 2: step must be 1, not 2'],
    [{ outcome: null }, 'line 2: outcome must be one of done'],
    [{ resultId: {} }, 'line 2: outcome must be one of done'],
    [{ key: 'other' }, 'line 2: key is unknown'],
  ] as const)
    expect(read([{ ...step(1, {}), ...wrong }])).toThrow(`Cannot use ${file}: ${why}`);
  read([step(1, {})])();
  writeFileSync(file, [...linesOf({ header, steps: [step(1, {})] })].join(''));
  expect(() => readReceipt(file)).toThrow('it was changed after it was written');
  writeFileSync(file, `${JSON.stringify(header)}\n[]\n`);
  expect(() => readReceipt(file)).toThrow('line 2 is not a JSON object');
});

test('plans contain these requests only', () => {
  const resources = ['publishers', 'schools', 'users', 'classes', 'licenses', 'books', 'readers', 'members', 'holders'];
  const verbs = ['create', 'update', 'delete', 'cancel', 'assign', 'unassign', 'get', 'constructor'];
  const found = resources.flatMap((resource) => {
    const of = verbs.filter((verb) => endpointOf({ verb, resource }) !== undefined);
    return `${resource}: ${of.join(' ')}`;
  });
  expect(found).toEqual([
    'publishers: create update',
    'schools: create update',
    'users: create update',
    'classes: create update delete',
    'licenses: create update delete cancel',
    'books: update',
    'readers: update',
    'members: assign unassign',
    'holders: assign',
  ]);
});
