/** Tab in the real shells, with the built program and the sample data of the bundled service. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quoteFor } from '../../src/core/shell.js';

const run = promisify(execFile);
const home = mkdtempSync(join(tmpdir(), 'edu-shells-'));
const env = {
  ...process.env,
  PATH: `${join(home, 'bin')}:${process.env.PATH}`,
  HOME: home,
  EDU_OFFLINE: '1',
  EDU_STATE_DIR: join(home, 'state'),
  EDU_CONFIG_DIR: join(home, 'config'),
};

beforeAll(async () => {
  mkdirSync(join(home, 'bin'));
  symlinkSync(resolve('bin/edu.js'), join(home, 'bin', 'edu'));
  writeFileSync(join(home, 'fractions.pdf'), '%PDF-');
  await run('edu', ['offline', 'reset'], { env });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Completions of bash: its function is called as bash calls it, with the words as bash splits them. */
async function inBash(line: string): Promise<string[]> {
  const words = line.replace(/([:=@])/g, ' $1 ').split(/ +/);
  const script = [
    'source <(edu completion bash)',
    'compopt() { :; }',
    `COMP_LINE=${JSON.stringify(line)} COMP_POINT=${line.length}`,
    `COMP_WORDS=(${words.map((word) => JSON.stringify(word)).join(' ')}) COMP_CWORD=${words.length - 1}`,
    '_edu',
    `printf '%s\\n' "\${COMPREPLY[@]}"`,
  ].join('\n');
  const { stdout } = await run('bash', ['--norc', '-c', script], { env, cwd: home });
  return stdout.split('\n').filter((word) => word !== '');
}

async function inFish(line: string): Promise<string[]> {
  const { stdout } = await run(
    'fish',
    ['-N', '-c', `edu completion fish | source; complete -C ${JSON.stringify(line)}`],
    { env, cwd: home },
  );
  return stdout
    .split('\n')
    .filter((word) => word !== '')
    .map((word) => word.split('\t')[0] ?? '');
}

const SOURCED = 'autoload -U compinit; compinit -D -u; source <(edu completion zsh)';
const IN_FPATH =
  'mkdir functions; edu completion zsh > functions/_edu; fpath=(functions $fpath); autoload -U compinit; compinit -D -u';

/** zsh completes only at a prompt, so it runs on a pseudo-terminal. @param installed loads the completion */
async function inZsh(line: string, installed = SOURCED): Promise<string> {
  const script = [
    'zmodload zsh/zpty',
    'zpty shell zsh -f -i',
    // Written apart, so that the echo of this line is not taken for the prompt.
    `zpty -w shell "PROMPT= RPROMPT=; stty cols 200; ${installed.replaceAll('$', '\\$')}; PROMPT=REA''DY"`,
    'zpty -r shell out "*READY*"',
    // zsh treats a Tab that arrives together with other keys as pasted text.
    `sleep 0.5; zpty -n -w shell ${JSON.stringify(line)}; sleep 0.5; zpty -n -w shell $'\\t'`,
    'sleep 1.5; zpty -n -w shell " END"',
    'zpty -r shell out "*END*"',
    'print -r -- "$out"',
  ].join('\n');
  const { stdout } = await run('zsh', ['-f', '-c', script], { env, cwd: home });
  return stdout;
}

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ['edu lic', ['licenses']],
  ['edu licenses ca', ['cancel']],
  ['edu --offline licenses cr', ['create']],
  ['edu licenses create --maximum-a', ['--maximum-activations']],
  ['edu licenses create --type T', ['Teacher']],
  ['edu users list --fields id,em', ['id,email']],
  ['edu schools get s', ['s1', 's2', 's3', 's4', 's5']],
  ['edu licenses create --book B7', ['B7']],
  ['edu help exit', ['exit-codes']],
  ['edu files upload fra', ['fractions.pdf']],
];

/** Names that a shell would split or run. */
const HOSTILE = ['Q\'uote "it"', 'Q$(touch pwned)', 'Q`touch pwned`; touch pwned', 'Q\\back & *'];

beforeAll(async () => {
  for (const name of HOSTILE)
    await run('edu', ['schools', 'create', '--name', name, '--city', 'X', '--country', 'NL'], { env, cwd: home });
});

