/**
 * Shows progress on stderr: a spinner for waits, a bar for work of known size. It appears after 300 ms, is animated
 * only on a terminal, and is erased at the end.
 */

import type { Io, Out } from '../../core/io.js';
import { type Format, traitsOfFormat } from '../formats.js';
import { forPeople } from '../sanitize.js';
import { cut, widthOf } from '../width.js';
import { type Drawn, DrawnLine } from './drawn-line.js';
import { counted, durationText, type Meter, meter, sized } from './meter.js';
import type { Spinner } from './spinner.js';

const DELAY_MS = 300;
const FRAME_MS = 100;
const LOG_INTERVAL_MS = 10_000;

/**
 * - `animated`: spinners and bars;
 * - `lines`: on a terminal without animation: a line per wait, and lines for each bar;
 * - `log`: in a file or pipe: lines for each bar, nothing for waits;
 * - `none`: with `--quiet`, or if a program may read stderr as JSON.
 */
export type ProgressMode = 'animated' | 'lines' | 'log' | 'none';

/** @param plain no animation, for screen readers and terminals without cursor movement */
export function progressMode(io: Io, format: Format, quiet: boolean, plain: boolean): ProgressMode {
  if (quiet) return 'none';
  if (io.stderr.isTTY) return plain ? 'lines' : 'animated';
  return traitsOfFormat(format).machine ? 'none' : 'log';
}

export interface Waiting {
  update(label: string): void;
  done(): void;
}

export interface Bar {
  /** @param done total so far @param note text to add, such as `2 failed` */
  at(done: number, note?: string): void;
  done(): void;
}

export type Progress = ReturnType<typeof createProgress>;

export interface ProgressSettings {
  readonly mode: ProgressMode;
  readonly color: boolean;
  readonly now: () => number;
  /** Delay before anything is shown; default 300 ms. */
  readonly delayMs?: number | undefined;
}

export function createProgress(io: Io, settings: ProgressSettings) {
  const line = new DrawnLine();
  const { isStopped, after, stop } = delayed(settings.delayMs ?? DELAY_MS);
  const parts: Parts = {
    io,
    settings,
    line,
    after,
    isOff: () => isStopped() || settings.mode === 'none',
    print: (text) => {
      if (!line.isAsking) void io.stderr.write(`${text}\n`);
    },
  };
  const wrapped = (out: Out): Out => (settings.mode === 'animated' && out.isTTY ? line.above(out) : out);
  return {
    /** The streams, wrapped so that output does not collide with what is drawn. */
    io: { stdin: io.stdin, stdout: wrapped(io.stdout), stderr: wrapped(io.stderr) },
    wait: (label: string): Waiting => wait(label, parts),
    /** @param from amount done by an earlier run */
    bar: (label: string, total: number, unit: Unit, from = 0): Bar => bar({ label, total, unit }, from, parts),
    /** Erases what is drawn while a question is open, and draws it again after the answer. */
    suspend: <T>(question: () => Promise<T>): Promise<T> => line.suspend(question),
    /** Erases everything at once and draws nothing more. For signals and errors. */
    stop,
  };
}

interface Parts {
  readonly io: Io;
  readonly settings: ProgressSettings;
  readonly line: DrawnLine;
  /** Runs `begin` after the delay. The returned function cancels it, and runs `end`. */
  readonly after: (begin: () => void, end: () => void) => () => void;
  readonly isOff: () => boolean;
  /** Prints a line of text, unless a question is open. */
  readonly print: (text: string) => void;
}

/** Displays that begin after a delay, and that end together. */
function delayed(delayMs: number) {
  let isStopped = false;
  const endings = new Set<() => void>();
  const after: Parts['after'] = (begin, end) => {
    const timer = setTimeout(begin, delayMs);
    timer.unref();
    const ending = (): void => {
      clearTimeout(timer);
      endings.delete(ending);
      end();
    };
    endings.add(ending);
    return ending;
  };
  const stop = (): void => {
    isStopped = true;
    for (const end of [...endings]) end();
  };
  return { after, stop, isStopped: () => isStopped };
}

