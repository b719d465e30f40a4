/** Commands that are made from a resource that has what no present one has. */
import { expect, test } from 'vitest';
import type { Context } from '../../../../src/cli/context.js';
import { listOf } from '../../../../src/commands/kinds/of-resource.js';
import type { ListSpec } from '../../../../src/commands/kinds/spec.js';
import { resource } from '../../../../src/contract/resource.js';
import { choice, get, shape, text } from '../../../../src/contract/vocabulary.js';

test('optional fields of a list’s query are flags, and are sent', async () => {
  const Coupon = shape('Coupon', 'a coupon', { id: text('ID') }, { columns: [] });
  const query = { state: choice(['Open', 'Used'], 'state') } as const;
  const list = get('/v1/coupons', 'List the coupons.', {
    query,
    list: { key: 'coupons', of: Coupon, paged: true },
    errors: [],
  });
  const coupon = resource({
    name: 'coupons',
    noun: ['coupon', 'coupons'],
    endpoints: { list },
    shape: Coupon,
    label: '{id}',
    search: ['id'],
    natural: null,
    written: [],
  });
  const command = listOf(coupon, { examples: {} });
  expect(command.flags?.map(({ name }) => name)).toContain('state');
  const { sources } = command as unknown as ListSpec;
  const context = { language: () => 'EN' } as unknown as Context;
  expect(await sources({ state: 'Used' }, context)).toMatchObject([
    { endpoint: list, input: { query: { state: 'Used' } } },
  ]);
});
