/** Values that JavaScript, UTF-8 or a cell cannot represent: kept exactly, or refused. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recordingServer } from '../support/recording-server.js';
import { run, temporaryFolder } from '../support/run.js';

/** A service with one list of licences, as bytes. */
async function serviceOf(licenses: string | Buffer) {
  let body = licenses;
  const { origin, close } = await recordingServer(({ url }) => {
    if (url.startsWith('/v1/account')) return { body: { id: 'u1', email: 'a@b.example', roles: [] } };
    if (url.startsWith('/v1/users/')) return { body: { id: 'u1', organization: { id: 'd1', type: 'School' } } };
    const list = url.includes('type=BOOKS') ? body : '{"licenses":[],"paging":{}}';
    return { headers: { 'content-type': 'application/json' }, body: list };
  });
  onTestFinished(close);
  const env = { EDU_BASE_URL: origin, EDU_TOKEN: 'token-of-a-test' };
  return {
    env,
    show: (other: string) => {
      body = other;
    },
    async exported(...flags: string[]) {
      const to = temporaryFolder();
      const ran = await run(['export', 'licenses', '--to', to, ...flags], { env });
      return { to, ...ran, text: (name = 'licenses.ndjson') => readFileSync(join(to, name), 'utf8') };
    },
  };
}

const page = (...items: string[]): string => `{"licenses":[${items.join(',')}],"paging":{"nextCursor":null}}`;

const NUMBERS = [
  '9007199254740993',
  '-12345678901234567890',
  '0.12345678901234567890123',
  '1e999',
  '1e-400',
  '[9007199254740993,"9007199254740993",{"x":1e400}]',
  '{"b":1.0000000000000000001,"a":"1.0000000000000000001"}',
];

describe('numbers that JavaScript cannot hold', () => {
  it.each(NUMBERS)('are unchanged in an unknown field: %s', async (number) => {
    const service = await serviceOf(page(`{"id":"1","zeta":${number},"maximumActivations":9007199254740993}`));
    const { code, text } = await service.exported();
    expect(code).toBe(0);
    const sorted = number.startsWith('{') ? '{"a":"1.0000000000000000001","b":1.0000000000000000001}' : number;
    expect(text()).toBe(`{"id":"1","maximumActivations":9007199254740993,"zeta":${sorted}}\n`);
    const json = await run(['licenses', 'list', '--type', 'BOOKS', '-o', 'ndjson'], { env: service.env });
    expect(json.stdout).toBe(`{"id":"1","zeta":${number},"maximumActivations":9007199254740993}\n`);
  });

  it('are kept as IDs and for sorting', async () => {
    const service = await serviceOf(page('{"id":9007199254740995}', '{"id":9007199254740993}'));
    expect((await service.exported()).text()).toBe('{"id":9007199254740993}\n{"id":9007199254740995}\n');
  });

  it('differ from each other, and from the same digits as text', async () => {
    const service = await serviceOf(page('{"id":"1","x":9007199254740993}', '{"id":"2","x":9007199254740993}'));
    const before = await service.exported();
    service.show(page('{"id":"1","x":9007199254740995}', '{"id":"2","x":"9007199254740993"}'));
    const after = await service.exported();
    const { code, stdout } = await run(['diff', before.to, after.to, '--summary']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'licenses: 2 changed\n2 changed\n' });
    const text = await run(['diff', before.to, after.to]);
    expect(text.stdout).toContain('x: 9007199254740993 → 9007199254740995\n');
    expect(text.stdout).toContain('x: 9007199254740993 → "9007199254740993"\n');
    const json = await run(['diff', before.to, after.to, '-o', 'ndjson', '--query', '[].fields[]']);
    expect(json.stdout).toContain('{"path":"x","before":9007199254740993,"after":"9007199254740993"}\n');
  });
});

describe('halves of surrogate pairs', () => {
  const item = '{"id":"1","name":"\\ud83d!","code":"c"}';

  it('are unchanged in ndjson and json', async () => {
    const service = await serviceOf(page(item));
    expect((await service.exported()).text()).toBe(`${item}\n`);
    expect((await service.exported('--format', 'json')).text('licenses.json')).toBe(`[\n${item}\n]\n`);
  });

  it('are refused as bytes that are not UTF-8', async () => {
    const broken = Buffer.concat([Buffer.from('{"licenses":[{"id":"1","name":"'), Buffer.from([0xed, 0xa0, 0xbd])]);
    const service = await serviceOf(Buffer.concat([broken, Buffer.from('"}],"paging":{}}')]));
    const { code, stderr } = await service.exported('--retries', '0');
    expect(code).toBe(3);
    expect(stderr).toContain('text that is not UTF-8');
  });
});

describe('csv', () => {
  const titles = ['a;b', 'c\\;d', 'e"f', ''];
  const books = titles.map((title, index) => `{"id":"b${index}","title":${JSON.stringify(title)}}`).join(',');
  const item = `{"id":"1","name":"=1+1; ä","books":[${books}],"maximumActivations":5}`;

  it('has lists in its cells that can be read back', async () => {
    const { text } = await (await serviceOf(page(item))).exported('--format', 'csv');
    // A semicolon separates elements; a semicolon or backslash within an element is escaped by a backslash.
    const cell = String.raw`a\;b;c\\\;d;e"f;`;
    expect(text('licenses.csv')).toContain(`,b0;b1;b2;b3,;;;,"${cell.replace('"', '""')}",`);
    const elements = cell.match(/(?:\\.|[^\\;])*(?:;|$)/g)?.slice(0, titles.length) ?? [];
    expect(elements.map((element) => element.replace(/;$/, '').replace(/\\(.)/g, '$1'))).toEqual(titles);
  });

  it('is not for Excel', async () => {
    const { code, stderr } = await (await serviceOf(page())).exported('--format', 'csv', '--excel');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--excel does not apply to the files of an export.')]);
  });
});
