/** An update that may reset what the API does not let a client keep says so before anything is sent. */
import { describe, expect, test } from 'vitest';
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

async function served(category: string | null) {
  const shown = { ...LICENCE, licenseCategory: category };
  const answers: Answers = {
    'GET /v1/licenses/l1': { body: shown },
    'GET /v1/licenses/l2': { body: { ...shown, id: 'l2', licenseCategory: null } },
    'PUT /v1/licenses/l1': { body: shown },
    'PUT /v1/licenses/l2': { body: shown },
    'POST /v1/licenses': { body: { ...LICENCE, licenseCategory: 'Standard' } },
    'GET /v1/account': { body: { id: 'u1', email: 'a@b.example', roles: [] } },
    'GET /v1/users/u1': { body: { id: 'u1', organization: { id: 'd1', type: 'Distributor' } } },
  };
  const service = await scriptedService(answers);
  const env = { ...home(), ...service.env };
  const edu = (line: string, more: { readonly input?: string } = {}) => run(line.split(' '), { env, ...more });
  const puts = () => service.sent.flatMap(({ line, json }) => (line.startsWith('PUT') ? [json] : []));
  return { edu, puts };
}

const UPDATE = 'licenses update l1 --name Staff';

describe('a licence that shows a category', () => {
  test.each(['', ' --dry-run', ' -q'])('is not updated by a script without a category flag%s', async (flag) => {
    const { edu, puts } = await served('k2');
    const { code, stdout, stderr } = await edu(UPDATE + flag);
    expect([code, stdout, puts()]).toEqual([2, '', []]);
    expect(stderr).toContain('Refusing to update licence l1 "Staff (staff1)": it shows the licence category "k2"');
    expect(stderr).toContain('Pass --license-category ID to set the category, or --reset-license-category');
  });

  test('is updated with --license-category and with --reset-license-category', async () => {
    const { edu, puts } = await served('k2');
    expect(await edu(`${UPDATE} --license-category k9`)).toMatchObject({ code: 0, stderr: '' });
    expect(await edu(`${UPDATE} --reset-license-category`)).toMatchObject({ code: 0, stderr: '' });
    expect(puts()).toMatchObject([{ licenseCategory: 'k9' }, { name: 'Staff' }]);
    expect(puts()[1]).not.toHaveProperty('licenseCategory');
  });

  test('is updated if a create without a category has returned the same one', async () => {
    const { edu, puts } = await served('Standard');
    expect((await edu(UPDATE)).code).toBe(2);
    await edu('licenses create --name A --type Teacher --maximum-activations 1');
    expect(await edu(UPDATE)).toMatchObject({ code: 0, stderr: '' });
    expect(puts()).toHaveLength(1);
  });

  test('stops a bulk update before its first row, with the lines', async () => {
    const { edu, puts } = await served('k2');
    const input = 'licence,name\nl2,A\nl1,B\n';
    for (const flag of ['', ' --dry-run']) {
      const { code, stderr } = await edu(`licenses update --from -${flag}`, { input });
      expect([code, puts()]).toEqual([2, []]);
      expect(stderr).toContain('line 3: shows the licence category "k2", which this update may reset');
    }
    expect((await edu('licenses update --from - --reset-license-category', { input })).code).toBe(0);
    expect(puts()).toHaveLength(2);
  });
});

test.each(['', ' -q', ' --dry-run'])('warns before the update of a licence that shows no category%s', async (flag) => {
  const { edu } = await served(null);
  const { code, stderr } = await edu(UPDATE + flag);
  expect([code, stderr]).toEqual([
    0,
    'Warning: The service shows no category of licence l1 "Staff (staff1)"; if it has one, this update may reset it. ' +
      'Pass --license-category ID to set it.\n',
  ]);
});
