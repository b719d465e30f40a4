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

test('an empty list is a whole one', async () => {
  expect(await list(pages({ '': page([], to(null)) }))).toMatchObject({ code: 0, ids: [], whole: true });
});

describe('pages that fail', () => {
  test.each([
    ['500', { status: 500 }, 1],
    ['503', { status: 503 }, 7],
    ['401', { status: 401 }, 4],
    ['truncated JSON', { body: '{"schools":[{"id":"3"' }, 1],
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
