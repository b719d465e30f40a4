/** The CI recipes: their scripts run here unchanged, and the jobs around them are valid. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { home, temporaryFolder } from '../support/run.js';
import { start } from '../support/spawned.js';

const run = promisify(execFile);
const recipes = resolve('docs/recipes');
const edu = `${process.execPath} ${resolve('bin/edu.js')}`;

interface Step {
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

describe('nightly.sh', () => {
  it('exports, compares with the previous night, and exits 0 also after changes', async () => {
    const env = { PATH: process.env.PATH, ...home(), EDU: edu, EDU_OFFLINE: '1' };
    const folder = join(temporaryFolder(), 'exports');
    const night = () => run('bash', [join(recipes, 'nightly.sh'), folder], { env });
    const changes = () => readFileSync(join(folder, 'changes.txt'), 'utf8');
    await night();
    expect(changes()).toContain('first export');
    await night();
    expect(changes()).toBe('No differences.\n');
    await run('bash', ['-c', `${edu} licenses delete code:0012345 --yes`], { env });
    await night();
    expect(changes()).toContain('  - 00000002 0012345');
    expect(readdirSync(folder).sort()).toEqual(['changes.txt', 'today', 'yesterday']);
  }, 60_000);

  it('compares with the right night after a run that was killed at any step', async () => {
    const env = { PATH: process.env.PATH, ...home(), EDU: edu, EDU_OFFLINE: '1' };
    const folder = join(temporaryFolder(), 'exports');
    const night = (EDU = edu) => run('bash', [join(recipes, 'nightly.sh'), folder], { env: { ...env, EDU } });
    const changes = () => readFileSync(join(folder, 'changes.txt'), 'utf8');
    await night();
    await run('bash', ['-c', `${edu} licenses delete code:0012345 --yes`], { env });
    const broken = join(temporaryFolder(), 'edu');
    writeFileSync(broken, `#!/usr/bin/env bash\n[ "$1" != diff ] || exit 7\nexec ${edu} "$@"\n`, { mode: 0o755 });
    await expect(night(broken)).rejects.toMatchObject({ code: 7 });
    await night();
    expect(changes()).toContain('  - 00000002 0012345');
    // Killed between the two renames: the next comparison uses the newest export.
    cpSync(join(folder, 'today'), join(folder, 'next'), { recursive: true });
    rmSync(join(folder, 'today'), { recursive: true });
    await night();
    expect(changes()).toBe('No differences.\n');
  }, 60_000);

  it('leaves earlier exports unchanged when one fails', async () => {
    const env = { PATH: process.env.PATH, ...home(), EDU: edu };
    const folder = join(temporaryFolder(), 'exports');
    const night = (more: Record<string, string>) =>
      run('bash', [join(recipes, 'nightly.sh'), folder], { env: { ...env, ...more } });
    await night({ EDU_OFFLINE: '1' });
    const before = readFileSync(join(folder, 'today', 'manifest.json'), 'utf8');
    await expect(night({ EDU_BASE_URL: 'http://127.0.0.1:9' })).rejects.toMatchObject({ code: 4 });
    expect(readFileSync(join(folder, 'today', 'manifest.json'), 'utf8')).toBe(before);
  });
});

it.each([
  [3, 2],
  [7, 2],
  [4, 1],
  [2, 1],
])('nightly.sh tries again only where that can help: exit code %i, %i tries', async (code, tries) => {
  const folder = temporaryFolder();
  const failing = join(folder, 'edu');
  writeFileSync(failing, `#!/bin/sh\necho x >> ${folder}/tries\nexit ${code}\n`, { mode: 0o755 });
  const night = run('bash', [join(recipes, 'nightly.sh'), join(folder, 'exports')], {
    env: { PATH: process.env.PATH, EDU: failing },
  });
  await expect(night).rejects.toMatchObject({ code });
  expect(readFileSync(join(folder, 'tries'), 'utf8')).toBe('x\n'.repeat(tries));
});

/** The scripts of a job in order: those of `run:`, and the items of `before_script:` and `script:`. */
function scriptsIn(text: string): string[] {
  const forms = [
    /^( *)(?:- )?run: \|\n(?<script>(?:\1 .*\n|\n)+)/gm,
    /^ *(?:- )?run: (?<script>[^|\n].*)$/gm,
    /^ *(?:before_)?script:\n(?<script>(?: {4}.*\n)+)/gm,
  ];
  return forms
    .flatMap((form) => [...text.matchAll(form)])
    .sort((one, other) => one.index - other.index)
    .map(({ groups }) => (groups?.script ?? '').replace(/^ *- /gm, ''));
}

