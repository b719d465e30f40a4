/** The order of a list: filter, sort, query, limit, fields, format. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { number, shape, text } from '../../../../src/contract/vocabulary.js';
import type { Values } from '../../../../src/core/flag-values.js';
import { outputSettings } from '../../../../src/output/output-settings.js';
import { createPrinter, type ListPrinting } from '../../../../src/output/printer.js';
import { compileQuery } from '../../../../src/output/select/query.js';
import { failure } from '../../../support/failure.js';
import { pipe, terminal } from '../streams.js';

const Thing = shape('Thing', 'a thing', {
  id: text('id'),
  name: text('name', { nullable: true }),
  used: number('used'),
  max: number('max'),
});

interface Item {
  readonly id: string;
  readonly name: string | null;
  readonly used: number;
  readonly max: number;
}

async function* inPagesOf(size: number, items: readonly unknown[], onRead?: () => void): AsyncGenerator<unknown[]> {
  for (let start = 0; start < items.length; start += size) {
    onRead?.();
    yield items.slice(start, start + size);
  }
}

async function printed(
  flags: Values,
  pages: AsyncIterable<readonly unknown[]>,
  more: Partial<ListPrinting> = {},
): Promise<{ stdout: string; stderr: string }> {
  const io = pipe();
  const printer = createPrinter({ settings: outputSettings(flags, io, {}), io, env: {}, warn: async () => {} });
  await printer.list(pages, { shape: Thing, noun: 'things', ...more });
  return { stdout: io.stdout.text, stderr: io.stderr.text };
}

const item = fc.record({
  id: fc.integer({ min: 0, max: 30 }).map((id) => `${id}`.padStart(3, '0')),
  name: fc.option(fc.constantFrom('a', 'b', 'c')),
  used: fc.integer({ min: 0, max: 3 }),
  max: fc.integer({ min: 0, max: 3 }),
});

const QUERIES = [
  undefined,
  '[]',
  '[?used==max]',
  "[?name>'a' && used<max].{id: id, free: max}",
  '[?used==max] | [0]',
  'sort_by(@, &id)[]',
  '[].id',
  'length(@)',
  'max_by(@, &used)',
] as const;

const compared = (one: unknown, other: unknown): number =>
  one === null || other === null
    ? Number(one === null) - Number(other === null)
    : (one as string) < (other as string)
      ? -1
      : Number(one !== other);

/** The same, in the words of the documentation. */
function reference(items: readonly Item[], { sort, query, limit, fields }: Values, keep: (one: Item) => boolean) {
  const kept = items.filter(keep);
  const sorted = sort === undefined ? kept : kept.toSorted((a, b) => compared(a[sort as 'id'], b[sort as 'id']));
  const result = query === undefined ? sorted : compileQuery(String(query)).run(sorted);
  if (!Array.isArray(result)) return result;
  const rows: unknown[] = result.slice(0, limit === undefined ? undefined : Number(limit));
  return fields === undefined ? rows : rows.map((row) => ({ id: (row as Item).id }));
}

