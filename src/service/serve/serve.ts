/**
 * `edu offline serve`: the bundled service over HTTP on this machine. It puts listener, control route and log around a
 * rehearsal, and knows neither commands nor terminals.
 */
import { readRegularFile } from '../../core/fs/regular-file.js';
import type { Send } from '../../core/http.js';
import { mayRedirectTo } from '../oauth/redirect-rule.js';
import { openRehearsal, type Rehearsal, type ServiceFacts } from '../rehearsal.js';
import type { SeedName } from '../seeds/seed.js';
import { withControl } from './control.js';
import { corsFor, isOrigin } from './cors.js';
import { type DurationRange, parseDurationRange } from './durations.js';
import { BadFault, type Fault, parseFaults } from './faults.js';
import { type Listener, listen } from './listen.js';
import { formatLine, gatherLines } from './request-log.js';

/** Something that was asked for can't be had. The message names it, the hint says what to do instead. */
export class ServeError extends Error {
  override readonly name = 'ServeError';
  readonly hint: string;
  constructor(message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
  }
}

export const DEFAULT_PORT = 4010;

export interface ServeOptions {
  /** Folder of the state; it is kept in memory if left out. */
  readonly directory?: string | undefined;
  /** What a new state is filled with; `demo` if left out. */
  readonly seed?: SeedName | undefined;
  /** 0 for any free one; 4010 if left out. */
  readonly port?: number | undefined;
  /** Listen on ::1 as well. */
  readonly ipv6?: boolean | undefined;
  /** Path that the base URL shall have, such as `/content`; none if left out. */
  readonly basePath?: string | undefined;
  /** The callback URL that is registered; the default of `edu auth login` if left out. */
  readonly callbackUrl?: string | undefined;
  /** Origins whose pages may read answers. */
  readonly cors?: readonly string[] | undefined;
  /** `20ms`, or `20ms-80ms`. */
  readonly latency?: string | undefined;
  /** Each a fault in words or JSON, or `@FILE` with a script of them. */
  readonly faults?: readonly string[] | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly random: (count: number) => Uint8Array;
  /** Takes the request log: one line or several, with their line breaks. */
  readonly log?: ((line: string) => void) | undefined;
}

/** A service that answers. */
export interface Serving {
  readonly facts: ServiceFacts;
  /** Lets requests under way finish, then closes the state. */
  stop(): Promise<void>;
}

function latencyOf(text: string | undefined): DurationRange | undefined {
  if (text === undefined) return undefined;
  const range = parseDurationRange(text);
  if (range === undefined) throw new ServeError(`"${text}" is no latency`, 'Write 20ms, 1.5s or 20ms-80ms.');
  return range;
}

const MAX_SCRIPT_BYTES = 1024 * 1024;

function scriptOf(text: string): string {
  if (!text.startsWith('@')) return text;
  try {
    return readRegularFile(text.slice(1), MAX_SCRIPT_BYTES);
  } catch (error) {
    throw new ServeError(`the faults in ${text.slice(1)} can't be read: ${(error as Error).message}`, '', error);
  }
}

function faultsFrom(texts: readonly string[]): Fault[] {
  try {
    return texts.flatMap((text) => parseFaults(scriptOf(text)));
  } catch (error) {
    if (!(error instanceof BadFault)) throw error;
    throw new ServeError(error.message, 'Write it like "POST /v1/licenses 503 retry-after=1 every=5".', error);
  }
}

function originsFrom(texts: readonly string[]): readonly string[] {
  const wrong = texts.find((text) => !isOrigin(text));
  if (wrong === undefined) return texts;
  throw new ServeError(`"${wrong}" is no origin`, 'Write scheme, host and port, such as http://localhost:3000.');
}

function callbackFrom(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  // the rule that authorizations are held to: what does not even match itself could never be returned to
  if (mayRedirectTo(text, text)) return text;
  throw new ServeError(`"${text}" is no callback URL`, 'Write an address such as http://127.0.0.1:8976/callback.');
}

function basePathFrom(text: string): string {
  const path = text.replace(/(?<!\/)\/+$/, '');
  if (/^(\/[\w.~-]+)*$/.test(path) && !/\/\.{1,2}(\/|$)/.test(path)) return path;
  throw new ServeError(`"${text}" is no path for the base URL`, 'Write it like /content.');
}

/** Says why a port can't be had. */
function portError(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new ServeError(
      `port ${port} is in use by another program`,
      `Stop that program, or choose another port: --port ${port === 65_535 ? port - 1 : port + 1}, or --port 0 for any.`,
      error,
    );
  }
  if (code === 'EACCES') {
    return new ServeError(`port ${port} may not be used by you`, 'Choose one above 1023: --port 4010.', error);
  }
  return error;
}

/**
 * Serves until it is stopped.
 * @returns when requests are answered
 * @throws ServeError for an option that can't be met, StateError for a state that can't be used
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { port = DEFAULT_PORT, ipv6, cors = [] } = options;
  const log = options.log && gatherLines(options.log);
  const [latency, faults] = [latencyOf(options.latency), faultsFrom(options.faults ?? [])];
  const [callbackUrl, basePath] = [callbackFrom(options.callbackUrl), basePathFrom(options.basePath ?? '')];
  const corsRules = corsFor(originsFrom(cors), basePath);
  const onError = (error: unknown): void =>
    log?.add(`error: ${error instanceof Error ? error.stack : String(error)}\n`);
  const { directory, seed, clock, random } = options;
  const opened = await openRehearsal({ directory, seed, clock, random, callbackUrl, latency, faults, onError });

  // the address, which answers hold, is known only when there is a port: requests that come before wait
  let rehearsal: Rehearsal | undefined;
  let begin: (send: Send) => void = () => {};
  const answered = new Promise<Send>((resolve) => {
    begin = resolve;
  });
  let listener: Listener;
  try {
    listener = await listen(async (request) => (await answered)(request), {
      port,
      ipv6,
      cors: corsRules,
      noteOn: (request) => rehearsal?.journal.noteOn(request),
      onRequest: log && ((line) => log.add(formatLine(line))),
      onError,
    });
  } catch (error) {
    opened.close();
    throw portError(error, port);
  }
  const running = opened.at(`${listener.origin}${basePath}`);
  rehearsal = running;
  begin(withControl(running, basePath));
  return {
    facts: running.facts,
    async stop() {
      await listener.stop();
      log?.flush();
      running.close();
    },
  };
}