/** A folder on PATH with `edu`, and with stand-ins for the other programs of a CI job. */
function programs(store: string): string {
  const folder = temporaryFolder();
  const scripts = {
    // The test kills the diff of one night.
    edu: `if [ "$1" = diff ] && [ -e ${store}/diff-dies ]; then exit 7; fi; exec ${edu} "$@"`,
    npm: `[ "$*" = 'install --global ./edu-cli-${version}.tgz' ]`,
    gh: `case "$1 $2" in
      'run list') if [ -e ${store}/artifact ]; then echo 17; fi;;
      'run download') mkdir -p exports; cp -r ${store}/artifact/. exports;;
      'api repos/o/r') echo true;;
      'api repos/o/r/actions/runs/17/artifacts') [ ! -e ${store}/expired ] && echo false || echo true;;
      *) exit 1;;
    esac`,
    // Writes the status that curl would write.
    curl: `if [ -e ${store}/artifact ]; then : > previous.zip; printf 200; else printf 404; fi`,
    unzip: `mkdir -p exports; cp -r ${store}/artifact/. exports`,
  };
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/usr/bin/env bash\n${script}\n`, { mode: 0o755 });
  }
  return folder;
}

/** A service to export from, over HTTP. */
async function served(): Promise<Record<string, string>> {
  const { child } = start(['offline', 'serve', '--memory', '--port', '0', '--json']);
  let ready = '';
  child.stdout.on('data', (chunk) => (ready += chunk));
  await expect.poll(() => ready, { timeout: 60_000 }).toContain('\n');
  return { EDU_BASE_URL: (JSON.parse(ready) as { baseUrl: string }).baseUrl, EDU_TOKEN: 'edu-offline-distributor' };
}

describe('CI jobs', () => {
  it.each(['github-actions.yml', 'gitlab-ci.yml'])(
    '%s runs night by night, also when one fails',
    async (name) => {
      const text = readFileSync(join(recipes, name), 'utf8');
      const scripts = scriptsIn(text);
      expect(scripts.join('\n')).toContain('./nightly.sh exports');
      expect(text).not.toContain('cache/');
      const store = temporaryFolder();
      const service = await served();
      const github = { GITHUB_REPOSITORY: 'o/r', GITHUB_WORKFLOW: 'w', GITHUB_REF_NAME: 'main', GH_TOKEN: 'x' };
      const gitlab = { CI_API_V4_URL: 'https://x', CI_PROJECT_ID: '1', CI_COMMIT_REF_NAME: 'main', CI_JOB_TOKEN: 'x' };
      const PATH = `${programs(store)}:${process.env.PATH}`;
      /** A job on its own machine: each script as CI runs it; the results of successful ones are kept. */
      async function night(more: Record<string, string> = {}) {
        const cwd = temporaryFolder();
        cpSync(join(recipes, 'nightly.sh'), join(cwd, 'nightly.sh'));
        const summary = join(cwd, 'summary.md');
        const env = { PATH, ...home(), ...github, ...gitlab, ...service, GITHUB_STEP_SUMMARY: summary, ...more };
        // GitLab runs all lines of a job as one script.
        const parts = name.startsWith('gitlab') ? [scripts.join('\n')] : scripts;
        for (const script of parts) await run('bash', ['-eo', 'pipefail', '-c', script], { env, cwd });
        rmSync(join(store, 'artifact'), { recursive: true, force: true });
        mkdirSync(join(store, 'artifact'));
        for (const kept of ['today', 'changes.txt']) {
          cpSync(join(cwd, 'exports', kept), join(store, 'artifact', kept), { recursive: true });
        }
        const changes = readFileSync(join(cwd, 'exports', 'changes.txt'), 'utf8');
        return { changes, summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '' };
      }
      expect((await night()).changes).toContain('first export');
      const env = { PATH, ...home(), ...service };
      await run('bash', ['-c', `${edu} licenses delete code:0012345 --yes`], { env });
      // A night with an expired token fails, and one whose comparison is killed: nothing of them is kept.
      await expect(night({ EDU_TOKEN: 'expired' })).rejects.toMatchObject({ code: 4 });
      writeFileSync(join(store, 'diff-dies'), '');
      await expect(night()).rejects.toMatchObject({ code: 7 });
      rmSync(join(store, 'diff-dies'));
      const { changes, summary } = await night();
      expect(changes).toContain('  - 00000002 0012345');
      if (name.startsWith('github')) expect(summary).toContain('| removed | 00000002 | 0012345');
    },
    120_000,
  );
});

describe('the earlier export', () => {
  /** Runs the step of a job that fetches it, with a stand-in for the program that does. */
  async function fetched(name: string, part: string, program: string, script: string) {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, program), `#!/usr/bin/env bash\n${script}\n`, { mode: 0o755 });
    writeFileSync(join(cwd, 'unzip'), '#!/bin/sh\nmkdir exports\n', { mode: 0o755 });
    writeFileSync(join(cwd, 'npm'), '#!/bin/sh\n', { mode: 0o755 });
    const step = scriptsIn(readFileSync(join(recipes, name), 'utf8')).find((one) => one.includes(part)) ?? '';
    const env = {
      PATH: `${cwd}:${process.env.PATH}`,
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_WORKFLOW: 'w',
      GITHUB_REF_NAME: 'main',
    };
    const ran = await run('bash', ['-eo', 'pipefail', '-c', step], { cwd, env }).catch((error) => error);
    return { code: ran.code ?? 0, stdout: ran.stdout, isThere: existsSync(join(cwd, 'exports')) };
  }
  const GH = 'case "$2" in list) echo 17;; download) mkdir exports;; *) echo false;; esac';

  it.each([
    ['is downloaded', GH, { code: 0, stdout: '', isThere: true }],
    ['is none in the first night', 'exit 0', { code: 0, stdout: '', isThere: false }],
    [
      'has expired',
      GH.replace('false', 'true'),
      { code: 0, stdout: expect.stringContaining('::warning::The last export has expired'), isThere: false },
    ],
    ['cannot be listed', 'exit 4', { code: 4, stdout: '', isThere: false }],
    ['cannot be downloaded', GH.replace('mkdir exports', 'exit 1'), { code: 1, stdout: '', isThere: false }],
  ])('in GitHub Actions %s', async (_, gh, expected) => {
    expect(await fetched('github-actions.yml', 'gh run download', 'gh', gh)).toEqual(expected);
  });

  it.each([
    ['is downloaded', 200, { code: 0, stdout: '', isThere: true }],
    ['is none, or has expired', 404, { code: 0, stdout: 'There is no earlier export.\n', isThere: false }],
    [
      'cannot be downloaded',
      500,
      { code: 1, stdout: 'The earlier export cannot be fetched, status 500\n', isThere: false },
    ],
    [
      'may not be downloaded',
      403,
      { code: 1, stdout: 'The earlier export cannot be fetched, status 403\n', isThere: false },
    ],
  ])('in GitLab %s', async (_, status, expected) => {
    expect(await fetched('gitlab-ci.yml', 'curl', 'curl', `printf ${status}`)).toEqual(expected);
  });
});

