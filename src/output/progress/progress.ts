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

export interface ProgressSettings {
  readonly mode: ProgressMode;
  readonly color: boolean;
  /** Delay before anything is shown; default 300 ms. */
  readonly delayMs?: number | undefined;
}

const OFF: Waiting & Bar = { update() {}, at() {}, done() {} };

const CLEAR = '\r\x1b[K';

export class Progress {
  /** The streams, wrapped so that output does not collide with what is drawn. */
  readonly io: Io;
  readonly #stderr: Out;
  readonly #settings: ProgressSettings;
  readonly #line = new DrawnLine();
  /** Displays that have begun, or will after the delay. */
  readonly #endings = new Set<() => void>();
  #isOff: boolean;

  constructor(io: Io, settings: ProgressSettings) {
    const wrapped = (out: Out): Out => (settings.mode === 'animated' && out.isTTY ? this.#line.above(out) : out);
    this.io = { stdin: io.stdin, stdout: wrapped(io.stdout), stderr: wrapped(io.stderr) };
    this.#stderr = io.stderr;
    this.#settings = settings;
    this.#isOff = settings.mode === 'none';
  }

  /** Erases what is drawn while a question is open, and draws it again after the answer. */
  readonly suspend = <T>(question: () => Promise<T>): Promise<T> => this.#line.suspend(question);

  /** Erases everything at once and draws nothing more. For signals and errors. */
  readonly stop = (): void => {
    this.#isOff = true;
    for (const end of [...this.#endings]) end();
  };

  wait(label: string): Waiting {
    const { mode, color } = this.#settings;
    if (this.#isOff || mode === 'log') return OFF;
    let text = forPeople(label);
    let spinning: Spinner | undefined;
    let isDone = false;
    const spin = async (): Promise<void> => {
      const { spinner } = await import('./spinner.js');
      if (isDone) return;
      spinning = spinner(this.#stderr, text, color);
      this.#line.put(spinning);
    };
    const done = this.#after(
      () => (mode === 'animated' ? void spin() : this.#print(`${text}…`)),
      () => {
        isDone = true;
        this.#line.remove(spinning);
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

  /** @param from amount done by an earlier run */
  bar(label: string, total: number, unit: Unit, from = 0): Bar {
    if (this.#isOff) return OFF;
    const { mode } = this.#settings;
    const stderr = this.#stderr;
    let work: Work = { label, total, unit };
    const speed = meter(performance.now(), from);
    // Leaves room for `^C`, which the terminal echoes: on the next line it could not be erased.
    const width = () => (stderr.columns ?? 80) - 3;
    const drawing: Drawn = {
      show: () => void stderr.write(CLEAR + barLine(work, speed, width())),
      hide: () => void stderr.write(CLEAR),
    };
    let logged: string | undefined;
    const log = (): void => {
      const text = logLine(work, speed);
      if (text !== logged) this.#print(text);
      logged = text;
    };
    const isDrawn = mode === 'animated';
    const redraw = isDrawn ? () => this.#line.show() : log;
    let timer: NodeJS.Timeout | undefined;
    const done = this.#after(
      () => {
        if (isDrawn) this.#line.put(drawing);
        else log();
        timer = setInterval(redraw, isDrawn ? FRAME_MS : LOG_INTERVAL_MS);
        timer.unref();
      },
      () => {
        clearInterval(timer);
        if (!isDrawn && timer !== undefined) log();
        this.#line.remove(drawing);
      },
    );
    return {
      at(count, note) {
        if (note !== undefined) work = { ...work, note };
        speed.record(count, performance.now());
      },
      done,
    };
  }

  /** Runs `begin` after the delay. The returned function cancels it, and runs `end`. */
  #after(begin: () => void, end: () => void): () => void {
    const timer = setTimeout(begin, this.#settings.delayMs ?? DELAY_MS);
    timer.unref();
    const ending = (): void => {
      clearTimeout(timer);
      this.#endings.delete(ending);
      end();
    };
    this.#endings.add(ending);
    return ending;
  }

  /** Prints a line of text, unless a question is open. */
  #print(text: string): void {
    if (!this.#line.isAsking) void this.#stderr.write(`${text}\n`);
  }
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
  const note = work.note ? [work.note] : [];
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
