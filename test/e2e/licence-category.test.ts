/** An update says nothing of the licence category, and warns when that has changed it (service-api-v1.md, "Licence"). */
import { expect, test } from 'vitest';
import { home, run } from '../support/run.js';
import { type Answers, scriptedService } from '../support/scripted-service.js';

const LICENCE = {
  id: 'l1',
  name: 'Staff',
  code: 'staff1',
  type: 'Teacher',
  books: [],
  expiration: null,
  maximumActivations: 5,
  numberOfActivations: 0,
  organization: { id: 'd1', type: 'Distributor' },
  licenseCategory: 'k2',
  endUsers: [],
};

/** Runs an update against a service that shows these categories: before, in the answer to the update, and afterwards. */
async function warned(before: string | null, answered: string | null, after: string | null) {
  let written = false;
  const answers: Answers = {
    'GET /v1/licenses/l1': () => ({ body: { ...LICENCE, licenseCategory: written ? after : before } }),
    'PUT /v1/licenses/l1': () => {
      written = true;
      return { body: { ...LICENCE, licenseCategory: answered } };
    },
  };
  const service = await scriptedService(answers);
  const ran = await run(['licenses', 'update', 'l1', '--name', 'Staff'], { env: { ...home(), ...service.env } });
  expect(ran).toMatchObject({ code: 0 });
  return { warning: ran.stderr, asked: service.sent.length };
}

test.each([
  ['reads show the id, the answer the name', 'k2', 'Regular', 'k2', 3],
  ['names everywhere', 'Regular', 'Regular', 'Regular', 2],
  ['none before, the default in the answer', null, 'Standard', null, 3],
] as const)('no warning when nothing changed: %s', async (_, before, answered, after, requests) => {
  expect(await warned(before, answered, after)).toEqual({ warning: '', asked: requests });
});

test.each([
  ['ids', 'k2', 'Standard', 'k1', '"k2" to "k1"'],
  ['names', 'Regular', 'Standard', 'Standard', '"Regular" to "Standard"'],
] as const)('a warning when it was reset, in %s', async (_, before, answered, after, change) => {
  const { warning } = await warned(before, answered, after);
  expect(warning).toBe(`Warning: The licence category changed from ${change}. Give --license-category to set it.\n`);
});
