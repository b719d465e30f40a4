/**
 * Lists from a service that pages incorrectly: the output, the requests, and that a failed list never looks complete.
 */
import { describe, expect, test } from 'vitest';
import { run } from '../support/run.js';
import { type Answers, type ScriptedService, type Sent, scriptedService, TOKEN } from '../support/scripted-service.js';
import { skipWaits } from '../support/skip-waits.js';

skipWaits();

const LINE = 'GET /v1/schools';

const school = (id: number | string) => ({ id: String(id), name: `S${id}`, country: 'FR', city: 'Lyon', roles: [] });

const page = (ids: readonly (number | string)[], paging?: unknown) => ({
  body: { schools: ids.map(school), ...(paging === undefined ? {} : { paging }) },
});

const to = (nextCursor: unknown) => ({ nextCursor });

interface Listed {
  readonly code: number;
  readonly ids: readonly string[];
  readonly whole: boolean;
  readonly stderr: string;
  readonly sent: readonly Sent[];
}

/** The list as JSON: its IDs, and whether the array is closed. */
async function list(answers: Answers, ...flags: string[]): Promise<Listed> {
  const service: ScriptedService = await scriptedService(answers);
  const { code, stdout, stderr } = await run(['schools', 'list', '--json', ...flags], { env: service.env });
  expect(stderr).not.toMatch(/^\s+at |Unexpected token|undefined/m);
  expect(stderr).not.toContain(TOKEN);
  const whole = stdout.trimEnd().endsWith(']');
  if (whole) JSON.parse(stdout);
  const ids = [...stdout.matchAll(/"id": "([^"]+)"/g)].map(([, id]) => id ?? '');
  return { code, ids, whole, stderr, sent: service.sent };
}

/** Pages by cursor; '' is the first. A function gets the number of earlier requests with its cursor. */
type Page = { readonly status?: number; readonly body?: unknown };
function pages(byCursor: Readonly<Record<string, Page | ((turn: number) => Page)>>): Answers {
  const turns: Record<string, number> = {};
  return {
    [LINE]: ({ query }: Sent) => {
      const cursor = query.cursor ?? '';
      const turn = turns[cursor] ?? 0;
      turns[cursor] = turn + 1;
      const found = byCursor[cursor];
      if (found === undefined) return { status: 400, body: { message: 'cursor is no cursor' } };
      return typeof found === 'function' ? found(turn) : found;
    },
  };
}

describe('the end of a list', () => {
  test.each([
    ['a null cursor', to(null)],
    ['an empty cursor', to('')],
    ['no cursor', {}],
    ['no paging', undefined],
    ['null for paging', null],
  ])('is %s', async (_, paging) => {
    const { code, ids, whole, sent } = await list(pages({ '': page([1, 2], to('b')), b: page([3], paging) }));
    expect({ code, ids, whole }).toEqual({ code: 0, ids: ['1', '2', '3'], whole: true });
    expect(sent).toHaveLength(2);
  });

  test('is not a short or an empty page', async () => {
    const { code, ids } = await list(
      pages({ '': page([], to('b')), b: page([1], to('c')), c: page([], to('d')), d: page([2], to(null)) }),
    );
    expect({ code, ids }).toEqual({ code: 0, ids: ['1', '2'] });
  });

  test('is reached at once by an empty list', async () => {
    const service = await scriptedService(pages({ '': page([], to(null)) }));
    expect(await run(['schools', 'list', '--json'], { env: service.env })).toMatchObject({ code: 0, stdout: '[]\n' });
  });
});

test('sends cursors unchanged, with any content', async () => {
  const odd = 'a+b/c=&d ü%20#';
  const { code, ids, sent } = await list(pages({ '': page([1], to(odd)), [odd]: page([2], to(null)) }));
  expect({ code, ids }).toEqual({ code: 0, ids: ['1', '2'] });
  expect(sent[1]?.query.cursor).toBe(odd);
});

