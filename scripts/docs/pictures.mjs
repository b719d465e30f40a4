/**
 * Takes the pictures in docs/pictures/: commands on the bundled service's sample data, as tmux shows them. Run
 * `npm run pictures` (with names after `--` for some of them) and check the pictures before you commit them. A picture changes only if the output does, except
 * that of the progress bar, which depends on the speed of this machine.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { svg } from './svg.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const target = join(root, 'docs', 'pictures');
const READY = '$';

/** @param {number} milliseconds */
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Opens a terminal with a shell in an empty home folder.
 * @param {number} columns
 * @param {Readonly<Record<string, string>>} env
 */
function terminal(columns, env) {
  const home = mkdtempSync(join(tmpdir(), 'edu-pictures-'));
  const socket = `edu-pictures-${process.pid}`;
  const tmux = (/** @type {readonly string[]} */ ...args) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  mkdirSync(join(home, 'bin'));
  symlinkSync(join(root, 'bin', 'edu.js'), join(home, 'bin', 'edu'));
  symlinkSync(join(root, 'scripts', 'docs', 'assistant.mjs'), join(home, 'bin', 'assistant'));
  writeFileSync(join(home, 'introduction.pdf'), Buffer.alloc(48 << 20, '%PDF-1.4\n'));
  const environment = {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    HOME: home,
    TERM: 'tmux-256color',
    LANG: 'C.UTF-8',
    HISTFILE: '/dev/null',
    PS1: `${READY} `,
    NODE_OPTIONS: `--require ${join(root, 'scripts', 'build', 'moved-clock.cjs')}`,
    EDU_OFFLINE: '1',
    EDU_STATE_DIR: join(home, 'state'),
    EDU_CONFIG_DIR: join(home, 'config'),
    ...env,
  };
  const shell = ['env', '-i', ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)];
  tmux('new-session', '-d', '-x', String(columns), '-y', '60', '-c', home, ...shell, 'bash', '--norc', '--noprofile');
  const screen = () => tmux('capture-pane', '-p').replace(/[ \n]+$/, '');
  return {
    /** @param {RegExp} pattern */
    async shows(pattern) {
      for (const end = Date.now() + 20_000; !pattern.test(screen()); await wait(50)) {
        if (Date.now() > end) throw new Error(`The terminal never showed ${pattern}:\n${screen()}`);
      }
      await wait(150);
    },
    /** @param {readonly string[]} keys */
    press: (...keys) => tmux('send-keys', ...keys),
    /** @param {string} text */
    type: (text) => tmux('send-keys', '-l', '--', text),
    /** The screen with SGR codes, without the shell's next prompt. */
    picture: () =>
      tmux('capture-pane', '-e', '-p')
        .replace(/(\x1b\[[\d;]*m|[ \n])+$/, '')
        .replace(/\n[^\n]*\$$/, ''),
    close() {
      tmux('kill-server');
      rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

/** @typedef {ReturnType<typeof terminal>} Terminal */

/** The shell's prompt after the output of a command. */
const ENDED = /\n\$$/;

/** @param {string} line @returns {(terminal: Terminal) => Promise<void>} */
const command = (line) => async (shown) => {
  shown.type(line);
  shown.press('Enter');
  await shown.shows(ENDED);
};

/** @param {Terminal} shown */
async function create(shown) {
  shown.type('edu licenses create');
  shown.press('Enter');
  for (const [question, answer] of /** @type {const} */ ([
    [/--name/, 'Autumn term, class 7b'],
    [/--maximum-activations/, '28'],
    [/❯ Books/, ''],
    [/--book/, 'quest'],
    [/❯ Number Quest 1/, ''],
    [/❯ No more/, ''],
  ])) {
    await shown.shows(question);
    if (answer !== '') shown.type(answer);
    if (answer !== 'quest') shown.press('Enter');
  }
  await shown.shows(/--days/);
  shown.press('Down', 'Down');
  await shown.shows(/❯ 365/);
}

/** @param {Terminal} shown */
async function upload(shown) {
  shown.type('edu files upload introduction.pdf');
  shown.press('Enter');
  await shown.shows(/[4-9]\d%/);
}

/** A server that receives bodies slowly, so that the progress bar is shown. */
function slowService() {
  const server = createServer((request) => {
    request.on('data', () => {
      request.pause();
      setTimeout(() => request.resume(), 4);
    });
    request.on('error', () => {});
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const slow = /** @type {import('node:http').Server} */ (await slowService());
const address = slow.address();
const port = typeof address === 'object' ? address?.port : undefined;
const overNetwork = { EDU_OFFLINE: '0', EDU_BASE_URL: `http://127.0.0.1:${port}`, EDU_TOKEN: 'token' };

/** @type {readonly { name: string, columns: number, alt: string, take: (terminal: Terminal) => Promise<void>, env?: Readonly<Record<string, string>> }[]} */
const PICTURES = [
  {
    name: 'licences',
    columns: 100,
    alt: 'A table of licences: id, name, code, type, books, used activations, expiry',
    take: command('edu licenses list --limit 6'),
  },
  {
    name: 'licence',
    columns: 80,
    alt: 'One licence with its books and the users that hold it',
    take: command('edu licenses get code:0012345'),
  },
  {
    name: 'help',
    columns: 84,
    alt: 'The help page of edu licenses list',
    take: command('edu licenses list --help'),
  },
  {
    name: 'error',
    columns: 84,
    alt: 'An error that lists what is wrong with a command, and a suggestion for a misspelt one',
    take: async (shown) => {
      await command('edu licenses create --name Autumn --type Bokks --days 400')(shown);
      await command('edu licenses asign code:welcome1 school@example.org')(shown);
    },
  },
  { name: 'create', columns: 84, alt: 'Creating a licence with prompts', take: create },
  {
    name: 'assistant-question',
    columns: 84,
    alt: 'An assistant shows the question of edu: the plan, and the start of its hash to type',
    take: async (shown) => {
      shown.type('assistant');
      shown.press('Enter');
      await shown.shows(/Confirmation:/);
      shown.type('8');
    },
  },
  {
    name: 'assistant-plan',
    columns: 96,
    alt: 'An assistant that cannot ask shows the plan and the command line for a person',
    take: command('assistant --no-questions'),
  },
  {
    name: 'assistant-log',
    columns: 96,
    alt: 'The log of what an assistant asked, with tool and outcome',
    take: async (shown) => {
      await command('assistant --no-questions >/dev/null; clear; echo')(shown);
      shown.press('C-l');
      await shown.shows(/^\s*\$$/);
      await command('edu mcp log --fields tool,asked,outcome')(shown);
    },
  },
  { name: 'progress', columns: 84, alt: 'The progress bar of an upload', take: upload, env: overNetwork },
];

mkdirSync(target, { recursive: true });
const only = process.argv.slice(2);
for (const { name, columns, alt, take, env = {} } of PICTURES) {
  if (only.length > 0 && !only.includes(name)) continue;
  const shown = terminal(columns, env);
  try {
    // The first command creates the sample data and says so, which the picture should not show.
    if (env.EDU_OFFLINE === undefined) await command('edu offline reset; clear; echo')(shown);
    shown.press('C-l');
    await shown.shows(/^\s*\$$/);
    await take(shown);
    writeFileSync(join(target, `${name}.svg`), svg(shown.picture(), { columns, title: 'edu', alt }));
  } finally {
    shown.close();
  }
}
slow.closeAllConnections();
slow.close();
