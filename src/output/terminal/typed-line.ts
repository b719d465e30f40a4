/** Lines that a person types, without cursor movement. */
import { createInterface } from 'node:readline/promises';
import { type Asking, interrupted } from './prompt.js';

export interface Terminal {
  readonly signal: AbortSignal;
  readonly input: NonNullable<Asking['input']>;
  readonly output: NonNullable<Asking['output']>;
}

const CTRL_C = '\x03';
const CTRL_D = '\x04';

/** Reads a line that the terminal shows and edits. @throws EduError `interrupted` at the end of the input */
export async function lineFrom(message: string, { signal, input, output }: Terminal): Promise<string> {
  output.write(`${message} `);
  const lines = createInterface({ input, terminal: false });
  const ended = new Promise<never>((_, reject) => lines.once('close', () => reject(interrupted())));
  try {
    return await Promise.race([lines.question('', { signal }), ended]);
  } catch (error) {
    output.write('\n');
    throw signal.aborted ? interrupted() : error;
  } finally {
    ended.catch(() => {});
    lines.close();
    // A resumed input would keep the program running.
    input.pause();
  }
}

/** Reads a line that the terminal does not show. */
export async function hiddenLineFrom(message: string, { signal, input, output }: Terminal): Promise<string> {
  output.write(`${message} (not shown) `);
  input.setRawMode?.(true);
  try {
    return await new Promise<string>((resolve, reject) => {
      let typed = '';
      const end = (done: () => void): void => {
        input.off('data', read);
        signal.removeEventListener('abort', abort);
        done();
      };
      const abort = (): void => end(() => reject(interrupted()));
      const read = (chunk: Buffer | string): void => {
        for (const key of String(chunk)) {
          if (key === '\r' || key === '\n') end(() => resolve(typed));
          else if (key === CTRL_C || key === CTRL_D) abort();
          else if (key === '\b' || key === '\x7f') typed = [...typed].slice(0, -1).join('');
          else typed += key;
        }
      };
      signal.addEventListener('abort', abort, { once: true });
      input.on('data', read).resume();
      if (signal.aborted) abort();
    });
  } finally {
    input.setRawMode?.(false);
    input.pause();
    output.write('\n');
  }
}
