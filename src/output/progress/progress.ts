/**
 * Shows progress on stderr: a spinner for waits, a bar for work of known size. It appears after 300 ms, is animated
 * only on a terminal, and is erased at the end.
 */

import type { Io, Out } from '../../core/io.js';
import { type Format, traitsOfFormat } from '../formats.js';
import { forPeople } from '../sanitize.js';
import { cut, widthOf } from '../width.js';
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

interface Drawn {
  hide(): void;
  show(): void;
}

export interface ProgressSettings {
  readonly mode: ProgressMode;
  readonly color: boolean;
  readonly now: () => number;
  /** Delay before anything is shown; default 300 ms. */
  readonly delayMs?: number | undefined;
}

export function createProgress(io: Io, { mode, color, now, delayMs = DELAY_MS }: ProgressSettings) {
  let drawn: Drawn | undefined;
  let isShown = false;
  let isStopped = false;
  /** Number of open questions. Nothing is drawn while there is one. */
  let questions = 0;
  /** Drawing is possible only if the cursor is at the start of a line. */
  let atLineStart = true;
  const endings = new Set<() => void>();

  const show = (): void => {
    if (drawn === undefined || !atLineStart || questions > 0) return;
    drawn.show();
    isShown = true;
  };
  const hide = (): void => {
    if (isShown) drawn?.hide();
    isShown = false;
  };
  const put = (drawing: Drawn): void => {
    hide();
    drawn = drawing;
    show();
  };
  const remove = (drawing: Drawn | undefined): void => {
    if (drawing === undefined || drawn !== drawing) return;
    hide();
    drawn = undefined;
  };

  /** Wraps a stream: erases the drawing, writes, and draws it again below. */
  function withDrawing(out: Out): Out {
    if (mode !== 'animated' || !out.isTTY) return out;
    return {
      isTTY: true,
      get columns() {
        return out.columns;
      },
      get rows() {
        return out.rows;
      },
      async write(text) {
        hide();
        if (text.length > 0) atLineStart = String(text.slice(-1)) === '\n' || text[text.length - 1] === 10;
        await out.write(text);
        show();
      },
    };
  }

  const line = (text: string): void => {
    if (questions === 0) void io.stderr.write(`${text}\n`);
  };

  /** Runs `begin` after the delay. The returned function cancels it, and runs `end`. */
  function after(begin: () => void, end: () => void): () => void {
    const timer = setTimeout(begin, delayMs);
    timer.unref();
    const ending = (): void => {
      clearTimeout(timer);
      endings.delete(ending);
      end();
    };
    endings.add(ending);
    return ending;
  }

  function wait(label: string): Waiting {
    let text = forPeople(label);
    let spinning: Spinner | undefined;
    let isDone = isStopped || mode === 'none' || mode === 'log';
    if (isDone) return { update() {}, done() {} };

    async function spin(): Promise<void> {
      const { spinner } = await import('./spinner.js');
      if (isDone) return;
      spinning = spinner(io.stderr, text, color);
      put(spinning);
    }

    const done = after(
      () => (mode === 'animated' ? void spin() : line(`${text}…`)),
      () => {
        isDone = true;
        remove(spinning);
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
  function bar(label: string, total: number, unit: Unit, from = 0): Bar {
    if (isStopped || mode === 'none') return { at() {}, done() {} };
    let work: Work = { label, total, unit };
    const speed: Meter = meter(now(), from);
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
    let timer: NodeJS.Timeout | undefined;
    const done = after(
      () => {
        if (drawing === undefined) line(logLine(work, speed));
        else put(drawing);
        timer = setInterval(
          () => {
            if (drawing === undefined) line(logLine(work, speed));
            else if (drawn === drawing) show();
          },
          drawing === undefined ? LOG_INTERVAL_MS : FRAME_MS,
        );
        timer.unref();
      },
      () => {
        clearInterval(timer);
        if (drawing === undefined && timer !== undefined) line(logLine(work, speed));
        remove(drawing);
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

  return {
    /** The streams, wrapped so that output does not collide with what is drawn. */
    io: { stdin: io.stdin, stdout: withDrawing(io.stdout), stderr: withDrawing(io.stderr) },
    wait,
    bar,
    /** Erases what is drawn while a question is open, and draws it again after the answer. */
    async suspend<T>(question: () => Promise<T>): Promise<T> {
      hide();
      questions++;
      try {
        return await question();
      } finally {
        questions--;
        show();
      }
    },
    /** Erases everything at once and draws nothing more. For signals and errors. */
    stop(): void {
      isStopped = true;
      for (const end of [...endings]) end();
    },
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

/** `Creating licences ██████░░░░░░ 25 % · 250 of 1,000 · 120/s · 7 s left`, at most `columns` cells wide. */
export function barLine(work: Work, meter: Meter, columns: number): string {
  const label = forPeople(work.label);
  const part = share(work, meter.done);
  const words = [`${Math.floor(part * 100)} %`, ...facts(work, meter)].join(' · ');
  const room = Math.min(MAX_BAR, columns - widthOf(label) - widthOf(words) - 2);
  const full = Math.floor(part * room);
  const bar = room < MIN_BAR ? [] : ['█'.repeat(full) + '░'.repeat(room - full)];
  return cut([label, ...bar, words].join(' '), columns);
}

/** `Creating licences: 25 %, 250 of 1,000, 120/s, 7 s left`. */
export function logLine(work: Work, meter: Meter): string {
  const words = [`${Math.floor(share(work, meter.done) * 100)} %`, ...facts(work, meter)].join(', ');
  return `${forPeople(work.label)}: ${words}`;
}
