/** Steps of a plan or receipt: only requests that the contract allows are read. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../src/core/json.js';
import { readReceipt, withDigest } from '../../../src/plan/apply/receipt.js';
import { parseSteps } from '../../../src/plan/parse-step.js';
import { newPlan, readPlan } from '../../../src/plan/plan-file.js';
import type { Step } from '../../../src/plan/steps.js';
import { temporaryFolder } from '../../support/run.js';

const SCHOOL = { id: 's1', type: 'School' } as const;
const NEW_SCHOOL = { id: { step: 1 }, type: 'School' };
const USER = { firstName: 'A', lastName: 'B', organization: SCHOOL, roles: ['r1'] };
const LICENCE = { name: 'Autumn', type: 'Teacher', maximumActivations: 5 };
const CLASS = { name: '5a', subjectId: '01' };

const create = (resource: string, after: unknown) => ({ verb: 'create', resource, id: null, before: null, after });
/** Steps that are read as they are. */
const STEPS: readonly JsonObject[] = [
  create('schools', { name: 'Neu', country: 'DE', city: 'Bonn' }),
  create('users', { ...USER, email: 'a@b.example', language: 'DE', organization: NEW_SCHOOL, roles: [{ name: 'T' }] }),
  create('classes', { ...CLASS, schoolId: { step: 1 } }),
  { ...create('members', { classId: { step: 3 }, userId: { step: 2 } }), verb: 'assign' },
  create('licenses', { ...LICENCE, code: 'a1', organization: SCHOOL }),
  { ...create('holders', { licenseId: { step: 5 }, userId: 'u1' }), verb: 'assign' },
  { verb: 'update', resource: 'users', id: 'u1', before: USER, after: { ...USER, lastName: 'C' } },
  { verb: 'unassign', resource: 'members', id: null, before: { classId: 'c1', userId: 'u1' }, after: null },
  { verb: 'delete', resource: 'classes', id: 'c2', before: { ...CLASS, users: 2 }, after: null },
  { verb: 'cancel', resource: 'licenses', id: 'l1', before: { ...LICENCE, numberOfActivations: 1 }, after: null },
].map((one, index) => ({ step: index + 1, ...one }));

const read = (lines: readonly JsonObject[], further: readonly string[] = []) =>
  parseSteps(lines, further, (index, why) => new Error(`${index + 1}: ${why}`));

test('reads each kind of step, and further members only where they are allowed', () => {
  expect(read(STEPS)).toEqual(STEPS);
  const further = STEPS.map((one) => ({ ...one, outcome: 'done' }));
  expect(read(further, ['outcome'])).toEqual(further);
  expect(() => read(further)).toThrow(/^1: outcome is unknown$/);
});

const EARLIER = 'must be an ID or an earlier step that creates it';
test.each<[number, JsonObject, string]>([
  [1, { step: 2 }, 'step must be 1, not 2'],
  [1, { step: [] }, 'step must be 1, not a list'],
  [2, { step: undefined }, 'step must be 2, not nothing'],
  [1, { verb: 'x'.repeat(59) }, `a plan cannot "${'x'.repeat(59)}… "schools"`],
  [1, { verb: 'delete' }, 'a plan cannot "delete" "schools"'],
  [1, { resource: ' .. ' }, 'a plan cannot "create" " .. "'],
  [1, { resource: {} }, 'a plan cannot "create" an object'],
  [1, { resource: '__proto__' }, 'a plan cannot "create" "__proto__"'],
  [1, { id: 's1' }, 'id must be null, not "s1"'],
  [7, { id: null }, 'id must be an ID, not null'],
  [7, { id: '' }, 'id must be an ID, not ""'],
  [7, { id: ' . ' }, 'id must be an ID, not " . "'],
  [7, { id: '\ud800' }, 'id must be an ID, not "\\ud800"'],
  [9, { id: 7 }, 'id must be an ID, not 7'],
  [10, { id: null }, 'id must be an ID, not null'],
  [1, { before: {} }, 'before must be null, not an object'],
  [7, { before: null }, 'before must be an object, not null'],
  [8, { before: null }, 'before must be an object, not null'],
  [1, { after: null }, 'after must be an object, not null'],
  [8, { after: {} }, 'after must be null, not an object'],
  [9, { after: {} }, 'after must be null, not an object'],
  [10, { after: 7 }, 'after must be null, not 7'],
  [7, { before: { ...USER, nickname: 'x' } }, 'before.nickname is unknown'],
  [7, { before: { firstName: 'A', organization: SCHOOL, roles: [] } }, 'before.lastName must be given'],
  [9, { before: { name: '5a', users: 2 } }, 'before.subjectId must be given'],
  [10, { before: { name: 'A', numberOfActivations: 1 } }, 'before.maximumActivations must be given'],
  [1, { after: { name: 'Neu', country: 'DE', city: 'Bonn', active: true } }, 'after.active is unknown'],
  [1, { after: { name: 'Neu', country: 'Germany', city: 'Bonn' } }, 'after.country must be the two letters'],
  [5, { after: { ...LICENCE, organization: SCHOOL } }, 'after.code must be given'],
  [3, { after: { ...CLASS, schoolId: { step: 2 } } }, `after.schoolId ${EARLIER}, not an object`],
  [3, { after: { ...CLASS, schoolId: { step: 9 } } }, `after.schoolId ${EARLIER}`],
  [3, { after: { ...CLASS, schoolId: { step: 1, x: 1 } } }, 'after.schoolId.x is unknown'],
  [3, { after: { ...CLASS, schoolId: { name: 'Neu' } } }, 'after.schoolId.name is unknown'],
  [2, { after: { ...USER, organization: { ...NEW_SCHOOL, type: 'Publisher' } } }, `after.organization.id ${EARLIER}`],
  [2, { after: { ...USER, email: 'a@b.example', roles: [{ name: '' }] } }, 'after.roles[0].name is unknown'],
  [2, { after: { ...USER, email: 'a@b.example', roles: [{ name: 'T', step: 1 }] } }, 'after.roles[0].step is unknown'],
  [4, { after: { classId: { step: 2 }, userId: 'u1' } }, `after.classId ${EARLIER}`],
  [6, { after: { licenseId: { step: 4 }, userId: 'u1' } }, `after.licenseId ${EARLIER}`],
  [8, { before: { classId: 'c1' } }, 'after.userId'],
])('refuses step %i with %j', (step, wrong, why) => {
  const lines = STEPS.map((one) => (one.step === step ? { ...one, ...wrong } : one));
  expect(() => read(lines)).toThrow(`${step}: ${why}`);
});