test('sends required query parameters with every page', async () => {
  const service = await scriptedService({
    'GET /v1/licenses': ({ query }) => ({
      body: {
        licenses: [{ id: query.cursor ?? 'a' }],
        paging: { nextCursor: query.cursor === undefined ? 'b' : null },
      },
    }),
  });
  const { code } = await run(['licenses', 'list', '--type', 'TEACHER', '--json'], { env: service.env });
  expect(code).toBe(0);
  expect(service.sent.map(({ query }) => [query.type, query.cursor])).toEqual([
    ['TEACHER', undefined],
    ['TEACHER', 'b'],
  ]);
});

describe('pages that fail', () => {
  test.each([500, 502, 503, 504, 429])('are requested again with the same cursor after %i', async (status) => {
    const { code, ids, sent } = await list(
      pages({ '': page([1], to('b')), b: (turn) => (turn < 2 ? { status } : page([2], to(null))) }),
    );
    expect({ code, ids }).toEqual({ code: 0, ids: ['1', '2'] });
    expect(sent.map(({ query }) => query.cursor)).toEqual([undefined, 'b', 'b', 'b']);
  });

  test.each([
    ['500', { status: 500 }, 1],
    ['503', { status: 503 }, 7],
    ['401', { status: 401 }, 4],
    ['a page of another kind', { body: { message: 'hello' } }, 1],
    ['null', { body: 'null' }, 1],
    ['a list in place of the envelope', { body: '[]' }, 1],
    ['nothing', { body: '' }, 1],
    ['truncated JSON', { body: '{"schools":[{"id":"3"' }, 1],
    ['items that are none', { body: { schools: ['3', null] } }, 1],
    ['a cursor that is none', { body: { schools: [], paging: { nextCursor: { a: 1 } } } }, 1],
  ] as const)('end the list without its bracket: %s on every attempt', async (_, answer, expected) => {
    const { code, ids, whole, stderr } = await list(pages({ '': page([1, 2], to('b')), b: answer }));
    expect({ code, ids, whole }, stderr).toEqual({ code: expected, ids: ['1', '2'], whole: false });
    const { error } = JSON.parse(stderr) as { error: { method: string; path: string; message: string } };
    expect(error).toMatchObject({ method: 'GET', path: expect.stringContaining('cursor=b') });
  });

  test.each(['ndjson', 'csv', 'tsv', 'ids'])('print what was read in %s, with a non-zero exit code', async (format) => {
    const service = await scriptedService(pages({ '': page([1, 2], to('b')), b: { status: 500 } }));
    const { code, stdout, stderr } = await run(['schools', 'list', '-o', format], { env: service.env });
    expect(code).toBe(1);
    expect(stdout.trimEnd().split('\n')).toHaveLength(format === 'csv' ? 3 : 2);
    expect(stderr).not.toBe('');
  });
});

describe('lists that loop', () => {
  test('repeat a cursor', async () => {
    const { code, ids, whole, sent } = await list(pages({ '': page([1], to('b')), b: page([2], to('b')) }));
    expect({ code, ids, whole }).toEqual({ code: 1, ids: ['1', '2'], whole: false });
    expect(sent).toHaveLength(2);
  });

  test('return cursors in a circle', async () => {
    const { code, whole, stderr, sent } = await list(
      pages({ '': page([1], to('b')), b: page([2], to('c')), c: page([3], to('b')) }),
    );
    expect({ code, whole }).toEqual({ code: 1, whole: false });
    expect(stderr).toContain('same cursor twice');
    expect(sent).toHaveLength(3);
  });

  test('return new cursors with no new items', async () => {
    let count = 0;
    const { code, whole, stderr } = await list({ [LINE]: () => page([1], to(`c${++count}`)) });
    expect({ code, whole }).toEqual({ code: 1, whole: false });
    expect(stderr).toContain('no new items');
    expect(count).toBeLessThan(1100);
  });
});

