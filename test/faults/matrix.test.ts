/**
 * Every way of calling an endpoint against every fault: exit code, stdout, requests and created items. Nothing is ever
 * created twice, or reported as existing after one's own first attempt.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ran, run } from '../support/run.js';
import { skipWaits } from '../support/skip-waits.js';
import { CASES, type Case, type Class, FOLDER } from './cases.js';
import * as deeds from './deeds.js';
import { type Deed, faultyDoor, TOKEN } from './faulty-door.js';

skipWaits(false);

/** The outcome of a fault. */
interface Outcome {
  readonly code: number;
  /** How often the request of the case was sent. */
  readonly sent: number | 'several';
  /** The number of items created, for creates. */
  readonly made: number;
}

interface Fault {
  readonly name: string;
  readonly deed: Deed;
  /** The number of affected requests (default: 1). */
  readonly times?: number;
  /** The cases to try it on (default: all). */
  readonly only?: readonly string[];
  /** Milliseconds for `--timeout`. */
  readonly timeout?: number;
  /** By class; `made` and `sent` default to those of a call without a fault. */
  readonly expected: (kind: Class) => Partial<Outcome>;
}

const isCreate = (kind: Class): boolean => kind === 'unique' || kind === 'keyed' || kind === 'unkeyed';
const WELL: Outcome = { code: 0, sent: 1, made: 1 };
const TWICE = { sent: 2 };

/** The service cannot have carried it out, but the client does not know. */
const lostBefore = (kind: Class): Partial<Outcome> => (kind === 'unkeyed' ? { code: 1, sent: 1, made: 0 } : TWICE);
/** The same, and the service may still be working on it: items without a unique key are not sent again. */
const slowBefore = (kind: Class): Partial<Outcome> =>
  kind === 'unkeyed' || kind === 'keyed' ? { code: 1, sent: 1, made: 0 } : TWICE;
/** The service has carried it out. */
const lostAfter = (kind: Class): Partial<Outcome> => (isCreate(kind) ? { code: kind === 'unkeyed' ? 1 : 0 } : TWICE);
/** An answer that makes no sense to a request that was not carried out; a read is fetched again. */
const nonsense = (kind: Class): Partial<Outcome> => (kind === 'read' ? TWICE : { code: 1, made: 0 });
/** An invalid response to a request that was carried out: a key finds the item. */
const nonsenseAfter = (kind: Class): Partial<Outcome> =>
  kind === 'read' ? TWICE : { code: kind === 'unique' || kind === 'keyed' ? 0 : 1 };
/** A redirect, or a status that is never valid, is not repeated as a broken body is: it would come again. */
const neverRead = (): Partial<Outcome> => ({ code: 1, made: 0 });

/** Enough for faults that take long. */
const FEW = ['a get', 'a paged list', 'a raw get', 'schools create', 'classes create'];

/** Milliseconds that distinguish silence from a busy machine. */
const TIMEOUT = 1500;

const HTML = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Wi-Fi</body></html>';

