/** Draws a spinner with ora. */
import ora from 'ora';
import type { Out } from '../../core/io.js';

export type Spinner = ReturnType<typeof spinner>;

/**
 * The parts of a terminal stream that ora uses. The cursor is never hidden, because a signal could leave it hidden, and
 * ora may not switch stdin to raw mode.
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

export function spinner(out: Out, text: string, color: boolean) {
  const spinning = ora({
    text,
    stream: streamOn(out) as unknown as NodeJS.WritableStream,
    isEnabled: true,
    hideCursor: false,
    discardStdin: false,
    color: color ? 'cyan' : false,
  });
  return {
    update(next: string) {
      spinning.text = next;
    },
    hide: () => void spinning.stop(),
    show: () => void spinning.start(),
  };
}
