/** The tests of another team find each mistake of its client, under vitest and `node --test`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { node, project, ROOT, VITEST } from './service-project.js';

/** The tests that fail, by the mistake of the client. */
const FAILURES = [
  'misspells a member > creates a licence',
  'sends an empty text > creates a licence',
  'sends an empty text > deletes a licence',
  'stops after a page > lists all licences',
  'ignores 429 > tries again after 429',
  'treats 403 as success > reports a licence of another organization',
  'assigns to the caller > assigns a licence to a new user',
  'sends twice > assigns a licence to a new user',
  'remembers invited users > invites a user',
  'never deletes > deletes a licence',
  'forgets the state > logs in, and refuses a forged callback',
];

const TESTS_PER_CLIENT = 8;

/** 88 tests on a busy machine. */
const TIMEOUT_MS = 180_000;

/** @returns for each test of a TAP report with nested suites, whether it passed */
function resultsIn(tap: string): ReadonlyMap<string, boolean> {
  const results = new Map<string, boolean>();
  let group = '';
  for (const line of tap.split('\n')) {
    const [, suite] = /^# Subtest: (.*)$/.exec(line) ?? [];
    group = suite ?? group;
    const [, indent, not, name] = /^( *)(not )?ok \d+ - (?:suite\.test\.mjs > )?(.*?)(?: # time=.*)?$/.exec(line) ?? [];
    if (name === undefined) continue;
    if (name.includes(' > ')) results.set(name, not === undefined);
    else if (indent !== '') results.set(`${group} > ${name}`, not === undefined);
  }
  return results;
}

test.each([
  ['vitest', [...VITEST, '--reporter=tap-flat']],
  ['node --test', ['--test', '--test-reporter=tap', 'suite.test.mjs']],
])(
  '%s fails for each mistake, and only for these',
  async (_, line) => {
    const files = ['client.mjs', 'suite.test.mjs'].map((name) => [
      name,
      readFileSync(join(ROOT, 'test/process/service-users', name), 'utf8'),
    ]);
    const failed = node(line, project(Object.fromEntries(files)));
    const { stdout } = await failed.then(
      () => ({ stdout: '' }),
      (error: { readonly stdout: string }) => error,
    );
    const results = resultsIn(stdout);
    expect([...results].flatMap(([name, isPassed]) => (isPassed ? [] : [name]))).toEqual(FAILURES);
    const clients = new Set(FAILURES.map((name) => name.split(' > ')[0])).size + 1;
    expect(results.size).toBe(clients * TESTS_PER_CLIENT);
  },
  TIMEOUT_MS,
);
