import { describe, expect, it } from 'vitest';
import { LicenceDetail } from '../../../src/contract/licenses.js';
import { School } from '../../../src/contract/schools.js';
import { any, object, text } from '../../../src/contract/vocabulary.js';
import { EduError } from '../../../src/core/errors.js';
import type { Values } from '../../../src/core/flag-values.js';
import { ClosedPipe } from '../../../src/core/io.js';
import { amount } from '../../../src/output/list-end.js';
import { outputSettings } from '../../../src/output/output-settings.js';
import { createPrinter, type ListPrinting } from '../../../src/output/printer.js';
import { failure } from '../../support/failure.js';
import { inPages, type MemoryIo, pipe, terminal } from './streams.js';

const schools = [
  { id: 's2', name: 'Älvsjö', country: 'SE', city: 'Stockholm', roles: [{ id: 'r1', name: 'Teacher' }] },
  { id: 's1', name: 'Zürich West', country: 'CH', city: 'Zürich', roles: [] },
  { id: 's10', name: 'Aarhus', country: 'DK', city: 'Aarhus', roles: [] },
];
const [first = {}, second = {}, third = {}] = schools;

const printing: ListPrinting = { shape: School, noun: 'schools' };

const printer = (flags: Values, io: MemoryIo) =>
  createPrinter({ settings: outputSettings(flags, io, {}), io, env: {}, warn: async () => {} });

async function list(flags: Values, io: MemoryIo = pipe(), more: Partial<ListPrinting> = {}): Promise<MemoryIo> {
  await printer(flags, io).list(inPages([first], [], [second, third]), { ...printing, ...more });
  return io;
}

