/** The surroundings of a process: standard streams, environment, clock and randomness. */

export interface Out {
  readonly isTTY: boolean;
  /** Width of the terminal in cells; undefined if it is not a terminal. */
  readonly columns: number | undefined;
  /** Height of the terminal in lines, if known. */
  readonly rows?: number | undefined;
  /** Resolves when more text may be written (backpressure). Rejects with `ClosedPipe` if the reader has closed the pipe. */
  write(text: string | Uint8Array): Promise<void>;
  /** Called when what was written is not complete, so that a file of it is not kept. */
  readonly drop?: () => void;
}

export interface In extends AsyncIterable<Uint8Array> {
  readonly isTTY: boolean;
  /** Stops reading, so that an idle pipe does not keep the process alive. */
  readonly stop?: () => void;
}

export interface Io {
  readonly stdin: In;
  readonly stdout: Out;
  /** Progress, prompts, warnings, errors. */
  readonly stderr: Out;
  /** Takes lines of JSON, if stderr turns lines of text into such. */
  readonly log?: Out;
}

/** The reader of stdout closed the pipe (`| head`), so the program ends silently. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

/** For a command that goes on after its output, because its exit code is an answer. @throws all errors but `ClosedPipe` */
export function orClosed(error: unknown): void {
  if (!(error instanceof ClosedPipe)) throw error;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** Clock and randomness, which tests replace. */
export interface Machine {
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Unguessable letters and digits, different each time. */
  readonly unique: () => string;
}