function wait(label: string, { io, settings, line, after, isOff, print }: Parts): Waiting {
  const { mode, color } = settings;
  let text = forPeople(label);
  let spinning: Spinner | undefined;
  let isDone = isOff() || mode === 'log';
  if (isDone) return { update() {}, done() {} };

  async function spin(): Promise<void> {
    const { spinner } = await import('./spinner.js');
    if (isDone) return;
    spinning = spinner(io.stderr, text, color);
    line.put(spinning);
  }

  const done = after(
    () => (mode === 'animated' ? void spin() : print(`${text}…`)),
    () => {
      isDone = true;
      line.remove(spinning);
    },
  );
  return {
    update(next) {
      text = forPeople(next);
      spinning?.update(text);
    },
    done,
  };
}

function bar(begun: Work, from: number, { io, settings, line, after, isOff, print }: Parts): Bar {
  if (isOff()) return { at() {}, done() {} };
  const { mode, now } = settings;
  let work = begun;
  const speed = meter(now(), from);
  const clear = '\r\x1b[K';
  // Leaves room for `^C`, which the terminal echoes: on the next line it could not be erased.
  const width = () => (io.stderr.columns ?? 80) - 3;
  const drawing: Drawn | undefined =
    mode === 'animated'
      ? {
          show: () => void io.stderr.write(clear + barLine(work, speed, width())),
          hide: () => void io.stderr.write(clear),
        }
      : undefined;
  let logged: string | undefined;
  const log = (): void => {
    const text = logLine(work, speed);
    if (text !== logged) print(text);
    logged = text;
  };
  let timer: NodeJS.Timeout | undefined;
  const done = after(
    () => {
      if (drawing === undefined) log();
      else line.put(drawing);
      const redraw = drawing === undefined ? log : () => line.show();
      timer = setInterval(redraw, drawing === undefined ? LOG_INTERVAL_MS : FRAME_MS);
      timer.unref();
    },
    () => {
      clearInterval(timer);
      if (drawing === undefined && timer !== undefined) log();
      line.remove(drawing);
    },
  );
  return {
    at(count, note) {
      if (note !== undefined) work = { ...work, note };
      speed.record(count, now());
    },
    done,
  };
}

type Unit = 'items' | 'bytes';

interface Work {
  readonly label: string;
  readonly total: number;
  readonly unit: Unit;
  readonly note?: string;
}

const MAX_BAR = 24;
const MIN_BAR = 6;

const share = ({ total }: Work, done: number): number => (total === 0 ? 1 : Math.min(1, done / total));

function facts(work: Work, { done, rate }: Meter): readonly string[] {
  const amount = work.unit === 'bytes' ? sized : counted;
  const left = rate === undefined || done >= work.total ? [] : [`${durationText((work.total - done) / rate)} left`];
  const speed = rate === undefined ? [] : [`${work.unit === 'bytes' || rate >= 10 ? amount(rate) : rate.toFixed(1)}/s`];
  const note = work.note === undefined ? [] : [work.note];
  return [`${amount(done)} of ${amount(work.total)}`, ...speed, ...left, ...note];
}

/** `Creating licences ██████░░░░░░ 25% · 250 of 1,000 · 120/s · 7 s left`, at most `columns` cells wide. */
export function barLine(work: Work, meter: Meter, columns: number): string {
  const label = forPeople(work.label);
  const part = share(work, meter.done);
  const words = [`${Math.floor(part * 100)}%`, ...facts(work, meter)].join(' · ');
  const room = Math.min(MAX_BAR, columns - widthOf(label) - widthOf(words) - 2);
  const full = Math.floor(part * room);
  const bar = room < MIN_BAR ? [] : ['█'.repeat(full) + '░'.repeat(room - full)];
  return cut([label, ...bar, words].join(' '), columns);
}

/** `Creating licences: 25%, 250 of 1,000, 120/s, 7 s left`. */
export function logLine(work: Work, meter: Meter): string {
  const words = [`${Math.floor(share(work, meter.done) * 100)}%`, ...facts(work, meter)].join(', ');
  return `${forPeople(work.label)}: ${words}`;
}
