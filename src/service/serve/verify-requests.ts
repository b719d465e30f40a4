/** Compares the requests that the service received with those that a test expects. */
import { any, choice, type InputFields, integer, text } from '../../contract/vocabulary.js';
import { METHODS } from '../../core/http.js';
import { isObject } from '../../core/json.js';
import type { JournalEntry } from './call-journal.js';
import { badOption, OptionError, partsOf, readGiven } from './option-values.js';
import { isMeant, requireEndpoint, requireUser, splitTarget, targetMatcher } from './request-pattern.js';

const EXPECTED = {
  method: choice(METHODS, 'method'),
  path: text('path below the base URL: `*` is one segment, `**` any rest; may have query parameters, among others'),
  status: integer('status of the response'),
  body: any('members of the JSON body, among others'),
  headers: any('headers of the request, with names in lower case, among others'),
  as: text('the caller: a persona, or the ID or e-mail address of a user'),
  times: integer('how many such requests came; 0 for none', { minimum: 0 }),
  atLeast: integer('how many came at least; default 1', { minimum: 0 }),
} as const;

export type ExpectedRequest = InputFields<typeof EXPECTED>;

export interface Verdict {
  readonly ok: boolean;
  /** What was expected, what came, and the most similar requests. */
  readonly message?: string;
}

const MAX_SHOWN = 3;

const shown = (value: unknown): string => JSON.stringify(value) ?? 'missing';

function lineOf({ number, method, path, status, caller, warnings }: JournalEntry): string {
  const by = caller === undefined ? '' : ` as ${caller.persona ?? caller.id}`;
  return `#${number} ${method} ${path} ${status}${by}${warnings.length === 0 ? '' : ` (${warnings.join('; ')})`}`;
}

function differencesIn(expected: unknown, value: unknown, path: string): string[] {
  if (isObject(expected) && isObject(value)) {
    return Object.entries(expected).flatMap(([name, member]) => differencesIn(member, value[name], `${path}.${name}`));
  }
  return JSON.stringify(expected) === JSON.stringify(value)
    ? []
    : [`${path} is ${shown(value)}, not ${shown(expected)}`];
}

function differencesOf(expected: ExpectedRequest, entry: JournalEntry): string[] {
  const found: string[] = [];
  const [path, query] = splitTarget(entry.path);
  for (const name of ['method', 'status'] as const) {
    const value = expected[name];
    if (value !== undefined && value !== entry[name]) found.push(`${name} is ${entry[name]}, not ${value}`);
  }
  if (expected.path !== undefined && !targetMatcher(expected.path)(path, query))
    found.push(`path is ${expected.path.includes('?') ? entry.path : path}, not ${expected.path}`);
  if (expected.as !== undefined && !isMeant(expected.as, entry.caller))
    found.push(`the caller is ${entry.caller?.persona ?? entry.caller?.id ?? 'nobody'}, not ${expected.as}`);
  if (expected.body !== undefined) found.push(...differencesIn(expected.body, entry.body, 'body'));
  if (expected.headers !== undefined) found.push(...differencesIn(expected.headers, entry.headers, 'headers'));
  return found;
}

const HINT =
  'Write it like "POST /v1/licenses 200 times=2 as=school", or as an object with some of ' +
  `${Object.keys(EXPECTED).join(', ')}.`;

const bad = (given: unknown): OptionError => badOption('expectation', given, HINT);

/** Rejects an expectation that any request would meet, and one of no request that could not be. */
function readExpected(given: unknown, isUser: (user: string) => boolean): ExpectedRequest {
  const isLine = typeof given === 'string';
  const neverOf = (word: string): readonly [string, unknown] => {
    if (word === 'never') return ['times', 0];
    throw bad(given);
  };
  const parts = isLine ? Object.fromEntries(partsOf(given, neverOf)) : given;
  const expected = readGiven('expectation', EXPECTED, parts, HINT, isLine);
  const { times, atLeast, ...what } = expected;
  if (Object.keys(what).length === 0 || (times !== undefined && atLeast !== undefined)) throw bad(given);
  if (what.as !== undefined) requireUser(what.as, isUser);
  if (times === 0) requireEndpoint(what.method, what.path);
  return expected;
}