test.each<[JsonObject, string]>([
  [{ verb: 'unassign', resource: 'members', id: null, before: { userId: 'u1', classId: 'c1' }, after: null }, 'step 8'],
  [create('schools', { name: 'Neu', country: 'DE', city: 'Ulm' }), 'step 1'],
  [create('classes', { ...CLASS, schoolId: { step: 1 } }), 'step 3'],
  [{ verb: 'delete', resource: 'licenses', id: 'l1', before: LICENCE, after: null }, 'step 10'],
])('refuses a step that changes the same as an earlier one: %j', (again, which) => {
  expect(() => read([...STEPS, { step: 11, ...again }])).toThrow(`11: it changes the same as ${which}`);
});

test('reads classes of one name that have different subjects', () => {
  const other = { step: 11, ...create('classes', { ...CLASS, subjectId: '02', schoolId: { step: 1 } }) };
  expect(read([...STEPS, other])).toHaveLength(11);
});

/** Nested so deeply that no recursion can follow it. */
const ABYSS = '["abyss"]';
const VALUES = [null, 1, -1, 1e21, '', '..', [], {}, true, { toString: 1 }, JSON.parse('{"__proto__":{}}'), ABYSS];

function failureOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test('a malformed plan or receipt is refused by an error that names the file', () => {
  const file = join(temporaryFolder(), 'malformed');
  const plan = newPlan(
    { steps: STEPS as unknown as readonly Step[], managed: [] },
    { service: '', account: SCHOOL, created: '' },
  );
  const steps = plan.steps.map((one) => ({ ...one, outcome: 'done' as const, resultId: null, error: null }));
  const header = { ...plan.header, receipt: 1 as const, plan: '', written: '', digest: '' };
  const { hash: _, version: __, ...written } = header;
  for (const [read, { header: first, steps: rest }] of [
    [readPlan, plan],
    [readReceipt, withDigest({ header: written, steps })],
  ] as const) {
    const refuses = (lines: readonly unknown[]): void => {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      writeFileSync(file, text.replaceAll(JSON.stringify(ABYSS), '['.repeat(20_000) + ']'.repeat(20_000)));
      const message = expect.stringContaining(`Cannot use ${file}: `);
      expect(
        failureOf(() => read(file)),
        text,
      ).toMatchObject({ kind: 'usage', hint: expect.any(String), message });
    };
    const lines: readonly object[] = [first, ...rest];
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect(read(file)).toEqual({ header: first, steps: rest });
    for (const [index, line] of lines.entries())
      for (const [name, old] of Object.entries<unknown>({ ...line, other: 'unknown' }))
        for (const value of VALUES) {
          // When a plan was made is not part of its hash.
          const isFine =
            JSON.stringify(value) === JSON.stringify(old) || (name === 'created' && typeof value === 'string');
          if (!isFine) refuses(lines.with(index, { ...line, [name]: value }));
          if (isObject(old))
            refuses(lines.with(index, { ...line, [name]: { ...old, [Object.keys(old)[0] ?? '']: value } }));
        }
  }
});
