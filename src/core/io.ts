/** The three standard streams as the program sees them. */

/** A stream that text is written to. */
export interface Out {
  readonly isTTY: boolean;
  /** Width of the terminal in cells; undefined when it is not a terminal. */
  readonly columns: number | undefined;
  /** Height of the terminal in lines, where it is known. */
  readonly rows?: number | undefined;
  /** Resolves once the reader has taken the text (back-pressure). Rejects with `ClosedPipe` when the reader is gone. */
  write(text: string | Uint8Array): Promise<void>;
}

export interface In extends AsyncIterable<Uint8Array> {
  readonly isTTY: boolean;
  /** Stops reading for good, so that an idle open pipe does not keep the program alive. */
  readonly stop?: () => void;
}

export interface Io {
  readonly stdin: In;
  /** Data, and nothing else. */
  readonly stdout: Out;
  /** Talk: progress, prompts, warnings, errors. */
  readonly stderr: Out;
}

/** The reader of stdout went away (`| head`): the program ends quietly. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

/** Environment variables, read through the context only. */
export type Env = Readonly<Record<string, string | undefined>>;