describe('the order of a list', () => {
  it('is filter, sort, query, limit, fields, for any list', async () => {
    const flags = fc.record({
      sort: fc.option(fc.constantFrom('id', 'name', 'used'), { nil: undefined }),
      query: fc.constantFrom(...QUERIES),
      limit: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
      fields: fc.option(fc.constant('id'), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 25 }),
        flags,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 3 }),
        async (items, given, size, least) => {
          // Plain values have no fields.
          const used = ['[].id', 'length(@)', '[?used==max] | [0]', 'max_by(@, &used)'].includes(given.query ?? '')
            ? { ...given, fields: undefined }
            : given;
          // max_by of nothing is an error of JMESPath.
          const all = given.query === 'max_by(@, &used)' ? [{ id: 'z', name: null, used: 9, max: 9 }, ...items] : items;
          const keep = (one: Item): boolean => one.used >= least;
          const filter = (page: readonly unknown[]) => (page as readonly Item[]).filter(keep);
          const { stdout } = await printed({ ...used, json: true }, inPagesOf(size, all), { filter });
          expect(JSON.parse(stdout)).toEqual(reference(all, used, keep));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('checks --fields below a value that only the data shows with the first rows', async () => {
    const flags = { query: '[].{one: to_array(@)[0]}', output: 'tsv' };
    const items = [{ id: '1', name: 'a', used: 2, max: 2 }];
    expect((await printed({ ...flags, fields: 'one.name' }, inPagesOf(1, items))).stdout).toBe('a\n');
    const error = await failure(printed({ ...flags, fields: 'one.nam' }, inPagesOf(1, items)));
    expect([error.kind, error.message]).toEqual(['usage', '--fields: there is no field "one.nam" in the result.']);
  });

  it('prints the IDs that --fields left', async () => {
    const items = [{ id: '1', name: 'a', used: 2, max: 2 }];
    expect((await printed({ fields: 'name,id', output: 'ids' }, inPagesOf(1, items))).stdout).toBe('1\n');
  });

  it('counts with --limit what is printed, and stops reading there', async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({ id: `${index}`, name: 'a', used: index % 10, max: 0 }));
    let pages = 0;
    const source = inPagesOf(10, items, () => pages++);
    const { stdout, stderr } = await printed({ query: '[?used==`3`]', limit: 2, output: 'ids' }, source);
    expect(stdout).toBe('3\n13\n');
    expect(pages).toBe(2);
    expect(stderr).toBe('Note: cut by --limit after 2 rows; there may be more\n');
  });

  it.each([
    [{ limit: 3, query: '[]|[:3]' }, ''],
    [{ limit: 2, query: '[:3]' }, 'Note: cut by --limit after 2 rows; there are more\n'],
    [{ limit: 5, sort: 'id' }, ''],
    [{ limit: 4, sort: 'id' }, 'Note: cut by --limit after 4 things; there are more\n'],
    [{ limit: 1, query: 'length(@)' }, ''],
  ])('says with %j whether the list was cut', async (flags, said) => {
    const items = Array.from({ length: 5 }, (_, index) => ({ id: `${index}`, name: null, used: 0, max: 0 }));
    expect((await printed({ ...flags, output: 'ndjson' }, inPagesOf(2, items))).stderr).toBe(said);
  });
});

