/** Runs the whole program in this process, as in a pipe or as on a terminal, with folders of its own for settings and state. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { main } from '../../src/app/main.js';
import type { EduError } from '../../src/core/errors.js';
import type { Io, Out } from '../../src/core/io.js';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Added to the two folders; nothing else of this process' environment is seen. */
  readonly env?: Readonly<Record<string, string>>;
  /** What stdin holds; nothing if left out. */
  readonly input?: string;
  /** The streams are a terminal of this many columns; a pipe if left out. */
  readonly terminal?: number;
  /** Milliseconds since the epoch; the real time if left out. */
  readonly now?: () => number;
  /** Chance; the same in every run if left out, so that a second id that the service makes is the first one again. */
  readonly randomBytes?: (count: number) => Uint8Array;
  /** Ends the program early, as a signal would; its reason is the error to report. */
  readonly stop?: { readonly after: Promise<unknown>; readonly reason: EduError };
}

/** A folder that is removed when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'edu-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Folders for settings and state, for runs that belong together. */
export function home(): { readonly EDU_CONFIG_DIR: string; readonly EDU_STATE_DIR: string } {
  const folder = temporaryFolder();
  return { EDU_CONFIG_DIR: join(folder, 'config'), EDU_STATE_DIR: join(folder, 'state') };
}

function capture(columns: number | undefined): Out & { readonly text: () => string } {
  const chunks: Uint8Array[] = [];
  return {
    isTTY: columns !== undefined,
    columns,
    rows: columns === undefined ? undefined : 24,
    write: async (text) => {
      chunks.push(typeof text === 'string' ? Buffer.from(text) : text);
    },
    text: () => Buffer.concat(chunks).toString(),
  };
}

/** The longest wait that a timer knows: how busy the machine is must not decide whether a spinner is seen. */
const NEVER = 2 ** 31 - 1;

/** The bytes 0, 1, 2, …: chance that is the same in every run. */
const counted = (count: number): Uint8Array => Uint8Array.from({ length: count }, (_, index) => index);

/**
 * Runs one command line to its end.
 * @param argv the words behind `edu`
 */
export async function run(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { env = {}, input = '', terminal, now = Date.now, stop, randomBytes = counted } = options;
  const stdout = capture(terminal);
  const stderr = capture(terminal);
  const io: Io = {
    stdin: {
      isTTY: terminal !== undefined,
      async *[Symbol.asyncIterator]() {
        if (input !== '') yield Buffer.from(input);
      },
    },
    stdout,
    stderr,
  };
  const interrupted = new Promise<EduError>((resolve) => void stop?.after.then(() => resolve(stop.reason)));
  const folders = 'EDU_CONFIG_DIR' in env && 'EDU_STATE_DIR' in env ? {} : home();
  const surroundings = {
    io,
    // An outage is ridden out for a minute; a test has less time.
    env: { HOME: '/nonexistent', EDU_MAX_WAIT: '4s', ...folders, ...env },
    interrupted,
    now,
    randomBytes,
    progressDelayMs: NEVER,
  };
  const code = await main(argv, surroundings);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}
