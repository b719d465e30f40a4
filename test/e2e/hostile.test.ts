/** Names that would move the cursor, forge a line or run a formula: harmless for people, exact for programs. */
import { describe, expect, test } from 'vitest';
import { run } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';

const NAMES = {
  '1': 'red \x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J\x7f',
  '2': 'bidi \u202egnp\u202c \u2066iso\u2069 \u200f\u061c',
  '3': 'two\nlines\r\nand\ttab \u2028 \\n',
  '4': '=HYPERLINK("http://x")',
  '5': 'lone \ud800 and \udc00',
  '6': 'a\0b',
  '7': '',
};
const PUBLISHERS = Object.entries(NAMES).map(([id, name]) => ({ id, name, roles: [] }));

async function edu(argv: readonly string[], terminal?: number) {
  // As text, because a lone surrogate can be written only as an escape.
  const list = JSON.stringify({ publishers: PUBLISHERS, paging: null });
  const headers = { 'content-type': 'application/json' };
  const service = await scriptedService({
    'GET /v1/publishers': { headers, body: list },
    'GET /v1/publishers/1': { headers, body: JSON.stringify(PUBLISHERS[0]) },
    'PUT /v1/publishers/1': {
      status: 400,
      headers,
      body: JSON.stringify({ message: `${NAMES['1']}\n${NAMES['2']}` }),
    },
  });
  return run(['publishers', ...argv], { env: { ...service.env, NO_COLOR: '1' }, ...(terminal ? { terminal } : {}) });
}

/** Control characters and bidi marks, except the line breaks of the table itself. */
const OBEYED = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/;

describe('for people', () => {
  test('a table shows each control character escaped, one record per line', async () => {
    const { stdout } = await edu(['list', '--fields', 'id,name'], 80);
    expect(stdout).not.toMatch(OBEYED);
    expect(stdout.split('\n').slice(2)).toEqual([
      '1   red \\x1b[31mred\\x1b[0m \\x1b]0;title\\x07 \\x9b2J\\x7f',
      '2   bidi \\u202egnp\\u202c \\u2066iso\\u2069 \\u200f\\u061c',
      '3   two\\nlines\\r\\nand\\ttab \\u2028 \\n',
      '4   =HYPERLINK("http://x")',
      '5   lone \\ud800 and \\udc00',
      '6   a\\x00b',
      '7   –',
      '',
    ]);
  });

  test('a single item is escaped, too', async () => {
    const { stdout } = await edu(['get', '1'], 80);
    expect(stdout).not.toMatch(OBEYED);
    expect(stdout).toContain('red \\x1b[31mred');
  });

  test('an error message from the service is escaped, too', async () => {
    const { code, stderr } = await edu(['update', '1', '--name', 'A'], 80);
    expect(code).toBe(1);
    expect(stderr).not.toMatch(OBEYED);
    expect(stderr).toContain('red');
  });
});

describe('for programs', () => {
  test('json and ndjson contain exactly what the service returned', async () => {
    expect(JSON.parse((await edu(['list', '--json'])).stdout)).toEqual(PUBLISHERS);
    const { stdout } = await edu(['list', '-o', 'ndjson']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(PUBLISHERS);
  });
});
