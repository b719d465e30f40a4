/**
 * Runs every shell block of README and docs, page by page, each page with new sample data. A block that cannot be run
 * has a comment before it: `<!-- not run: it asks questions -->`. command-words.test.ts checks that those, and lines in
 * sentences, are understood.
 */
import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/run.js';

const run = promisify(execFile);

interface Block {
  readonly line: number;
  readonly language: string;
  readonly text: string;
  readonly isRun: boolean;
}

const CALL = /^\s*(\w+=\S+ )*(npx )?edu /m;

/** The fenced blocks of a page. */
function blocksOf(markdown: string): Block[] {
  const blocks = [...markdown.matchAll(/^(<!-- not run: [^\n]+ -->\n)?```(\w*)\n(.*?)^```$/gms)];
  return blocks.map(({ 1: mark, 2: language = '', 3: text = '', index }) => ({
    line: markdown.slice(0, index).split('\n').length,
    language,
    text,
    isRun: mark === undefined && language === 'sh',
  }));
}

/** Pages whose blocks have tests of their own. */
const PLAYED_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/contributing.md': 'slow/contributing.test.ts',
  'docs/recipes/load.md': 'engines/load-recipes.test.ts',
};

/** Console sessions are run where their environment is known. */
const SESSIONS: Readonly<Record<string, string>> = {
  'docs/contributing.md': 'slow/contributing.test.ts',
  'docs/errors.md': 'docs/errors.test.ts',
  'docs/troubleshooting.md': 'docs/run/troubleshooting.test.ts',
};

// test/docs/run/examples.test.ts runs the examples of the reference, which are those of the help pages.
const pages = [
  'README.md',
  'SECURITY.md',
  ...readdirSync(resolve('docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('reference'))
    .map((name) => join('docs', name)),
].sort();

/** The files that the lines of a page need. */
const FILES: Readonly<Record<string, string>> = {
  'autumn.csv': 'name,type,book,days,maximum-activations\nClass 7b,Books,B1,365,30\nClass 8a,Books,"B1,B2",365,28\n',
  'staff.csv': 'first-name,last-name,email\nMia,Berg,mia.berg@example.org\nJan,Vos,jan.vos@example.org\n',
  'pupils.csv': 'user\nschool@example.org\n0000000155\n',
  'expired.ndjson': '{"licence":"00000003"}\n',
  'expired.csv': 'licence\n00000006\ncode:12e5\n',
};
/** Scripts that the pages tell to copy. */
const SCRIPTS = ['docs/recipes/nightly.sh', 'docs/examples/create-licences.sh'];

/**
 * A folder with `edu` and `npx` on its path, and the environment to run in.
 * @param files its files
 */
function workshop(files = FILES) {
  const home = temporaryFolder();
  const bin = join(home, 'bin');
  const work = join(home, 'work');
  mkdirSync(bin);
  mkdirSync(work);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text);
  for (const script of SCRIPTS) copyFileSync(resolve(script), join(work, basename(script)));
  symlinkSync(resolve('bin/edu.js'), join(bin, 'edu'));
  // The current folder is not a clone here, where `npx edu` works.
  writeFileSync(join(bin, 'npx'), '#!/bin/sh\n"$@"\n');
  chmodSync(join(bin, 'npx'), 0o755);
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    EDU_OFFLINE: '1',
    EDU_STATE_DIR: join(home, 'state'),
    EDU_CONFIG_DIR: join(home, 'config'),
    EDU_BROWSER: 'none',
  };
  return { env, work };
}

describe.each(pages)('%s', (page) => {
  const text = readFileSync(resolve(page), 'utf8');
  const blocks = blocksOf(text);
  const shown = page in PLAYED_ELSEWHERE ? [] : blocks.filter(({ isRun }) => isRun);

  it('marks its command lines as shell, so that they are run', () => {
    const unmarked = blocks.filter(({ language, text: lines }) => language === '' && CALL.test(lines));
    expect(unmarked.map(({ line }) => `${page}:${line}`)).toEqual([]);
    expect(text.replace(/^```.*?^```$/gms, '').match(/^ {4}(npx )?edu .*$/gm) ?? []).toEqual([]);
  });

  it('has console sessions only if a test runs them', () => {
    if (blocks.some(({ language }) => language === 'console')) expect(Object.keys(SESSIONS)).toContain(page);
    // The last two belong to other programs: their examples are tested by hand (docs/recipes/load.md).
    const known = ['', 'sh', 'console', 'diff', 'text', 'json', 'js', 'sql', 'python'];
    expect(blocks.filter(({ language }) => !known.includes(language)).map(({ line }) => `${page}:${line}`)).toEqual([]);
  });

  it('links only to existing files', () => {
    for (const [, target = ''] of text.replace(/^```.*?^```$/gms, '').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
      if (!/^[a-z]+:/.test(target)) expect(existsSync(resolve(dirname(page), target)), target).toBe(true);
    }
  });

  if (shown.length === 0) return;
  it('has command lines that succeed, one after the other', { timeout: 120_000 }, async () => {
    // The README must work as it is; other pages refer to files that their readers have.
    const { env, work } = workshop(page === 'README.md' ? {} : FILES);
    // One shell for the whole page, so that variables of one block are set in the next, as for a reader who types.
    const script = shown.map(({ line, text: lines }) => `echo "at ${page}:${line}" >&2\n${lines}`).join('\n');
    const ran = run('bash', ['-c', `set -euo pipefail; exec > /dev/null; CONTENT_TOKEN=token\n${script}`], {
      cwd: work,
      env,
    });
    // The output so far shows which line failed, and why.
    const said = await ran.then(
      ({ stderr }) => stderr,
      ({ code, stderr }: { code: unknown; stderr: string }) => `${stderr}ended with ${code}`,
    );
    expect(said).not.toMatch(/ended with|This is a bug in edu/);
  });
});

it('deletes nothing if the query of the FAQ is typed with a single =', { timeout: 60_000 }, async () => {
  const { env, work } = workshop();
  const faq = readFileSync(resolve('docs/faq.md'), 'utf8');
  const pipe = faq.match(/^edu licenses list .*--query .* \| edu licenses delete --from - --yes$/m)?.[0] ?? '';
  expect(pipe).toContain("name=='Mistake'");
  const edu = async (line: string) =>
    run('bash', ['-c', line], { cwd: work, env }).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => ({
      stdout,
      stderr,
    }));
  const { stdout: before } = await edu('edu licenses list -o ids');
  const { stdout, stderr } = await edu(`set -o pipefail; ${pipe.replace("name=='", "name='")}`);
  expect(stdout).toBe('');
  expect(stderr).toContain('Compare with "==": [?name==\'Mistake\'].id');
  expect((await edu('edu licenses list -o ids')).stdout).toBe(before);
});

it('the tests named for a page read that page', () => {
  for (const [page, test] of Object.entries({ ...PLAYED_ELSEWHERE, ...SESSIONS })) {
    expect(readFileSync(resolve('test', test), 'utf8')).toContain(`'${page}'`);
  }
});

describe('pictures', () => {
  it.each(readdirSync(resolve('docs/pictures')))('%s is self-contained and has a description', (name) => {
    const svg = readFileSync(resolve('docs/pictures', name), 'utf8');
    expect(svg).toMatch(/^<svg [^>]*role="img" aria-label="[^"]{20,}">/);
    expect(svg.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
    expect(svg).not.toMatch(/url\(|@import|href|<script|Error: (Cannot find|internal)/);
  });
});