const FAULTS: readonly Fault[] = [
  { name: 'a reset before', deed: deeds.resetBefore, expected: lostBefore },
  { name: 'a close before', deed: deeds.closeBefore, expected: lostBefore },
  { name: 'a reset after', deed: deeds.resetAfter, expected: lostAfter },
  { name: 'an answer cut off', deed: deeds.cutAnswer, expected: lostAfter },
  { name: 'chunks cut off', deed: deeds.cutChunks, expected: lostAfter },
  ...[500, 502, 503].flatMap((status): Fault[] => [
    { name: `${status} before`, deed: deeds.refuse(status, '{"message":"not now"}'), expected: lostBefore },
    { name: `${status} after`, deed: deeds.doneBut(status, HTML), expected: lostAfter },
  ]),
  { name: '504 before', deed: deeds.refuse(504), expected: slowBefore },
  { name: '504 after', deed: deeds.doneBut(504), expected: lostAfter },
  {
    name: '429 with seconds',
    deed: deeds.refuse(429, 'slow down', { 'retry-after': '1' }),
    times: 2,
    expected: () => ({ sent: 3 }),
  },
  {
    name: '429 with a date',
    deed: deeds.refuse(429, '', {
      date: 'Fri, 20 Nov 2026 12:00:00 GMT',
      'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT',
    }),
    expected: () => TWICE,
  },
  {
    name: '429 for an hour',
    deed: deeds.refuse(429, '', { 'retry-after': '3600' }),
    // Waits no longer than --max-wait, then tries once more.
    expected: () => TWICE,
  },
  {
    name: '429 for ever',
    deed: deeds.refuse(429),
    times: Number.POSITIVE_INFINITY,
    expected: () => ({ code: 7, sent: 'several', made: 0 }),
  },
  { name: 'silence before', deed: deeds.silent, timeout: TIMEOUT, expected: slowBefore },
  { name: 'silence after', deed: deeds.silentAfter, timeout: TIMEOUT, expected: lostAfter },
  { name: 'a body that stalls', deed: deeds.stall, timeout: TIMEOUT, expected: lostAfter },
  { name: 'a body that drips', deed: deeds.drip, expected: () => ({}) },
  { name: '2 MB more', deed: deeds.swollen(2_000_000), expected: () => ({}) },
  { name: 'unknown fields', deed: deeds.swollen(3), expected: () => ({}) },
  { name: '201', deed: deeds.restated(201), expected: () => ({}) },
  ...(
    [
      ['a page', HTML, 'text/html'],
      ['a page said to be JSON', HTML, 'application/json'],
      ['truncated JSON', '{"id": "s1", "name": "Gym', 'application/json'],
      ['invalid JSON', "{'id': NaN, }", 'application/json'],
    ] as const
  ).flatMap(([name, body, type]): Fault[] => [
    { name: `${name} instead`, deed: deeds.instead(body, { done: false, type }), expected: nonsense },
    { name: `${name} after`, deed: deeds.instead(body, { done: true, type }), expected: nonsenseAfter },
  ]),
  { name: 'a bomb instead', deed: deeds.gzipBomb({ done: false }), only: FEW, expected: nonsense },
  { name: 'a bomb after', deed: deeds.gzipBomb({ done: true }), only: FEW, expected: nonsenseAfter },
  {
    name: 'gzip that is none, after',
    deed: async (exchange) => {
      await exchange.process();
      exchange.outgoing.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      exchange.outgoing.end('{"id":"1"}');
    },
    expected: nonsenseAfter,
  },
  {
    name: 'a redirect to another origin',
    deed: deeds.redirect(302, () => 'http://127.0.0.2:1/v1/elsewhere'),
    expected: neverRead,
  },
  { name: 'a redirect without a valid address', deed: deeds.redirect(301, () => ''), expected: neverRead },
  { name: '304', deed: deeds.refuse(304), expected: neverRead },
];

/** Creates without a key that a list shows: possible items are named. */
const IN_LISTS: readonly string[] = ['classes create', 'subscriptions create', 'readers create --pdf'];

