/** Draws a spinner with ora; loaded after a delay. */
import ora from 'ora';
import type { Out } from '../../core/io.js';

export interface Spinner {
  update(text: string): void;
  /** Removes it from the screen. */
  hide(): void;
  show(): void;
}

/**
 * The part of a terminal's stream that ora uses, on top of an `Out`. The cursor is never hidden, so that no signal can
 * leave it hidden; and stdin is left alone, which ora would switch to raw mode.
 */
function streamOn(out: Out) {
  const send = (text: string): boolean => {
    void out.write(text);
    return true;
  };
  return {
    isTTY: true,
    columns: out.columns ?? 80,
    rows: out.rows,
    write: send,
    cursorTo: (column: number) => send(`\x1b[${column + 1}G`),
    moveCursor: (_dx: number, dy: number) => send(dy < 0 ? `\x1b[${-dy}A` : ''),
    clearLine: () => send('\x1b[K'),
    once: () => {},
    removeListener: () => {},
  };
}

export function spinner(out: Out, text: string, color: boolean): Spinner {
  const spinning = ora({
    text,
    stream: streamOn(out) as unknown as NodeJS.WritableStream,
    isEnabled: true,
    hideCursor: false,
    discardStdin: false,
    color: color ? 'cyan' : false,
  });
  return {
    update(next) {
      spinning.text = next;
    },
    hide: () => void spinning.stop(),
    show: () => void spinning.start(),
  };
}