describe('a list', () => {
  it.each([
    [{}, 's2\tÄlvsjö\tSE\tStockholm\tr1\tTeacher\ns1\tZürich West\tCH\tZürich\t\t\ns10\tAarhus\tDK\tAarhus\t\t\n'],
    [{ output: 'ids' }, 's2\ns1\ns10\n'],
    [{ quiet: true }, 's2\ns1\ns10\n'],
    [{ json: true }, `${JSON.stringify(schools, null, 2)}\n`],
    [
      { output: 'ndjson', fields: 'city,id' },
      '{"city":"Stockholm","id":"s2"}\n{"city":"Zürich","id":"s1"}\n{"city":"Aarhus","id":"s10"}\n',
    ],
    [{ output: 'csv', fields: 'id,roles.name' }, 'id,roles.name\ns2,Teacher\ns1,\ns10,\n'],
    [{ output: 'table', fields: 'id,city' }, 'ID   CITY\n───  ─────────\ns2   Stockholm\ns1   Zürich\ns10  Aarhus\n'],
    [{ output: 'tsv', header: true, fields: 'id' }, 'id\ns2\ns1\ns10\n'],
    [{ query: '[].{id: id, place: city}', output: 'ids' }, 's2\ns1\ns10\n'],
    [{ query: '[].[id, city]' }, 's2\tStockholm\ns1\tZürich\ns10\tAarhus\n'],
    [{ query: '[].{Id: id, City: city}', output: 'csv' }, 'Id,City\ns2,Stockholm\ns1,Zürich\ns10,Aarhus\n'],
    [{ query: '[].[id, city]', output: 'csv', 'no-header': true }, 's2,Stockholm\ns1,Zürich\ns10,Aarhus\n'],
    [{ query: '[].id', output: 'ids' }, 's2\ns1\ns10\n'],
    [{ query: "[?city=='Aarhus'] | [0]", output: 'ids' }, 's10\n'],
    [{ query: 'length(@)' }, '3\n'],
    [{ query: '[0].name', output: 'table' }, 'Älvsjö\n'],
    [{ query: '[9]', output: 'tsv' }, '\n'],
    [{ query: '[9]', json: true }, 'null\n'],
    [{ query: '[0]', fields: 'city,id', output: 'ndjson' }, '{"city":"Stockholm","id":"s2"}\n'],
    [{ query: '[].id', sort: 'id', output: 'ndjson' }, '"s1"\n"s10"\n"s2"\n'],
    [{ query: '[]|[?id==`0`]', json: true }, '[]\n'],
  ] satisfies readonly (readonly [Values, string])[])('with %j in a pipe', async (flags: Values, expected) => {
    const io = await list(flags);
    expect(io.stdout.text).toBe(expected);
    expect(io.stderr.text).toBe('');
  });

  it('has a note on hidden columns, except with --quiet', async () => {
    const narrow = await list({ 'no-color': true }, terminal(26));
    expect(narrow.stderr.text).toBe('3 schools · 3 columns not\nshown (--wide)\n');
    const quiet = await list({ quiet: true, output: 'table' }, terminal(36));
    expect(quiet.stderr.text).toBe('');
  });

  it('writes each page as it arrives', async () => {
    const io = pipe();
    const seen: string[] = [];
    async function* pages(): AsyncGenerator<readonly unknown[]> {
      yield [first];
      seen.push(io.stdout.text);
      yield [second];
      seen.push(io.stdout.text);
    }
    await printer({ output: 'ids' }, io).list(pages(), printing);
    expect(seen).toEqual(['s2\n', 's2\ns1\n']);
  });

  it('that fails midway does not look complete', async () => {
    async function* broken(): AsyncGenerator<readonly unknown[]> {
      yield [{ id: 's1' }];
      throw new EduError('unreachable', 'gone');
    }
    const io = pipe();
    expect((await failure(printer({ json: true }, io).list(broken(), printing))).message).toBe('gone');
    expect(io.stdout.text).toBe('[\n  {\n    "id": "s1"\n  }');
    expect(() => JSON.parse(io.stdout.text)).toThrow();
  });

  it('that fails at once prints nothing', async () => {
    for (const flags of [{ json: true }, { output: 'csv' }, { sort: 'name' }, { query: '[0]' }]) {
      const io = pipe();
      const error = await failure(
        printer(flags, io).list(
          (async function* () {
            yield await Promise.reject(new EduError('forbidden', 'no'));
          })(),
          printing,
        ),
      );
      expect(error.kind).toBe('forbidden');
      expect(io.stdout.text).toBe('');
    }
  });

  it('stops fetching when the reader goes away', async () => {
    let fetched = 0;
    let closed = false;
    async function* endless(): AsyncGenerator<readonly unknown[]> {
      try {
        for (;;) {
          fetched += 1;
          yield [first];
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        closed = true;
      }
    }
    const io = pipe();
    const write = io.stdout.write;
    const stdout = {
      ...io.stdout,
      write: (text: string | Uint8Array) => (fetched < 3 ? write(text) : Promise.reject(new ClosedPipe('gone'))),
    };
    const settings = outputSettings({ output: 'ids' }, io, {});
    const printed = createPrinter({ settings, io: { ...io, stdout }, env: {}, warn: async () => {} }).list(
      endless(),
      printing,
    );
    await expect(printed).rejects.toBeInstanceOf(ClosedPipe);
    expect(closed).toBe(true);
    expect(fetched).toBeLessThan(6);
  });
});

describe('one item', () => {
  const school = { ...first, later: { deep: true } };

  it.each([
    [{}, 's2\tÄlvsjö\tSE\tStockholm\tr1\tTeacher\n'],
    [{ json: true }, `${JSON.stringify(school, null, 2)}\n`],
    [{ output: 'ndjson' }, `${JSON.stringify(school)}\n`],
    [{ output: 'ids' }, 's2\n'],
    [{ output: 'csv', fields: 'id,name' }, 'id,name\ns2,Älvsjö\n'],
    [{ output: 'table', fields: 'id,name' }, 'ID    s2\nName  Älvsjö\n'],
    [{ query: 'later.deep' }, 'true\n'],
    [{ query: 'roles', output: 'ndjson' }, '{"id":"r1","name":"Teacher"}\n'],
    [{ query: '{a: id}', output: 'table' }, 'A  s2\n'],
  ] satisfies readonly (readonly [Values, string])[])('with %j', async (flags, expected) => {
    const io = pipe();
    await printer(flags, io).item(school, School);
    expect(io.stdout.text).toBe(expected);
  });

  it('that is empty is null', async () => {
    const io = pipe();
    await printer({ json: true }, io).item(undefined, any('?'));
    expect(io.stdout.text).toBe('null\n');
  });
});

describe('invalid output flags', () => {
  it('include -o ids for an item without an ID', async () => {
    const address = object({ url: text('address') }, 'address');
    expect((await failure(printer({ output: 'ids' }, pipe()).check(address, 'item'))).exitCode).toBe(2);
    await expect(printer({ output: 'ids', query: 'url' }, pipe()).check(address, 'item')).resolves.toBeUndefined();
    await expect(printer({ output: 'ids' }, pipe()).check(LicenceDetail, 'item')).resolves.toBeUndefined();
  });
});

it.each([
  [0, 'licences', '0 licences'],
  [1, 'licences', '1 licence'],
  [1, 'classes', '1 class'],
  [2, 'classes', '2 classes'],
  [1, 'users', '1 user'],
])('%i %s: %s', (count, noun, said) => {
  expect(amount(count, noun)).toBe(said);
});