/** What no error may contain: a stack trace, the words of a parser, the token. */
const SHAMEFUL = /^\s+at .+:\d+|Unexpected token|SyntaxError|TypeError|undefined|\[object|node:internal/m;

function assertDecent({ code, stdout, stderr }: Ran, one: Pick<Case, 'isList'>): void {
  expect(stderr + stdout).not.toContain(TOKEN);
  expect(stderr).not.toMatch(SHAMEFUL);
  if (code === 0) {
    if (stdout !== '') JSON.parse(stdout);
    return;
  }
  expect(stderr).not.toBe('');
  if (one.isList) expect(stdout.trimEnd().endsWith(']')).toBe(false);
  else expect(stdout).toBe('');
}

/** The outcome of one case with one fault. */
interface Played {
  readonly ran: Ran;
  readonly sent: number;
  readonly made: number;
}

const played = new Map<string, Played>();
const nameOf = (one: Case, fault: Fault): string => `${one.name} against ${fault.name}`;
const isTried = (one: Case, fault: Fault): boolean => fault.only?.includes(one.name) ?? true;

/** One case with all faults, with its own service. */
async function play(one: Case, first: number): Promise<void> {
  const door = await faultyDoor();
  const home = join(FOLDER, one.name);
  const env = { ...door.env, EDU_CONFIG_DIR: join(home, 'config'), EDU_STATE_DIR: join(home, 'state') };
  // Licences without activations, to be deleted.
  const { json } = await door.ask('GET', '/v1/licenses?type=BOOKS&limit=100');
  const { licenses } = json as { licenses: { id: string; numberOfActivations: number }[] };
  const spare = licenses.filter(({ numberOfActivations }) => numberOfActivations === 0).map(({ id }) => id);
  let n = first;
  for (const fault of FAULTS.filter((candidate) => isTried(one, candidate))) {
    door.set({ hits: one.hits, times: fault.times ?? 1, deed: fault.deed });
    const words = one.argv(++n, spare.pop());
    const argv = fault.timeout === undefined ? words : [...words, '--timeout', `${fault.timeout}ms`];
    const ran = await run(argv, { env });
    const sent = door.lines.filter((line) => one.hits(...(line.split(' ') as [string, string]))).length;
    played.set(nameOf(one, fault), { ran, sent, made: door.created() });
  }
  await door.close();
}

/** Runs every command without faults, one after the other, so that all modules are loaded. */
async function rehearse(): Promise<void> {
  const door = await faultyDoor();
  const home = join(FOLDER, 'well');
  const env = { ...door.env, EDU_CONFIG_DIR: join(home, 'config'), EDU_STATE_DIR: join(home, 'state') };
  for (const one of CASES) {
    door.set({ hits: one.hits, times: 1, deed: deeds.resetBefore });
    await run(one.argv(1, '00000002'), { env });
    door.set();
    const { code, stderr } = await run(one.argv(2, '00000003'), { env });
    expect(code, `${one.name}: ${stderr}`).toBe(0);
  }
  await door.close();
}

beforeAll(async () => {
  await rehearse();
  // All cases at once: most of the time they wait.
  await Promise.all(CASES.map((one, index) => play(one, 1000 * (index + 1))));
}, 120_000);
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

describe.each(CASES)('$name', (one) => {
  test.each(FAULTS.filter((fault) => isTried(one, fault)))('against $name', (fault) => {
    const { ran, sent, made } = played.get(nameOf(one, fault)) as Played;
    const expected = { ...WELL, ...fault.expected(one.class) };
    const madeToo = isCreate(one.class);
    const counted = expected.sent === 'several' ? (sent > 3 ? 'several' : sent) : sent;
    expect({ code: ran.code, sent: counted, ...(madeToo ? { made } : {}) }, ran.stderr).toEqual({
      // The list without an equal class was read before, so that the new one is recognised.
      code: one.name === 'classes create' && made === 1 ? 0 : expected.code,
      // A list has more pages than the one that failed.
      sent: one.name === 'a paged list' && expected.code === 0 ? Number(expected.sent) + 1 : expected.sent,
      ...(madeToo ? { made: expected.made } : {}),
    });
    assertDecent(ran, one);
    expect(ran.stderr).not.toMatch(/exists already|is taken/);
    if (one.class === 'unkeyed' && ran.code === 1) {
      if (/may have been carried out|probably carried out/.test(ran.stderr))
        expect(ran.stderr).toMatch(/Check with|run it again/i);
      else expect(made).toBe(0);
      if (made === 1 && IN_LISTS.includes(one.name)) expect(ran.stderr).toMatch(/(is|are) equal to it/);
    }
  });
});