const describe = ({ method, path, status, as, times, atLeast: _, ...rest }: ExpectedRequest): string =>
  [times === 0 ? 'no' : '', method, path, status, as && `as ${as}`, Object.keys(rest).length > 0 ? shown(rest) : '']
    .filter((part) => part !== undefined && part !== '')
    .join(' ');

function failure(missing: ExpectedRequest, why: string, entries: readonly JournalEntry[], wasMet = false): Verdict {
  const compared = entries.map((entry) => ({ line: lineOf(entry), differences: differencesOf(missing, entry) }));
  const came = compared.filter(({ differences }) => differences.length === 0).map(({ line }) => `\n  ${line}`);
  const near = compared
    .filter(({ differences }) => differences.length > 0)
    .sort((a, b) => a.differences.length - b.differences.length)
    .slice(0, MAX_SHOWN)
    .map(({ line, differences }) => `\n  ${line}: ${differences.join('; ')}`);
  const list = came.length === 0 ? '' : `\nCame:${came.join('')}`;
  const nearest = wasMet ? '' : `\nNearest:${near.join('') || ' none'}`;
  return { ok: false, message: `expected ${describe(missing)}: ${why}.${list}${nearest}` };
}

interface VerifyOptions {
  /** No other requests came, and none more often than expected. */
  readonly only?: boolean | undefined;
  /** Number of earlier requests that are no longer known. */
  readonly forgotten: number;
  /** True if a persona or user has this name, ID or e-mail address. */
  readonly isUser: (user: string) => boolean;
}

/**
 * Checks that each expected request came as often as expected, and in this order, possibly with others in between.
 * @throws OptionError for an invalid expectation, if there is none, or if a forgotten request could break one
 */
export function verifyRequests(
  entries: readonly JournalEntry[],
  given: readonly unknown[],
  { only = false, forgotten, isUser }: VerifyOptions,
): Verdict {
  if (given.length === 0 && !only) throw bad(given);
  const expected = given.map((one) => readExpected(one, isUser));
  if (forgotten > 0 && (only || expected.some(({ times }) => times !== undefined))) {
    const hint = 'Call verify earlier, or restart() before the test.';
    throw new OptionError(`${forgotten} requests have left the journal, so how many came cannot be verified`, hint);
  }
  const isMet = (one: ExpectedRequest, entry: JournalEntry): boolean => differencesOf(one, entry).length === 0;
  for (const one of expected) {
    const { times, atLeast = 1 } = one;
    const count = entries.filter((entry) => isMet(one, entry)).length;
    if (times === 0 && count > 0) return failure(one, `${count} came`, entries, true);
    if (times !== undefined && count !== times) {
      return failure(one, `exactly ${times} expected, ${count} came`, entries, count > times);
    }
    if (times === undefined && count < atLeast) return failure(one, `${count} of ${atLeast} came`, entries);
  }
  const taken = new Set<JournalEntry>();
  let at = 0;
  for (const one of expected) {
    for (let count = one.times ?? one.atLeast ?? 1; count > 0; count--) {
      const index = entries.findIndex((entry, position) => position >= at && isMet(one, entry));
      const entry = entries[index];
      if (entry === undefined) return failure(one, 'it came, but not in this order', entries, true);
      taken.add(entry);
      at = index + 1;
    }
  }
  const open = expected.filter(({ atLeast }) => atLeast !== undefined);
  const others = only ? entries.filter((entry) => !taken.has(entry) && !open.some((one) => isMet(one, entry))) : [];
  if (others.length === 0) return { ok: true };
  const came = others.map(lineOf);
  return { ok: false, message: `expected nothing else: ${came.length} more came.\n  ${came.join('\n  ')}` };
}