describe('names of --fields that the result does not have', () => {
  const unread = (async function* () {
    yield await Promise.reject(new Error('a request was sent'));
  })();

  it.each([
    [{ query: '[?used>`1`]', fields: 'nmae' }, '--fields: there is no field "nmae".'],
    [{ query: 'reverse(sort_by(@, &id))[:2]', fields: 'nmae', json: true }, '--fields: there is no field "nmae".'],
    [{ query: '[?used>`1`] | [0]', fields: 'nmae' }, '--fields: there is no field "nmae".'],
    [{ query: '[].[id]', fields: '1' }, '--fields: the rows of --query are lists, without fields.'],
    [{ query: '[].{a: id}', fields: 'id' }, '--fields: there is no field "id".'],
    [{ query: '[].{a: unheardOf}', fields: 'id' }, '--fields: there is no field "id".'],
    [{ query: '[?used>`1`]', fields: 'name', output: 'ids' }, '--fields: the result has no ID to print, only name.'],
    [{ fields: 'name', output: 'ids' }, '--fields: the result has no ID to print, only name.'],
    [{ query: '[].{n: name}', output: 'ids' }, '--query: the result has no ID to print, only n.'],
  ] satisfies readonly (readonly [Values, string])[])(
    'are a usage error before reading: %j',
    async (flags, message) => {
      const error = await failure(printed(flags, unread));
      expect(error).toMatchObject({ message, exitCode: 2 });
    },
  );

  it.each([
    [{ query: 'map(&{a: id}, @)', fields: 'b' }, '--fields: there is no field "b" in the result.'],
    [{ query: '[].id', fields: 'id', json: true }, '--fields: there is no field "id" in rows that are not objects.'],
  ] satisfies readonly (readonly [Values, string])[])(
    'are a usage error with nothing printed if only the rows show it: %j',
    async (flags, message) => {
      const io = pipe();
      const printer = createPrinter({ settings: outputSettings(flags, io, {}), io, env: {}, warn: async () => {} });
      const items = [{ id: '1', name: 'a', used: 1, max: 1 }];
      const error = await failure(printer.list(inPagesOf(1, items), { shape: Thing, noun: 'things' }));
      expect(error).toMatchObject({ message, exitCode: 2 });
      expect(io.stdout.text).toBe('');
    },
  );

  it.each([
    [{ query: 'sort_by(@, &id)', fields: 'id' }, '1\n'],
    [{ query: 'map(&{a: {b: id}}, @)', fields: 'a.b', output: 'ndjson' }, '{"a":{"b":"1"}}\n'],
    [{ query: '[?name==`x`]', fields: 'id,name', output: 'csv' }, 'id,name\n'],
  ] satisfies readonly (readonly [Values, string])[])('are fine where it has them: %j', async (flags, stdout) => {
    expect((await printed(flags, inPagesOf(1, [{ id: '1', name: 'a', used: 1, max: 1 }]))).stdout).toBe(stdout);
  });

  it('are fine where the contract has them and the first rows do not', async () => {
    const items = [{ id: '1' }, { id: '2', name: 'a' }];
    expect((await printed({ query: '[]', fields: 'name', output: 'csv' }, inPagesOf(1, items))).stdout).toBe(
      'name\n""\na\n',
    );
  });
});

it('counts below a cut table, too, where was looked', async () => {
  const io = terminal(80);
  const settings = outputSettings({ limit: 1, 'no-color': true }, io, { PAGER: 'cat' });
  const items = [{ id: '1' }, { id: '2' }];
  const printing = { shape: Thing, noun: 'things', scope: 'in d1 only' };
  await createPrinter({ settings, io, env: {}, warn: async () => {} }).list(inPagesOf(2, items), printing);
  expect(io.stderr.text).toBe('Note: cut by --limit after 1 thing; there are more\n1 thing in d1 only\n');
});

describe('an item', () => {
  const show = async (flags: Values): Promise<string> => {
    const io = pipe();
    const thing = { id: '1', name: 'a', used: 1, max: 2 };
    await createPrinter({ settings: outputSettings(flags, io, {}), io, env: {}, warn: async () => {} }).item(
      thing,
      Thing,
    );
    return io.stdout.text;
  };

  it('is queried as a whole, too, before its fields are picked', async () => {
    expect(await show({ query: '{id: id, free: max}', fields: 'free', output: 'ndjson' })).toBe('{"free":2}\n');
    expect(await show({ query: '[{a: used}, {a: max}]', fields: 'a', output: 'csv' })).toBe('a\n1\n2\n');
    expect((await failure(show({ query: '{free: max}', fields: 'id' }))).exitCode).toBe(2);
    expect((await failure(show({ query: 'merge(@, {x: id})', fields: 'y' }))).exitCode).toBe(2);
  });
});

describe('where an empty list was looked for', () => {
  const scope = 'in your organization d1 only; --organization looks elsewhere';

  it('is said on stderr, in every format', async () => {
    for (const output of ['table', 'ids', 'json']) {
      expect((await printed({ output }, inPagesOf(1, []), { scope })).stderr).toBe(`Note: 0 things ${scope}\n`);
    }
    expect((await printed({}, inPagesOf(1, [{ id: '1' }]), { scope })).stderr).toBe('');
    expect((await printed({ quiet: true }, inPagesOf(1, []), { scope })).stderr).toBe('');
  });
});
