/** Releases in temporary repositories. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compareVersions, nextVersion } from '../../scripts/versions.mjs';
import { temporaryFolder } from '../support/run.js';

const CHANGELOG =
  '# Changelog\n\nAll of it.\n\n## Unreleased\n\n- Something new; costs $1.\n\n## 0.1.0 (2026-01-02)\n\n- First.\n';
const LOCK = { name: 'edu-cli', version: '0.1.0', packages: { '': { version: '0.1.0' }, other: { version: '0.1.0' } } };
const WHO = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

/** A repository with one commit, whose checks end with the given code. */
function repository({ changelog = CHANGELOG, checks = 0 } = {}) {
  const folder = temporaryFolder();
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', ...WHO };
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' }).trim();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  mkdirSync(join(folder, '.ci'));
  write(
    'package.json',
    `${JSON.stringify({ name: 'edu-cli', version: '0.1.0', engines: { node: '>=20' } }, null, 2)}\n`,
  );
  write('package-lock.json', `${JSON.stringify(LOCK, null, 2)}\n`);
  write('CHANGELOG.md', changelog);
  write('.ci/run', `#!/bin/sh\necho checks ran\nexit ${checks}\n`);
  chmodSync(join(folder, '.ci/run'), 0o755);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '-m', 'First');
  const release = (...args: string[]) => {
    const ran = spawnSync(process.execPath, [resolve('scripts/release.mjs'), ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
  };
  /** Everything that a release could change. */
  const state = () => [git('log', '--format=%s'), git('tag'), git('status', '--porcelain'), read('CHANGELOG.md')];
  return { folder, git, read, write, release, state };
}

describe('npm run release', () => {
  test('makes a version, a changelog, a commit and a tag', () => {
    const { git, read, release } = repository();
    const today = new Date().toISOString().slice(0, 10);
    const ran = release('minor');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('0.1.0 -> 0.2.0');
    expect(ran.stdout).toContain('checks ran');
    expect(ran.stdout).toContain('git push --atomic origin main v0.2.0');
    expect(JSON.parse(read('package.json'))).toEqual({ name: 'edu-cli', version: '0.2.0', engines: { node: '>=20' } });
    const packages = { '': { version: '0.2.0' }, other: { version: '0.1.0' } };
    expect(JSON.parse(read('package-lock.json'))).toEqual({ name: 'edu-cli', version: '0.2.0', packages });
    expect([today, new Date().toISOString().slice(0, 10)]).toContain(
      /0\.2\.0 \((.*)\)/.exec(read('CHANGELOG.md'))?.[1],
    );
    expect(read('CHANGELOG.md').replace(/0\.2\.0 \(.*\)/, '0.2.0 (DATE)')).toBe(
      '# Changelog\n\nAll of it.\n\n## Unreleased\n\n## 0.2.0 (DATE)\n\n- Something new; costs $1.\n\n## 0.1.0 (2026-01-02)\n\n- First.\n',
    );
    expect(git('log', '--format=%s')).toBe('Release 0.2.0\nFirst');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('cat-file', '-t', 'v0.2.0')).toBe('tag');
    expect(git('rev-parse', 'v0.2.0^{}')).toBe(git('rev-parse', 'HEAD'));
  });

  test('makes a second release', () => {
    const { git, read, write, release } = repository();
    release('patch', '--skip-checks');
    expect(release('patch', '--skip-checks')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('say what is new'),
    });
    write('CHANGELOG.md', read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- More.\n'));
    git('commit', '--quiet', '-am', 'More');
    expect(release('1.0.0-rc.1', '--skip-checks')).toMatchObject({ code: 0 });
    expect(git('tag').split('\n')).toEqual(['v0.1.1', 'v1.0.0-rc.1']);
    expect(release('--notes', '1.0.0-rc.1').stdout).toBe('- More.\n');
    expect(release('--notes', '0.1.0').stdout).toBe('- First.\n');
    expect(release('--notes', '9.9.9').code).toBe(1);
  });

  test('--dry-run prints every step and changes nothing', () => {
    const { release, state } = repository();
    const before = state();
    const { code, stdout } = release('major', '--dry-run');
    expect(code).toBe(0);
    for (const part of ['0.1.0 -> 1.0.0', '- Something new', 'Tag: v1.0.0', 'Nothing was done'])
      expect(stdout).toContain(part);
    expect(stdout).not.toContain('checks ran');
    expect(state()).toEqual(before);
  });
});

describe('no release and no changes', () => {
  const refused = (made: ReturnType<typeof repository>, args: readonly string[], why: string) => {
    const before = made.state();
    const ran = made.release(...args);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(why) });
    expect(ran.stderr).toMatch(/^No release: /);
    expect(made.state()).toEqual(before);
  };

  test.each([
    [[], 'say which'],
    [['patch', 'minor'], 'say which'],
    [['soon'], '"soon" is no version'],
    [['0.1'], '"0.1" is no version'],
    [['01.0.0'], '"01.0.0" is no version'],
    [['0.1.0'], '0.1.0 is not later than the current version, 0.1.0'],
    [['0.0.9'], 'not later'],
    [['patch', '--force'], '--force'],
  ])('for the version %j', (args, why) => {
    refused(repository(), args, why);
  });

  test('with changes that are not committed', () => {
    const made = repository();
    made.write('new.txt', 'x');
    refused(made, ['patch'], '?? new.txt');
  });

  test('on another branch', () => {
    const made = repository();
    made.git('checkout', '--quiet', '-b', 'feature');
    refused(made, ['patch'], 'this is feature');
  });

  test('under an existing tag', () => {
    const made = repository();
    made.git('tag', 'v0.1.1');
    refused(made, ['patch'], 'a tag v0.1.1 already');
  });

  test('when the changelog has no entries', () => {
    refused(
      repository({ changelog: CHANGELOG.replace('- Something new; costs $1.\n\n', '') }),
      ['patch'],
      'say what is new',
    );
    refused(repository({ changelog: '# Changelog\n' }), ['patch'], 'no heading');
  });

  test('when the checks fail', () => {
    refused(repository({ checks: 1 }), ['patch'], '.ci/run is not green');
  });

  test('when git refuses to commit', () => {
    const made = repository();
    mkdirSync(join(made.folder, '.git/hooks'), { recursive: true });
    writeFileSync(join(made.folder, '.git/hooks/pre-commit'), '#!/bin/sh\necho not today >&2\nexit 1\n', {
      mode: 0o755,
    });
    refused(made, ['patch', '--skip-checks'], 'not today');
  });
});

describe('versions', () => {
  test('are ordered as on semver.org', () => {
    const sorted = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11'];
    const all = [...sorted, '1.0.0-rc.1', '1.0.0', '1.0.1', '1.2.0', '1.10.0', '2.0.0'];
    expect([...all].reverse().sort(compareVersions)).toEqual(all);
  });

  test.each([
    ['1.2.3', 'patch', '1.2.4'],
    ['1.2.3', 'minor', '1.3.0'],
    ['1.2.3', 'major', '2.0.0'],
    ['2.0.0-rc.1', 'major', '2.0.0'],
    ['2.0.0-rc.1', 'patch', '2.0.0'],
    ['1.2.3-rc.1', 'patch', '1.2.3'],
    ['1.2.3-rc.1', 'minor', '1.3.0'],
    ['1.2.3-rc.1', '1.2.3', '1.2.3'],
  ])('%s, %s: %s', (present, wanted, next) => {
    expect(nextVersion(present, wanted)).toBe(next);
  });
});