describe('cursors that become invalid', () => {
  test.each([400, 404, 410])('restart the list on %i, and print nothing twice', async (status) => {
    const { code, ids, whole } = await list(
      pages({
        '': page([1, 2], to('b')),
        b: (turn) =>
          turn === 0 ? { status, body: { message: 'the cursor is no longer valid' } } : page([3, 4], to(null)),
      }),
    );
    expect({ code, ids, whole }).toEqual({ code: 0, ids: ['1', '2', '3', '4'], whole: true });
  });

  test('leave removed items printed, and print inserted ones once', async () => {
    const { code, ids } = await list(
      pages({
        '': (turn) => (turn === 0 ? page([1, 2], to('b')) : page([2, 'new', 3], to('c'))),
        b: { status: 400 },
        c: page([3, 4], to(null)),
      }),
    );
    expect({ code, ids }).toEqual({ code: 0, ids: ['1', '2', 'new', '3', '4'] });
  });

  test('end the list with exit code 3 when this repeats', async () => {
    const { code, ids, whole, stderr, sent } = await list(pages({ '': page([1, 2], to('b')), b: { status: 400 } }));
    expect({ code, ids, whole }).toEqual({ code: 3, ids: ['1', '2'], whole: false });
    expect(JSON.parse(stderr)).toMatchObject({ error: { kind: 'partial' } });
    expect(sent).toHaveLength(12);
  });
});

describe('the page size and --limit', () => {
  test('a page size that is refused is left out', async () => {
    const { code, ids, sent } = await list({
      [LINE]: ({ query }) =>
        query.limit === undefined ? page([1], to(null)) : { status: 400, body: 'limit too large' },
    });
    expect({ code, ids }).toEqual({ code: 0, ids: ['1'] });
    expect(sent.map(({ query }) => query.limit)).toEqual(['100', undefined]);
  });

  test('a page size that the service reduces makes more pages, not a shorter list', async () => {
    const { code, ids } = await list(
      pages({ '': page([1], to('b')), b: page([2], to('c')), c: page([3], to(null)) }),
      '--page-size',
      '50',
    );
    expect({ code, ids }).toEqual({ code: 0, ids: ['1', '2', '3'] });
  });

  test('--limit cuts the list with a note, and requests no further page', async () => {
    const { code, ids, whole, stderr, sent } = await list(pages({ '': page([1, 2, 3], to('b')) }), '--limit', '2');
    expect({ code, ids, whole }).toEqual({ code: 0, ids: ['1', '2'], whole: true });
    expect(stderr).toContain('cut by --limit after 2');
    expect(sent).toHaveLength(1);
  });
});

test('reads on while the consumer of the list is slow', async () => {
  let last = 0;
  const answers: Answers = {
    [LINE]: ({ query }) => {
      const now = performance.now();
      // The cursors of this service are valid for a second.
      if (query.cursor !== undefined && now - last > 1000) return { status: 400, body: 'too late' };
      last = now;
      const at = Number(query.cursor ?? 0);
      return page(
        Array.from({ length: 100 }, (_, index) => at * 100 + index),
        to(at < 60 ? String(at + 1) : null),
      );
    },
  };
  const service = await scriptedService(answers);
  let taken = 0;
  const { main } = await import('../../src/app/main.js');
  const code = await main(['schools', 'list', '-o', 'ids'], {
    io: {
      stdin: { isTTY: false, async *[Symbol.asyncIterator]() {} },
      stderr: { isTTY: false, columns: undefined, write: async () => {} },
      stdout: {
        isTTY: false,
        columns: undefined,
        write: async (text) => {
          if (taken === 0) await new Promise((resolve) => setTimeout(resolve, 1500));
          taken += text.toString().split('\n').length - 1;
        },
      },
    },
    env: { ...service.env, HOME: '/nonexistent', EDU_CONFIG_DIR: '/nonexistent', EDU_STATE_DIR: '/nonexistent' },
    interrupted: new Promise(() => {}),
    now: Date.now,
    randomBytes: (count) => new Uint8Array(count),
  });
  expect({ code, taken }).toEqual({ code: 0, taken: 6100 });
  expect(service.sent).toHaveLength(61);
});
