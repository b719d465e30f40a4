/**
 * Runs the whole program in this process, as in a pipe or on a terminal, with its own folders for settings and state.
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, expect, onTestFinished } from 'vitest';
import { main } from '../../src/app/main.js';
import type { EduError } from '../../src/core/errors.js';
import type { Io, Out } from '../../src/core/io.js';
import { openState } from '../../src/service/state.js';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Added to the two folders; no other environment of this process is visible. */
  readonly env?: Readonly<Record<string, string>>;
  /** The content of stdin (default: empty). */
  readonly input?: string | AsyncIterable<Uint8Array>;
  /** The streams are a terminal with this many columns (default: a pipe). */
  readonly terminal?: number;
  /** Called for each write to stdout. */
  readonly onWrite?: (text: string) => void;
  /** Lines typed at prompts, which need `EDU_PLAIN`. When there are no more, the input ends. */
  readonly answers?: readonly string[];
  /** Called with all that a terminal shows, in order: output, messages, prompts and typed lines. */
  readonly onShow?: (text: string) => void;
  /** Milliseconds since the epoch (default: the real time). */
  readonly now?: () => number;
  /** Randomness (default: the same in every run, so that generated IDs repeat). */
  readonly randomBytes?: (count: number) => Uint8Array;
  /** The wait before progress is shown, in milliseconds (default: for ever). */
  readonly progressDelayMs?: number;
  /** Ends the program early, as a signal would, with this error. */
  readonly stop?: { readonly after: Promise<unknown>; readonly reason: EduError };
}

/** A folder that is removed when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'edu-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder for all tests of a file, which calls this outside of its tests. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'edu-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Folders for settings and state, for runs that belong together. */
export function home(): { readonly EDU_CONFIG_DIR: string; readonly EDU_STATE_DIR: string } {
  const folder = temporaryFolder();
  return { EDU_CONFIG_DIR: join(folder, 'config'), EDU_STATE_DIR: join(folder, 'state') };
}

/** The folders of states of the bundled service with the demo seed, made once in each process. The key is a fixed clock. */
const seeded = new Map<number | undefined, Promise<string>>();

async function seed(now: number): Promise<string> {
  const folder = mkdtempSync(join(process.env.EDU_TEST_SEEDS ?? tmpdir(), 'seed-'));
  (await openState(join(folder, 'offline'), 'demo', now)).close();
  return join(folder, 'offline');
}

/**
 * Copies a seeded state to a folder that has none, because seeding takes ten times as long as a short command.
 * @param now a fixed clock (default: the real time)
 */
export async function prepareOffline(stateFolder: string, now?: number): Promise<void> {
  const folder = join(stateFolder, 'offline');
  if (existsSync(folder)) return;
  const made = seeded.get(now) ?? seed(now ?? Date.now());
  seeded.set(now, made);
  cpSync(await made, folder, { recursive: true });
}

/** A terminal for prompts that types the next answer whenever a prompt waits at the end of a line. */
function answering(answers: readonly string[], onShow: (text: string) => void) {
  const left = [...answers];
  const input = new PassThrough();
  const output = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      onShow(text);
      const answer = text.endsWith('\n') ? '' : left.shift();
      if (answer === undefined) input.end();
      else if (!text.endsWith('\n')) {
        onShow(`${answer}\n`);
        input.write(`${answer}\n`);
      }
      done();
    },
  });
  return { input, output };
}

function capture(columns: number | undefined, onWrite?: (text: string) => void): Out & { readonly text: () => string } {
  const chunks: Uint8Array[] = [];
  return {
    isTTY: columns !== undefined,
    columns,
    rows: columns === undefined ? undefined : 24,
    write: async (text) => {
      const chunk = Buffer.from(text);
      onWrite?.(chunk.toString());
      chunks.push(chunk);
    },
    text: () => Buffer.concat(chunks).toString(),
  };
}

/** The longest wait of a timer: the load of the machine must not decide whether a spinner appears. */
const NEVER = 2 ** 31 - 1;

/** The bytes 0, 1, 2, …: the same randomness in every run. */
const counted = (count: number): Uint8Array => Uint8Array.from({ length: count }, (_, index) => index);

/**
 * Runs one command line to its end.
 * @param argv the words after `edu`
 */
export async function run(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { env = {}, input = '', terminal, now = Date.now, stop, randomBytes = counted } = options;
  const { answers, onWrite, onShow = () => {} } = options;
  const stdout = capture(terminal, (text) => {
    onWrite?.(text);
    onShow(text);
  });
  const stderr = capture(terminal, onShow);
  const io: Io = {
    stdin: {
      isTTY: terminal !== undefined,
      async *[Symbol.asyncIterator]() {
        if (typeof input !== 'string') yield* input;
        else if (input !== '') yield Buffer.from(input);
      },
    },
    stdout,
    stderr,
  };
  const interrupted = new Promise<EduError>((resolve) => void stop?.after.then(() => resolve(stop.reason)));
  const folders = 'EDU_CONFIG_DIR' in env && 'EDU_STATE_DIR' in env ? {} : home();
  const isOffline = env.EDU_OFFLINE === '1' || argv.includes('--offline');
  // Another clock has another seed; the group "offline" shows and replaces the state.
  if (isOffline && now === Date.now && argv[0] !== 'offline')
    await prepareOffline({ EDU_STATE_DIR: '', ...folders, ...env }.EDU_STATE_DIR);
  const surroundings = {
    io,
    // An outage is waited out for a minute; a test has less time.
    env: { HOME: '/nonexistent', EDU_MAX_WAIT: '4s', ...folders, ...env },
    interrupted,
    now,
    randomBytes,
    progressDelayMs: options.progressDelayMs ?? NEVER,
    ...(answers === undefined ? {} : { terminal: answering(answers, onShow) }),
  };
  const code = await main(argv, surroundings);
  // Whatever a test compares, no message or hint is blank.
  expect(stderr.text()).not.toMatch(/^(Error|Hint|Warning): *$|"(message|hint)": ?""/m);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}
