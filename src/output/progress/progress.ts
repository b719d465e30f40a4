/**
 * Shows progress on stderr: a spinner for waits, a bar for work of known size. It appears after 300 ms, is animated
 * only on a terminal, and is erased at the end.
 */
import { type Format, traitsOfFormat } from '../../core/formats.js';
import type { Env, Io, Out } from '../../core/io.js';
import { forPeople } from '../sanitize.js';
import { barLine, logLine, type Unit, type Work } from './bar.js';
import { type Meter, meter } from './meter.js';
import type { Spinner } from './spinner.js';

/** Milliseconds before anything is shown, between two pictures of a bar, and between two of its lines in a log. */
const PATIENCE = 300;
const FRAME = 100;
const LOG_EVERY = 10_000;

/**
 * - `animated`: spinners and bars;
 * - `lines`: on a terminal without animation, a line for each wait and some for each bar;
 * - `log`: stderr is a file or a pipe: some lines for each bar, nothing for waits;
 * - `none`: `--quiet`, or a program may read stderr as JSON.
 */
export type ProgressMode = 'animated' | 'lines' | 'log' | 'none';

/** @param plain `--plain` or EDU_PLAIN: no animation, for screen readers */
export function progressMode(io: Io, env: Env, format: Format, quiet: boolean, plain: boolean): ProgressMode {
  if (quiet) return 'none';
  if (io.stderr.isTTY) return plain || env.TERM === 'dumb' ? 'lines' : 'animated';
  return traitsOfFormat(format).machine ? 'none' : 'log';
}

export interface Waiting {
  update(label: string): void;
  done(): void;
}

export interface Bar {
  /** Says how much is done, in all. @param note a remark to show besides, such as `2 failed` */
  at(done: number, note?: string): void;
  done(): void;
}

export interface Progress {
  /** The same streams; what is written to them does not collide with what is drawn. */
  readonly io: Io;
  wait(label: string): Waiting;
  /** @param from what was done before, by an earlier run; nothing if left out */
  bar(label: string, total: number, unit: Unit, from?: number): Bar;
  /** Removes what is drawn and draws nothing any more. At once: for signals and errors. */
  stop(): void;
}

/** Something on the last line of the terminal. */
interface Drawn {
  hide(): void;
  show(): void;
}

export interface ProgressSettings {
  readonly mode: ProgressMode;
  readonly color: boolean;
  /** Milliseconds. */
  readonly now: () => number;
  /** Milliseconds before anything is shown; 300 if left out. */
  readonly patience?: number | undefined;
}

export function createProgress(io: Io, { mode, color, now, patience = PATIENCE }: ProgressSettings): Progress {
  let drawn: Drawn | undefined;
  let isShown = false;
  let isStopped = false;
  /** Whether the terminal's cursor stands at the start of a line, so that something can be drawn there. */
  let atLineStart = true;
  const endings = new Set<() => void>();

  const show = (): void => {
    if (drawn === undefined || !atLineStart) return;
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

  /** Writes beside what is drawn: takes it away, writes, and puts it back below. */
  function beside(out: Out): Out {
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

  const line = (text: string): void => void io.stderr.write(`${text}\n`);

  /** Runs `begin` after the patience is over, unless it ended before. Gives what ends it. */
  function after(begin: () => void, end: () => void): () => void {
    const timer = setTimeout(begin, patience);
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

  function bar(label: string, total: number, unit: Unit, from = 0): Bar {
    if (isStopped || mode === 'none') return { at() {}, done() {} };
    let work: Work = { label, total, unit };
    const pace: Meter = meter(now(), from);
    const drawing = mode === 'animated' ? drawnBar(() => work, pace) : undefined;
    let timer: NodeJS.Timeout | undefined;
    const done = after(
      () => {
        if (drawing === undefined) line(logLine(work, pace));
        else put(drawing);
        timer = setInterval(
          () => {
            if (drawing === undefined) line(logLine(work, pace));
            else if (drawn === drawing) show();
          },
          drawing === undefined ? LOG_EVERY : FRAME,
        );
        timer.unref();
      },
      () => {
        clearInterval(timer);
        if (drawing === undefined && timer !== undefined) line(logLine(work, pace));
        remove(drawing);
      },
    );
    return {
      at(count, note) {
        if (note !== undefined) work = { ...work, note };
        pace.note(count, now());
      },
      done,
    };
  }

  function drawnBar(work: () => Work, pace: Meter): Drawn {
    const clear = '\r\x1b[K';
    // The terminal writes ^C behind it when that is pressed; what then runs into the next line could not be cleared.
    const width = () => (io.stderr.columns ?? 80) - 3;
    return {
      show: () => void io.stderr.write(clear + barLine(work(), pace, width())),
      hide: () => void io.stderr.write(clear),
    };
  }

  return {
    io: { stdin: io.stdin, stdout: beside(io.stdout), stderr: beside(io.stderr) },
    wait,
    bar,
    stop() {
      isStopped = true;
      for (const end of [...endings]) end();
    },
  };
}
