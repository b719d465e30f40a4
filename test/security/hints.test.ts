/** Commands in hints can be pasted: whatever a path or name contains, nothing else runs. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SCRIPTS } from '../../src/cli/completion/scripts.js';
import { wordHint } from '../../src/cli/hints.js';
import { quoteFor, shellLine } from '../../src/core/shell.js';
import { home, run, temporaryFolder } from '../support/run.js';

/** Each would create the file `harm` if a shell saw it unquoted. */
const HOSTILE = [
  "exp'$(touch harm)'",
  'a`touch harm`',
  'b; touch harm;',
  'c" && touch harm "',
  "d' | touch harm '",
  '$(touch harm)',
  "e\\' ; touch harm #",
  'f > harm',
  'g\ntouch harm\n',
  '~',
  '=ls',
  '*',
  "it's: edu h `edu i`",
];

/** Runs a line in an empty folder with only these programs, which print their arguments. */
function pasted(line: string): readonly string[] {
  const [bin, cwd] = [temporaryFolder(), temporaryFolder()];
  for (const name of ['edu', 'mv', 'rm', 'chmod']) {
    writeFileSync(join(bin, name), `#!/bin/sh\nprintf '%s\\0' "$0" "$@" >> '${bin}/argv'\n`, { mode: 0o755 });
  }
  execFileSync('sh', ['-c', line], { cwd, env: { PATH: `${bin}:/usr/bin:/bin` } });
  expect(existsSync(join(cwd, 'harm')), line).toBe(false);
  const words = readFileSync(join(bin, 'argv'), 'utf8').split('\0').slice(0, -1);
  return [words[0]?.replace(`${bin}/`, '') ?? '', ...words.slice(1)];
}

const hintOf = (stderr: string): string => JSON.parse(stderr.slice(stderr.indexOf('{"error"'))).error.hint;
const lineIn = (hint: string): string => hint.slice(hint.indexOf(': ') + 2);

describe.runIf(process.platform !== 'win32')('a hint', () => {
  const [name = ''] = HOSTILE;

  test.each(HOSTILE)('passes %j on as one word, also beside the flags in effect', (name) => {
    expect(pasted(shellLine('edu', 'apply', name))).toEqual(['edu', 'apply', name]);
    const globals = { profile: name, 'base-url': 'https://a.example' };
    const flags = ['--profile', name, '--base-url', 'https://a.example'];
    const piped = `Next: ${shellLine('edu', 'apply', name)} | cat`;
    expect(pasted(lineIn(wordHint(piped, globals)))).toEqual(['edu', 'apply', name, ...flags]);
    const inText = wordHint(`Run \`${shellLine('edu', 'apply', name)}\` again.`, globals);
    expect(pasted(inText.slice('Run `'.length, -'` again.'.length))).toEqual(['edu', 'apply', name, ...flags]);
  });

  test('names a folder that is no export', async () => {
    const folder = join(temporaryFolder(), name.replaceAll('/', '_'));
    mkdirSync(folder);
    const { code, stderr } = await run(['diff', folder, folder, '--json']);
    expect(code).toBe(2);
    expect(pasted(lineIn(hintOf(stderr)))).toEqual(['edu', 'export', '--to', folder]);
  });

  test('names a settings file that is damaged', async () => {
    const folder = join(temporaryFolder(), name.replaceAll('/', '_'));
    const file = join(folder, 'settings.json');
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(file, '{', { mode: 0o600 });
    const { stderr } = await run(['config', 'list', '--json'], { env: { ...home(), EDU_CONFIG_DIR: folder } });
    expect(pasted(lineIn(hintOf(stderr)))).toEqual(['mv', file, `${file}.broken`]);
  });
});

test.runIf(process.platform !== 'win32')('the hint that applies a plan names its file', async () => {
  const folder = temporaryFolder();
  const [want, out] = [join(folder, 'want'), join(folder, HOSTILE[0] ?? '')];
  mkdirSync(want);
  writeFileSync(join(want, 'schools.csv'), 'name,country,city\nNew school,DE,Berlin\n');
  const { stderr } = await run(['--offline', 'plan', want, '--out', out], { env: home(), terminal: 100_000 });
  const [, line = ''] = /Apply it with: (edu .*)$/s.exec(stderr) ?? [];
  expect(pasted(line)).toEqual(['edu', 'apply', out, '--confirm', expect.stringMatching(/^\w{8}$/), '--offline']);
});

test('PowerShell doubles a quotation mark, and those that it takes for one', () => {
  expect(quoteFor('win32', "it's $x")).toBe("'it''s $x'");
  expect(quoteFor('win32', '‘a’; calc; ‚b‛')).toBe("'‘‘a’’; calc; ‚‚b‛‛'");
  expect(SCRIPTS.powershell).toContain("-replace '[''\\u2018-\\u201b]', '$0$0'");
});
