/**
 * A terminal of a given size with a shell in it, driven like a person would: keys in, screen out. It is tmux on a socket
 * of its own; it knows nothing of what runs in it.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

/** Milliseconds that something may take to show, on a machine that is busy with other tests; and between two looks. */
const PATIENCE = 15_000;
const LOOK = 40;

/** What the shell writes when it waits for the next line. It is not `$`, which help pages show. */
const READY = 'ready>';

export interface Terminal {
  /** A folder of its own: current folder, home, settings and state. */
  readonly home: string;
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /** Presses a key by tmux' name: Enter, Down, Space, C-c. */
  press(...keys: readonly string[]): Promise<void>;
  /** What is on the screen now, without trailing blanks. */
  screen(): Promise<string>;
  /** The same with what has scrolled away above it. */
  history(): Promise<string>;
  /** The same as `screen` with its colours, as escape sequences. */
  colours(): Promise<string>;
  /** Waits until the screen shows the pattern, and gives the screen. */
  shows(pattern: RegExp | string): Promise<string>;
  /** Types a command line and Enter, on a clear screen. */
  enter(line: string): Promise<void>;
  /** Types an answer to a question and Enter. */
  enterAnswer(text: string): Promise<void>;
  /** Runs a line to its end. The screen is cleared first. */
  runs(line: string): Promise<{ readonly output: string; readonly code: number }>;
  /** Waits for the end of what was entered. */
  ends(): Promise<{ readonly output: string; readonly code: number }>;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

let count = 0;

/** Opens a terminal; it is closed when the test is over. */
export async function openTerminal({ columns = 80, rows = 40, env = {} }: TerminalOptions = {}): Promise<Terminal> {
  const home = mkdtempSync(join(tmpdir(), 'edu-terminal-'));
  const socket = `edu-test-${process.pid}-${count++}`;
  const tmux = (...args: string[]) => run('tmux', ['-L', socket, '-f', '/dev/null', ...args], { maxBuffer: 64 << 20 });
  onTestFinished(async () => {
    await tmux('kill-server');
    rmSync(home, { recursive: true, force: true });
  });
  mkdirSync(join(home, 'bin'));
  symlinkSync(resolve('bin/edu.js'), join(home, 'bin', 'edu'));
  const surroundings = {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    HOME: home,
    TERM: 'tmux-256color',
    LANG: 'C.UTF-8',
    // The shell would write its history when the terminal closes, into a folder that is being removed.
    HISTFILE: '/dev/null',
    PS1: `${READY} `,
    EDU_OFFLINE: '1',
    EDU_STATE_DIR: join(home, 'state'),
    EDU_CONFIG_DIR: join(home, 'config'),
    EDU_BROWSER: 'none',
    ...env,
  };
  const assignments = Object.entries(surroundings).map(([name, value]) => `${name}=${value}`);
  const shell = ['env', '-i', ...assignments, 'bash', '--norc', '--noprofile'];
  const size = ['-x', String(columns), '-y', String(rows)];
  await tmux(
    'new-session',
    '-d',
    ...size,
    '-c',
    home,
    ';',
    'set',
    '-g',
    'history-limit',
    '5000',
    ';',
    'respawn-pane',
    '-k',
    ...shell,
  );

  const capture = async (...args: string[]): Promise<string> => {
    const { stdout } = await tmux('capture-pane', '-p', ...args);
    return stdout.replace(/[ \n]+$/, '');
  };
  const screen = () => capture();
  // Lines that were too long for the terminal are joined again: what wrapped is seen as what was written.
  const history = () => capture('-S', '-', '-J');

  async function until(isThere: (text: string) => boolean, what: string, look = screen): Promise<string> {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const text = await look();
      if (isThere(text)) return text;
      if (Date.now() > end) throw new Error(`The terminal never showed ${what}. It shows:\n${text}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
  }

  const press = async (...keys: readonly string[]): Promise<void> => void (await tmux('send-keys', ...keys));
  const type = async (text: string): Promise<void> =>
    text === '' ? undefined : void (await tmux('send-keys', '-l', '--', text));
  const enter = async (line: string): Promise<void> => {
    await type(line);
    // Until the shell has echoed it, its prompt looks as it does when the line has ended.
    await until((text) => text.split('\n').some((one) => one.startsWith(`${READY} `)), 'the line that was typed');
    await press('Enter');
  };

  async function clear(): Promise<void> {
    await until((text) => text.split('\n').at(-1) === READY, 'the prompt of the shell');
    // By tmux, not by the shell: a dumb terminal can't clear itself.
    await tmux('send-keys', '-R', ';', 'clear-history', ';', 'send-keys', 'Enter');
    await until((text) => text.trim() === READY, 'a clear screen');
  }

  async function ends(): Promise<{ output: string; code: number }> {
    await until((text) => text.split('\n').at(-1) === READY, 'the prompt of the shell');
    const lines = (await history()).split('\n');
    const output = lines.slice(lines.findIndex((line) => line.startsWith(READY)) + 1, -1).join('\n');
    await enter('echo "code=$?"');
    const text = await until((now) => /^code=\d+$/m.test(now), 'the exit code');
    return { output, code: Number(/^code=(\d+)$/m.exec(text)?.[1]) };
  }

  await until((text) => text === READY, 'the prompt of the shell');
  return {
    home,
    type,
    press,
    screen,
    history,
    colours: () => capture('-e'),
    shows: (pattern) =>
      until((text) => (typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text)), String(pattern)),
    enter: async (line) => {
      await clear();
      await enter(line);
    },
    enterAnswer: enter,
    runs: async (line) => {
      await clear();
      await enter(line);
      return ends();
    },
    ends,
  };
}
