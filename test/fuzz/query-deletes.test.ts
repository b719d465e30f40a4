/** What a query selects is what is deleted when its IDs are piped into `licenses delete`. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { home, run } from '../support/run.js';

interface Licence {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly maximumActivations: number;
  readonly numberOfActivations: number;
}

/** An expression, and what it means. */
interface Condition {
  readonly text: string;
  readonly holds: (licence: Licence) => boolean;
}

const seats = fc.integer({ min: 0, max: 6 });
const letter = fc.constantFrom('a', 'e', 'k', 'z');
const simple: fc.Arbitrary<Condition> = fc.oneof(
  seats.map((n): Condition => ({ text: `maximumActivations>=\`${n}\``, holds: (one) => one.maximumActivations >= n })),
  letter.map((from): Condition => ({ text: `name<'${from}'`, holds: ({ name }) => name < from })),
  letter.map((part): Condition => ({ text: `contains(name, '${part}')`, holds: ({ name }) => name.includes(part) })),
  fc.constant<Condition>({
    text: 'numberOfActivations==maximumActivations',
    holds: (one) => one.numberOfActivations === one.maximumActivations,
  }),
);
const condition = fc.oneof(
  simple,
  fc
    .tuple(simple, simple)
    .map(([a, b]): Condition => ({ text: `(${a.text}) && (${b.text})`, holds: (one) => a.holds(one) && b.holds(one) })),
  fc
    .tuple(simple, simple)
    .map(([a, b]): Condition => ({ text: `(${a.text}) || (${b.text})`, holds: (one) => a.holds(one) || b.holds(one) })),
  simple.map((a): Condition => ({ text: `!(${a.text})`, holds: (one) => !a.holds(one) })),
);

const selection = fc.record({
  condition,
  shape: fc.constantFrom('', '.id', '.{id: id, n: name}'),
  limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  isSorted: fc.boolean(),
  hasFields: fc.boolean(),
});

const made = fc.array(fc.record({ name: fc.stringMatching(/^[aekz]{1,3}$/), seats }), { minLength: 1, maxLength: 12 });

test('for random licences and queries', async () => {
  await fc.assert(
    fc.asyncProperty(made, fc.array(selection, { minLength: 1, maxLength: 3 }), async (licences, selections) => {
      const folders = home();
      const env = { ...folders, EDU_OFFLINE: '1', EDU_CODE_SECRET: 'secret-of-the-test' };
      const edu = (argv: readonly string[], input = '') => run(argv, { env, input, randomBytes });
      const list = async (): Promise<readonly Licence[]> =>
        JSON.parse((await edu(['licenses', 'list', '--json'])).stdout);
      await edu(['offline', 'reset', '--seed', 'empty', '--yes']);
      const rows = licences.map((one) => ({ ...one, 'maximum-activations': one.seats, seats: undefined }));
      const create = ['licenses', 'create', '--type', 'Teacher', '--from', '-'];
      expect(await edu(create, rows.map((row) => JSON.stringify(row)).join('\n'))).toMatchObject({ code: 0 });
      for (const { condition, shape, limit, isSorted, hasFields } of selections) {
        const before = await list();
        const fields = hasFields && shape !== '.id' ? ['--fields', 'id'] : [];
        const sort = isSorted ? ['--sort', 'NAME:desc'] : [];
        const max = limit === undefined ? [] : ['--limit', `${limit}`];
        const query = ['--query', `[?${condition.text}]${shape}`, ...fields, ...sort, ...max, '-o', 'ids'];
        const { stdout } = await edu(['licenses', 'list', ...query]);
        const selected = stdout.split('\n').slice(0, -1);
        const matching = before.filter(condition.holds).map(({ id }) => id);
        expect(selected).toHaveLength(Math.min(matching.length, limit ?? matching.length));
        expect(matching).toEqual(expect.arrayContaining(selected));
        if (selected.length > 0)
          expect(await edu(['licenses', 'delete', '--from', '-', '--yes'], stdout)).toMatchObject({ code: 0 });
        const left = (await list()).map(({ id }) => id);
        expect(left).toEqual(before.map(({ id }) => id).filter((id) => !selected.includes(id)));
      }
      rmSync(folders.EDU_STATE_DIR, { recursive: true, force: true });
    }),
    { numRuns: 4 },
  );
}, 180_000);
