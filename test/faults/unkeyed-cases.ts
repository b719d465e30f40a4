/** Commands whose rows have no key, and runs of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Ended, Program } from '../bulk/program.js';
import { type Fate, type Thing, type UnkeyedServerOptions, unkeyedServer } from './unkeyed-server.js';

export interface Resource {
  readonly path: string;
  readonly argv: readonly string[];
  /** Input with different rows. */
  readonly rows: (count: number) => string;
  /** The flags for --count. */
  readonly same: readonly string[];
  readonly look: string;
  /** As sent, equal to row 2 of `rows`. */
  readonly second: Thing;
}

export const words = (line: string): readonly string[] => line.split(' ');
export const lines = (header: string, count: number, row: (n: number) => string): string =>
  [header, ...Array.from({ length: count }, (_, index) => row(index + 1)), ''].join('\n');

export const CLASSES: Resource = {
  path: '/v1/classes',
  argv: words('classes create --school-id s1 --subject-id 0001'),
  rows: (count) => lines('name', count, (n) => `Class ${n}`),
  same: ['--name', 'Class 2'],
  look: 'edu classes list --school s1',
  second: { name: 'Class 2', subjectId: '0001', schoolId: 's1' },
};
export const SUBSCRIPTIONS: Resource = {
  path: '/v1/subscriptions',
  argv: words('subscriptions create --expiration-date 2031-01-31'),
  rows: (count) => lines('maximum-activations', count, (n) => `${n}`),
  same: ['--maximum-activations', '2'],
  look: 'edu subscriptions list',
  second: { maximumActivations: 2, expirationDate: '2031-01-31' },
};
/** Resources in which equal items may exist. */
export const KEYLESS: readonly Resource[] = [
  {
    path: '/v1/readers',
    argv: words('readers create --subject 0001 --content-language EN --file-id f1'),
    rows: (count) => lines('title', count, (n) => `Reader ${n}`),
    same: ['--title', 'Reader 2'],
    look: 'edu readers list',
    second: { title: 'Reader 2', subject: '0001' },
  },
  SUBSCRIPTIONS,
];
export const LISTED: readonly Resource[] = [CLASSES, ...KEYLESS];

export async function served(resource: Pick<Resource, 'path'>, options: UnkeyedServerOptions = {}) {
  const server = await unkeyedServer(resource.path, options);
  onTestFinished(() => server.close());
  return server;
}

export const summary = ({ stdout }: Ended): Record<string, unknown> => JSON.parse(stdout);

/** Runs a line, and reads the outcome of each row. */
export async function ran(edu: Program, argv: readonly string[], input?: string) {
  const file = join(edu.env.EDU_STATE_DIR ?? '', '..', 'results.ndjson');
  const ended = await edu.run([...argv, '--json', '--results', file], input);
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [warnings = '', error] = ended.stderr.split(/^(?=\{)/m);
  return {
    code: ended.code,
    summary: summary(ended),
    warnings: warnings.startsWith('{') ? '' : warnings,
    error: JSON.parse(error ?? (warnings.startsWith('{') ? warnings : '{}')).error,
    states: rows.map(({ edu_status }) => edu_status),
    ids: rows.map(({ edu_id }) => edu_id),
    /** The outcome of a row. */
    errorOf: (row: number): string => rows[row - 1].edu_error,
  };
}

/** The second create fails, all others succeed. */
export const second =
  (fate: Fate) =>
  (index: number): Fate =>
    index === 1 ? fate : 'ok';

/** One row at a time, so that the second create is the second row. */
export const ONE = ['--from', '-', '--concurrency', '1'];

export const UNCLEAR: readonly (readonly [string, (when: 'before' | 'after') => Fate, readonly string[]])[] = [
  ['a reset', (when) => ({ reset: when }), []],
  ['a 500', (when) => ({ status: 500, after: when === 'after' }), []],
  ['a 504', (when) => ({ status: 504, after: when === 'after' }), []],
  ['a time-out', (when) => ({ silent: when }), ['--timeout', '700ms']],
];

/** The journal of the only job. */
export function journalOf({ env }: Program): string {
  const jobs = join(env.EDU_STATE_DIR ?? '', 'jobs');
  const [only = ''] = readdirSync(jobs).filter((name) => !name.startsWith('.'));
  return join(jobs, only, 'journal.ndjson');
}
