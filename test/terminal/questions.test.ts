/** Questions beside progress, and without menus, on a real terminal. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { served } from './served.js';
import { openTerminal } from './terminal.js';

it('a question about a bulk job is not hidden by the spinner under which it comes up', async () => {
  const { env, requests } = await served(150);
  const terminal = await openTerminal({ columns: 100, env });
  await terminal.runs("printf '00000002\\n00000003\\n00000004\\n' > ids.txt");
  await terminal.enter('edu licenses update --from ids.txt --until 2999-06-30');
  const screen = await terminal.shows(/\? 3 rows show a licence category/);
  expect(screen).not.toMatch(/Checking|Reading/);
  await terminal.press('C-c');
  const { output, code } = await terminal.ends();
  expect([code, output]).toEqual([130, expect.stringMatching(/Interrupted\. Nothing was sent\.$/)]);
  expect(requests.filter((line) => /PUT/.test(line))).toEqual([]);
});

it.each([
  ['--plain', {}],
  ['', { EDU_PLAIN: '1' }],
  ['', { TERM: 'dumb' }],
])('asks with numbered choices (%s %o)', async (flag, env) => {
  const terminal = await openTerminal({ columns: 100, env });
  await terminal.enter(`edu licenses create --name A --maximum-activations 3 --book B1 --days 30 ${flag}`);
  await terminal.shows(/Type.*\n {2}1\) Books\n {2}2\) Teacher\nNumber:/);
  await terminal.enterAnswer('1');
  const { output, code } = await terminal.ends();
  expect([code, output]).toEqual([0, expect.stringMatching(/^Type +Books$/m)]);
});

it('keeps the question on a low and narrow terminal', async () => {
  const terminal = await openTerminal({ columns: 40, rows: 10 });
  await terminal.enter('edu classes create --name X --school s1');
  await terminal.shows(/\? Subject \(--subject-id; type\n {2}to search\)\n❯ Mathematics(.*\n){4}\n↑↓/);
  await terminal.press('C-c');
});

it('asks without colours with --no-color', async () => {
  const terminal = await openTerminal();
  await terminal.enter('edu licenses delete 00000002 --no-color');
  await terminal.shows('(y/N)');
  expect(await terminal.colours()).not.toContain('\x1b[');
  await terminal.press('C-c');
});

it('ends by SIGHUP, without a core dump, when the terminal is closed', async () => {
  const { home } = await openTerminal();
  const line = 'trap : HUP; bin/edu --offline licenses delete 00000002; echo $? > code';
  // Without CI, which would turn off questions.
  const env = { PATH: process.env.PATH, TERM: 'xterm', HOME: home, EDU_STATE_DIR: home, EDU_CONFIG_DIR: home };
  const terminal = spawn('script', ['-qfc', line, '/dev/null'], { cwd: home, env });
  let shown = '';
  terminal.stdout.on('data', (text) => {
    shown += text;
  });
  await vi.waitFor(() => expect(shown).toContain('(y/N)'), 15_000);
  terminal.kill('SIGKILL');
  await vi.waitFor(() => expect(readFileSync(`${home}/code`, 'utf8')).toBe('129\n'), 5_000);
});