it('shards.yml merges 8 jobs, of which one was killed and run again', async () => {
  const text = readFileSync(join(recipes, 'shards.yml'), 'utf8');
  const [shard = '', merge = ''] = scriptsIn(text).filter((script) => script.startsWith('edu export'));
  const cwd = temporaryFolder();
  const PATH = `${programs(cwd)}:${process.env.PATH}`;
  const service = await served();
  const bash = (script: string) => run('bash', ['-ec', script], { cwd, env: { PATH, ...home(), ...service } });
  const job = (index: number) => bash(shard.replaceAll(/\$\{\{ matrix\.shard \}\}/g, String(index)));
  const jobs = [1, 2, 3, 4, 5, 6, 7, 8].map(job);
  jobs[2]?.child.kill('SIGKILL');
  const ended = await Promise.allSettled(jobs);
  expect(ended.map(({ status }) => status === 'fulfilled')).toEqual([1, 2, 0, 4, 5, 6, 7, 8].map(Boolean));
  await expect(bash(merge)).rejects.toMatchObject({ code: 2 });
  await job(3);
  await bash(merge);
  await bash('edu export --gzip --to whole');
  expect((await bash('edu diff whole export')).stdout).toBe('No differences.\n');
}, 120_000);

describe('.github/actions/edu', () => {
  const { runs } = parse(readFileSync('.github/actions/edu/action.yml', 'utf8'));
  const scripts: readonly Step[] = runs.steps.filter((step: Partial<Step>) => step.run !== undefined);

  /** Runs the scripts of the action. @returns what the last one printed, and the environment of the next steps */
  async function used(token: string, { EDU_BASE_URL = '' }: Record<string, string>) {
    const place = temporaryFolder();
    const at = (name: string): string => join(place, name);
    const installs = [
      `[ "$*" = 'install --global --prefix ${at('edu')} --no-audit --no-fund ./edu.tgz' ]`,
      `mkdir -p ${at('edu/bin')}`,
      `printf '#!/bin/sh\\nexec ${edu} "$@"\\n' > ${at('edu/bin/edu')}`,
      `chmod +x ${at('edu/bin/edu')}`,
    ];
    mkdirSync(at('programs'));
    writeFileSync(at('programs/npm'), `#!/usr/bin/env bash\n${installs.join(' && ')}\n`, { mode: 0o755 });
    const inputs: Record<string, string> = { file: 'edu.tgz', 'base-url': EDU_BASE_URL, token };
    const filled = (text: string) => text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, name) => inputs[name] ?? '');
    let last = '';
    for (const { run: script, env = {} } of scripts) {
      const own = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, filled(text)]));
      const files = {
        GITHUB_ENV: at('env'),
        GITHUB_PATH: at('path'),
        GITHUB_ACTION_PATH: '/action',
        RUNNER_TEMP: place,
      };
      const PATH = `${at('programs')}:${process.env.PATH}`;
      last = (await run('bash', ['-eo', 'pipefail', '-c', script], { cwd: place, env: { PATH, ...files, ...own } }))
        .stdout;
    }
    const lines = readFileSync(at('env'), 'utf8').trimEnd().split('\n');
    const PATH = readFileSync(at('path'), 'utf8').trimEnd().split('\n').join(':');
    return {
      last,
      env: { ...Object.fromEntries(lines.map((line) => line.split('='))), PATH: `${PATH}:/usr/bin:/bin` },
    };
  }

  it('installs edu, and logs in for the steps that follow, whose environment has no token', async () => {
    const { last, env } = await used('edu-offline-distributor', await served());
    expect(last).toBe('::add-mask::edu-offline-distributor\n::add-matcher::/action/problems.json\n');
    expect(Object.keys(env)).toEqual(['EDU_CONFIG_DIR', 'EDU_NO_INPUT', 'PATH']);
    expect((await run('edu', ['whoami', '-o', 'ids'], { env })).stdout).toBe('u1\n');
  });

  it('fails with an annotation if the token is rejected', async () => {
    const { problemMatcher } = JSON.parse(readFileSync('.github/actions/edu/problems.json', 'utf8'));
    const failed = await used('expired', await served()).catch((error) => error);
    expect(failed).toMatchObject({ code: 4 });
    const [, message] = new RegExp(problemMatcher[0].pattern[0].regexp, 'm').exec(failed.stderr) ?? [];
    expect(message).toContain('the service rejects the access token');
  });
});

