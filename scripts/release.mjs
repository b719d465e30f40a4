/**
 * Makes a release of the main branch: `npm run release -- patch|minor|major|VERSION`. Writes version and changelog,
 * commits and tags; pushing the tag publishes (.github/workflows/release.yml).
 *
 *   --dry-run       prints what would be done
 *   --skip-checks   does not run .ci/run first, if it passed on this commit
 *   --notes         prints the changelog entries of VERSION, for the release page
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { nextVersion, notesOf, releasedChangelog } from './versions.mjs';

const BRANCH = 'main';

/** @param {...string} args @returns {string} git's output @throws Error with git's message */
function git(...args) {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new Error(said || `git ${args.join(' ')} failed`);
  }
}

/**
 * Replaces the version in the text, so that its formatting does not change.
 * @param {string} text of package.json or the lock file
 * @param {string} from
 * @param {string} to
 * @param {number} times how often the version is replaced: once, in the lock file twice
 */
function withVersion(text, from, to, times) {
  const [before = '', ...after] = text.split(`"version": "${from}"`);
  if (after.length < times) throw new Error(`the version ${from} was not found`);
  return after.reduce((done, part, index) => `${done}"version": "${index < times ? to : from}"${part}`, before);
}

/** @param {string} tag @throws Error for uncommitted changes, another branch, or an existing tag */
function refuseUnlessReady(tag) {
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`there are changes that are not committed:\n${changed}`);
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
  if (branch !== BRANCH) throw new Error(`releases are made on ${BRANCH}, and this is ${branch}`);
  if (git('tag', '--list', tag) !== '') throw new Error(`there is a tag ${tag} already`);
}

/** @param {readonly string[]} files */
const restore = (files) => git('checkout', '--quiet', 'HEAD', '--', ...files);

function release() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' }, 'skip-checks': { type: 'boolean' }, notes: { type: 'boolean' } },
  });
  const [wanted, ...more] = positionals;
  if (wanted === undefined || more.length > 0)
    throw new Error('say which: patch, minor, major, or a version such as 1.2.3');
  process.chdir(git('rev-parse', '--show-toplevel'));
  /** @param {string} file */
  const read = (file) => readFileSync(file, 'utf8');
  if (values.notes) return process.stdout.write(`${notesOf(read('CHANGELOG.md'), wanted)}\n`);

  const { version: current } = JSON.parse(read('package.json'));
  const version = nextVersion(current, wanted);
  const tag = `v${version}`;
  refuseUnlessReady(tag);
  const { text, notes } = releasedChangelog(read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10));
  const files = {
    'package.json': withVersion(read('package.json'), current, version, 1),
    'package-lock.json': withVersion(read('package-lock.json'), current, version, 2),
    'CHANGELOG.md': text,
  };
  process.stdout.write(`${current} -> ${version}, on ${git('rev-parse', '--short', 'HEAD')}:\n\n${notes}\n\n`);
  const checks = values['skip-checks'] ? 'skipped' : '.ci/run';
  if (values['dry-run']) {
    process.stdout.write(
      `Checks: ${checks}\nFiles: ${Object.keys(files).join(', ')}\nCommit: Release ${version}\nTag: ${tag}\n`,
    );
    return process.stdout.write('Nothing was done: --dry-run.\n');
  }
  if (!values['skip-checks']) {
    if (spawnSync('.ci/run', { stdio: 'inherit' }).status !== 0) throw new Error('.ci/run is not green');
    refuseUnlessReady(tag);
  }
  for (const [file, content] of Object.entries(files)) writeFileSync(file, content);
  try {
    git('commit', '--quiet', '--message', `Release ${version}`, '--', ...Object.keys(files));
  } catch (error) {
    restore(Object.keys(files));
    throw error;
  }
  git('tag', '--annotate', tag, '--message', `Release ${version}\n\n${notes}`);
  return process.stdout.write(
    `Committed and tagged ${tag}. To publish it: git push --atomic origin ${BRANCH} ${tag}\n`,
  );
}

try {
  release();
} catch (error) {
  process.stderr.write(`No release: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
