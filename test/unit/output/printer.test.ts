import { describe, expect, it } from 'vitest';
import { School } from '../../../src/contract/schools.js';
import type { Values } from '../../../src/core/flag-values.js';
import { amount } from '../../../src/output/list-end.js';
import { outputSettings } from '../../../src/output/output-settings.js';
import { createPrinter, type ListPrinting } from '../../../src/output/printer.js';
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
});

it('escapes texts on a terminal only', async () => {
  const text = 'a\x1b[2J\n\u202eb';
  for (const io of [terminal(80), pipe()]) {
    await printer({}, io).text(text);
    await printer({}, io).raw(text);
    if (io.stdout.isTTY) expect(io.stdout.text).toMatch(/^a[^\x1b\u202e\n]*b\na[^\x1b\u202e\n]*\n[^\x1b\u202e\n]*b$/);
    else expect(io.stdout.text).toBe(`${text}\n${text}`);
  }
});

it.each([
  [0, 'licences', '0 licences'],
  [1, 'licences', '1 licence'],
  [1, 'classes', '1 class'],
  [1, 'aliases', '1 alias'],
  [2, 'classes', '2 classes'],
  [1, 'users', '1 user'],
])('%i %s: %s', (count, noun, said) => {
  expect(amount(count, noun)).toBe(said);
});
