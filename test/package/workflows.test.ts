/** The workflow files: well-formed, harmless, and made of commands that there are. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { NODES } from '../../scripts/build/node-binaries.mjs';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Job {
  readonly 'runs-on': string;
  readonly 'timeout-minutes': number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = resolve('.github/workflows');
const files = readdirSync(folder);
const { scripts } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { scripts: Record<string, string> };

function workflow(file: string): Workflow {
  const document = parseDocument(readFileSync(join(folder, file), 'utf8'), { strict: true, uniqueKeys: true });
  expect([...document.errors, ...document.warnings]).toEqual([]);
  return document.toJS() as Workflow;
}

/** What a shell gets: expressions of the service that runs it are filled in before. */
const shell = (script: string): string => script.replace(/\$\{\{.*?\}\}/g, 'filled-in');

test('there is one for changes and one for releases', () => {
  expect(files).toEqual(expect.arrayContaining(['ci.yml', 'release.yml']));
});

describe.each(files)('%s', (file) => {
  const { name, permissions, jobs } = workflow(file);
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test('is complete', () => {
    expect(`${name}.yml`).toBe(file);
    expect(steps.length).toBeGreaterThan(1);
    for (const job of Object.values(jobs)) {
      expect(job['runs-on']).toBeTypeOf('string');
      expect(job['timeout-minutes']).toBeGreaterThan(0);
    }
    for (const { uses, run } of steps) expect([uses, run].filter((part) => part !== undefined)).toHaveLength(1);
  });

  test('may only read, but for what a job names', () => {
    expect(permissions).toEqual({ contents: 'read' });
  });

  test("runs nobody's code that could change under it", () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    for (const action of actions) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
  });

  test('has shell that is well-formed, and scripts that there are', () => {
    for (const { run = '' } of steps) {
      execFileSync('bash', ['-n', '-c', shell(run)]);
      for (const [, script = ''] of run.matchAll(/npm run (?:--silent )?([\w:-]+)/g))
        expect(Object.keys(scripts)).toContain(script);
    }
  });

  test('hands no text from outside to a shell, and knows no secret', () => {
    for (const { run = '' } of steps) {
      const filled = [...run.matchAll(/\$\{\{\s*(.*?)\s*\}\}/g)].map(([, expression]) => expression);
      for (const expression of filled) expect(expression).toMatch(/^matrix\.\w+$/);
    }
    expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(/secrets\.|pull_request_target|registry\./);
  });
});

test('ci.yml tests every Node that is promised', () => {
  expect(workflow('ci.yml').jobs.nodes?.strategy?.matrix.node).toEqual([...NODES]);
  const { engines } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${NODES[0]}`);
});

describe('release.yml', () => {
  const { on, jobs } = workflow('release.yml');
  const [publish, ...others] = Object.values(jobs);
  const lines = publish?.steps.map(({ run = '' }) => run) ?? [];
  const place = (part: string): number => lines.findIndex((line) => line.includes(part));

  test('starts with a tag of a version, and with nothing else', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(others).toEqual([]);
  });

  test('publishes with provenance, after the checks, and what they checked', () => {
    expect(publish?.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
    const order = [
      'GITHUB_REF_NAME',
      'npm ci',
      'lint:package',
      'test:package',
      'standalone',
      'npm publish',
      'gh release',
    ];
    const places = order.map(place);
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(lines[place('npm publish')]).toMatch(/npm publish --provenance --access public --ignore-scripts/);
  });
});
