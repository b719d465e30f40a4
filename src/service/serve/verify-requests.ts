/** Compares the requests that the service received with those that a test expects. */
import { isObject } from '../../core/json.js';
import type { JournalEntry } from './call-journal.js';
import { pathMatcher } from './fault-plan.js';
import { badOption, type OptionError } from './option-values.js';

export interface ExpectedRequest {
  readonly method?: string;
  /** Relative to the base URL, without query; `*` matches one segment, `**` any rest. */
  readonly path?: string;
  readonly status?: number;
  /** Members of the JSON body; it may have others. */
  readonly body?: unknown;
  /** Headers of the request, with names in lower case; it may have others. */
  readonly headers?: Readonly<Record<string, string>>;
}

const MAX_NEAR_MISSES = 3;

const shown = (value: unknown): string => JSON.stringify(value) ?? 'missing';

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
  const path = entry.path.split('?', 1)[0] ?? '';
  for (const name of ['method', 'status'] as const) {
    const value = expected[name];
    if (value !== undefined && value !== entry[name]) found.push(`${name} is ${entry[name]}, not ${value}`);
  }
  if (expected.path !== undefined && !pathMatcher(expected.path)(path))
    found.push(`path is ${path}, not ${expected.path}`);
  if (expected.body !== undefined) found.push(...differencesIn(expected.body, entry.body, 'body'));
  if (expected.headers !== undefined) found.push(...differencesIn(expected.headers, entry.headers, 'headers'));
  return found;
}

const bad = (given: unknown): OptionError => {
  const hint = 'Write it like "POST /v1/licenses 200", or as an object with method, path, status, body or headers.';
  return badOption('expectation', given, hint);
};

/** Parses a line such as `POST /v1/licenses 200`; each part is optional. */
function parseExpected(line: string): ExpectedRequest {
  const expected: { method?: string; path?: string; status?: number } = {};
  for (const word of line.trim().split(/\s+/)) {
    if (word.startsWith('/')) expected.path = word;
    else if (/^\d{3}$/.test(word)) expected.status = Number(word);
    else if (/^[a-z]+$/i.test(word)) expected.method = word.toUpperCase();
    else throw bad(line);
  }
  return expected;
}

const MEMBERS = ['method', 'path', 'status', 'body', 'headers'];

/** Rejects an empty expectation, which any request would meet. */
function readExpected(given: unknown): ExpectedRequest {
  if (typeof given === 'string') return parseExpected(given);
  const names = isObject(given) ? Object.keys(given) : [];
  if (names.length === 0 || !names.every((name) => MEMBERS.includes(name))) throw bad(given);
  return given as ExpectedRequest;
}

/**
 * Checks whether the expected requests came in this order, possibly with others in between. If not, returns the first
 * missing one and the most similar requests, the best match first.
 * @throws OptionError for an invalid expectation, or if there is none
 */
export function verifySequence(entries: readonly JournalEntry[], expected: readonly (string | ExpectedRequest)[]) {
  if (expected.length === 0) throw bad(expected);
  let at = 0;
  for (const wanted of expected.map(readExpected)) {
    const rest = entries.slice(at);
    const index = rest.findIndex((entry) => differencesOf(wanted, entry).length === 0);
    if (index < 0) {
      const nearMisses = rest
        .map((entry) => ({
          number: entry.number,
          request: `${entry.method} ${entry.path} ${entry.status}`,
          differences: differencesOf(wanted, entry),
        }))
        .sort((a, b) => a.differences.length - b.differences.length)
        .slice(0, MAX_NEAR_MISSES);
      return { ok: false as const, missing: wanted, nearMisses };
    }
    at += index + 1;
  }
  return { ok: true as const };
}