describe('rehearsal.md', () => {
  it('works as it says, with a job that creates a licence', async () => {
    const [block = ''] =
      /```sh\n([\s\S]*?)```/.exec(readFileSync(join(recipes, 'rehearsal.md'), 'utf8'))?.slice(1) ?? [];
    const folder = temporaryFolder();
    // The "real" service has its own state here; the rehearsal has another.
    const script = [
      'set -e',
      `real() { EDU_STATE_DIR=${folder}/real EDU_OFFLINE=1 ${edu} "$@"; }`,
      `copy() { EDU_STATE_DIR=${folder}/copy EDU_OFFLINE=1 ${edu} "$@"; }`,
      `edu() { if [ "\${EDU_OFFLINE-}" = 1 ] || [ "$1" = offline ]; then copy "$@"; else real "$@"; fi; }`,
      'job() { edu licenses create --name X --count 2 --type Teacher --maximum-activations 1 --quiet; }',
      block.replaceAll('./the-job.sh', 'job'),
    ].join('\n');
    const env = { PATH: process.env.PATH, ...home() };
    const { stdout } = await run('bash', ['-c', script], { env, cwd: folder });
    expect(stdout.match(/ {2}\+ [0-9a-f]+ [0-9a-z]+ X$/gm)).toHaveLength(2);
    // The last line fails if the real run changed more or less than the rehearsal.
    expect(stdout).toContain('\n2 added\n');
  });
});