describe('names', () => {
  it.each(['sh', 'bash', 'zsh', 'fish'])('%s: reads a word of a hint as it was', async (shell) => {
    for (const word of [...HOSTILE, "Q\\' ; touch pwned #", 'Q\\']) {
      const { stdout } = await run(shell, ['-c', `printf %s ${quoteFor('linux', word)}`], { env, cwd: home });
      expect(stdout).toBe(word);
    }
    expect(existsSync(join(home, 'pwned'))).toBe(false);
  });

  it('bash: quotes a name as one word, without running anything in it', async () => {
    expect(await inBash('edu schools get Gym')).toEqual(['Gymnasium\\ am\\ Kirchplatz']);
    for (const word of await inBash('edu schools get Q')) {
      const { stdout } = await run('bash', ['--norc', '-c', `printf %s ${word}`], { cwd: home });
      expect(HOSTILE).toContain(stdout);
    }
    expect(existsSync(join(home, 'pwned'))).toBe(false);
  });

  it.each([
    ['Gymnasium\\ am\\ K', 'Gymnasium\\ am\\ Kirchplatz'],
    ['Gymnasium\\ ', 'Gymnasium\\ am\\ Kirchplatz'],
    // Bash closes the quotation marks.
    ['"Gymnasium am K', 'Gymnasium am Kirchplatz'],
    ["'Gymn", 'Gymnasium am Kirchplatz'],
    ['"Q', ''],
    ["'Q\\", ''],
  ])('bash: completes an escaped or quoted name: %s', async (word, expected) => {
    const line = `edu users list --in "Gymnasium am Kirchplatz" --organization ${word}`;
    const script = [
      'source <(edu completion bash)',
      'compopt() { :; }',
      `COMP_LINE=$1 COMP_POINT=\${#1} COMP_WORDS=("$2") COMP_CWORD=0`,
      `_edu; printf "%s\\n" "\${COMPREPLY[@]}"`,
    ].join('\n');
    const { stdout } = await run('bash', ['--norc', '-c', script, 'bash', line, word], { env, cwd: home });
    expect(stdout).toBe(`${expected}\n`);
  });

  it('bash: reads quoted names of the line', async () => {
    const roles = await inBash('edu users list --organization "Gymnasium am Kirchplatz" --role s');
    expect(roles).toEqual(['s1-administrator', 's1-teacher', 's1-viewer']);
  });

  it('fish: offers whole names, also after an escaped space', async () => {
    expect(await inFish('edu schools get Gymn')).toEqual(['Gymnasium am Kirchplatz']);
    expect(await inFish('edu schools get Gymnasium\\ a')).toEqual(['Gymnasium am Kirchplatz']);
    expect(await inFish('edu schools get Q')).toHaveLength(HOSTILE.length);
  });

  it('zsh: quotes a name as one word', async () => {
    expect(await inZsh('edu schools get Gymn')).toContain('Gymnasium\\ am\\ Kirchplatz');
    expect(await inZsh('edu schools get "Gymn')).toContain('"Gymnasium am Kirchplatz"');
    expect(existsSync(join(home, 'pwned'))).toBe(false);
  });
});

describe('bash', () => {
  it.each(CASES)('%s', async (line, expected) => expect(await inBash(line)).toEqual(expected));
  it('completes after = without repeating the flag', async () => {
    expect(await inBash('edu licenses create --type=T')).toEqual(['Teacher']);
    expect(await inBash('edu licenses create --from=fra')).toEqual(['fractions.pdf']);
  });
  it('keeps the @ of an address, which bash replaces with what follows', async () => {
    expect(await inBash('edu users get distributor@ex')).toEqual(['@example.org']);
    expect(await inBash('edu users get DISTRIBUTOR@EX')).toEqual(['@example.org']);
  });
});

describe('fish', () => {
  it.each(CASES)('%s', async (line, expected) => expect(await inFish(line)).toEqual(expected));
  it.each(['--from=fra', '--from="fra'])('completes a file after = and in quotation marks: %s', async (word) => {
    expect(await inFish(`edu licenses create ${word}`)).toEqual(['--from=fractions.pdf']);
    expect(await inFish(`edu licenses create ${word.replace('=', ' ')}`)).toEqual(['fractions.pdf']);
  });
  it('describes an ID', async () => {
    const { stdout } = await run(
      'fish',
      ['-N', '-c', "edu completion fish | source; complete -C 'edu schools get s1'"],
      { env },
    );
    expect(stdout).toBe('s1\tGymnasium am Kirchplatz\n');
  });
});

describe('zsh', () => {
  it('completes a command, a flag and an ID', async () => {
    expect(await inZsh('edu licenses canc')).toContain('edu licenses cancel');
    expect(await inZsh('edu licenses create --maximum-a')).toContain('--maximum-activations');
    expect(await inZsh('edu licenses create --from=fra')).toContain('--from=fractions.pdf');
    expect(await inZsh('edu publishers get p')).toMatch(/p1\s+-- Éditions du Canal/);
  });

  it('completes at the first Tab with the script in a folder of fpath', async () => {
    expect(await inZsh('edu licenses canc', IN_FPATH)).toContain('edu licenses cancel');
  });
});
