/** Stdout of a command with `--to FILE`: a file that is kept if the command succeeds. */
import { type OutputFile, openOutput } from '../core/fs/output-file.js';
import type { Out } from '../core/io.js';

export function resultFile(path: string) {
  let opening: Promise<OutputFile> | undefined;
  let isDropped = false;
  const opened = (): Promise<OutputFile> => {
    opening ??= openOutput(path);
    return opening;
  };
  const stdout = {
    isTTY: false,
    columns: undefined,
    async write(text: string | Uint8Array): Promise<void> {
      if (isDropped) return;
      await (await opened()).write(typeof text === 'string' ? Buffer.from(text) : text);
    },
    drop(): void {
      isDropped = true;
    },
  } satisfies Out;
  return {
    stdout,
    /** Keeps the file of a success, and what was printed before a failure in part; otherwise leaves nothing of it. */
    async end(succeeded: boolean, isPart = false): Promise<void> {
      const isKept = (succeeded || (isPart && opening !== undefined)) && !isDropped;
      isDropped = true;
      if (isKept) await (await opened()).commit();
      else await opening?.then(({ drop }) => drop());
    },
  };
}
