/** The progress display and messages of a command on stderr. */
import { once } from '../core/once.js';
import type { Format } from '../output/formats.js';
import type { Progress } from '../output/progress/progress.js';
import type { Runtime } from './runtime.js';

interface MessageOptions {
  readonly runtime: Runtime;
  readonly isQuiet: boolean;
  readonly isPlain: boolean;
  readonly isColored: boolean;
  /** The output format. @throws EduError `usage` */
  readonly format: () => Format;
  /** True if warnings are held back: with JSON, stderr must contain nothing but the error object. */
  readonly holdsWarnings: () => boolean;
  /** Registers a cleanup. */
  readonly onEnd: (close: () => void) => void;
}

export function createMessages(options: MessageOptions) {
  const { runtime, isQuiet, isPlain, isColored, onEnd } = options;
  const { io, now, progressDelayMs } = runtime;
  let shown: Progress | undefined;
  const heldWarnings: string[] = [];

  const progress = once(async (): Promise<Progress> => {
    const { createProgress, progressMode } = await import('../output/progress/progress.js');
    const mode = progressMode(io, options.format(), isQuiet, isPlain);
    shown = createProgress(io, { mode, color: isColored, now, delayMs: progressDelayMs });
    onEnd(shown.stop);
    return shown;
  });
  // The stderr of the progress display clears its line before a message.
  const write = (text: string): Promise<void> => (shown ?? { io }).io.stderr.write(text);

  async function printWarning(text: string): Promise<void> {
    const { warningText } = await import('../output/error-report.js');
    await write(warningText(text, isColored));
  }
  return {
    progress,
    async say(text: string): Promise<void> {
      if (isQuiet || !io.stderr.isTTY) return;
      const { forPeople } = await import('../output/sanitize.js');
      await write(`${forPeople(text)}\n`);
    },
    async warn(text: string, always = false): Promise<void> {
      if (isQuiet && !always) return;
      if (options.holdsWarnings()) heldWarnings.push(text);
      else await printWarning(text);
    },
    async during<T>(label: string, work: Promise<T>): Promise<T> {
      if (!io.stderr.isTTY || isQuiet) return work;
      // Avoids an unhandled rejection while the progress display loads; the caller gets the error below.
      work.catch(() => {});
      const waiting = (await progress()).wait(label);
      try {
        return await work;
      } finally {
        waiting.done();
      }
    },
    /** Warnings to print after the command. */
    heldWarnings,
    async flushWarnings(): Promise<void> {
      for (const text of heldWarnings.splice(0)) await printWarning(text);
    },
  };
}
