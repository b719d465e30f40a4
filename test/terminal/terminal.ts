/** A terminal of a given size with a shell, driven by keys and read as a screen. It is tmux on its own socket. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

/** The maximum wait for output on a busy machine, and the interval between two checks, in milliseconds. */
const PATIENCE = 15_000;
const LOOK = 40;

/** The prompt of the shell. It is not `$`, which appears in help pages. */
const READY = 'ready>';

export interface Terminal {
  /** A new folder: current folder, home, settings and state. */
  readonly home: string;
  type(text: string): Promise<void>;
  /** Presses a key by tmux's name: Enter, Down, Space, C-c. */
  press(...keys: readonly string[]): Promise<void>;
  /** The current screen, without trailing spaces. */
  screen(): Promise<string>;
  /** The same with its scrollback. */
  history(): Promise<string>;
  /** The same as `screen` with its colours, as escape sequences. */
  colours(): Promise<string>;
  /** Waits until the screen matches the pattern, and returns the screen. */
  shows(pattern: RegExp | string): Promise<string>;
  /** Types a command line and Enter, on a cleared screen. */
  enter(line: string): Promise<void>;
  /** Types an answer to a prompt and Enter. */
  enterAnswer(text: string): Promise<void>;
  /** Runs a line to its end, on a cleared screen. */
  runs(line: string): Promise<{ readonly output: string; readonly code: number }>;
  /** Waits for the end of the last command. */
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
    // Otherwise the shell would write its history when the terminal closes, into a folder that is being removed.
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
  // Joins lines that the terminal has wrapped.
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
    // Until the shell has echoed the line, its prompt looks as after the end of a command.
    await until((text) => text.split('\n').some((one) => one.startsWith(`${READY} `)), 'the line that was typed');
    await press('Enter');
  };

  async function clear(): Promise<void> {
    await until((text) => text.split('\n').at(-1) === READY, 'the prompt of the shell');
    // By tmux, not by the shell: a dumb terminal cannot clear itself.
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
