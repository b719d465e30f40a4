/** `edu offline serve`: the bundled service over HTTP, with control route and log. */
import { codeOf } from '../../core/fs/disk-errors.js';
import { readRegularFile } from '../../core/fs/regular-file.js';
import type { Send } from '../../core/http.js';
import { type OpenRehearsal, openRehearsal, type Rehearsal, type ServiceFacts } from '../rehearsal.js';
import { withoutTrailingSlash } from '../router.js';
import { startingAt } from './clock.js';
import { withControl } from './control.js';
import { corsFor, isOrigin } from './cors.js';
import { type Listener, type ListenOptions, listen } from './listen.js';
import {
  OptionError,
  readCallback,
  readClients,
  readFaults,
  readLatency,
  readPort,
  readSeed,
  readTime,
  readVariantOptions,
  seededBytes,
  tokenFor,
} from './options.js';
import { NotFound } from './people.js';
import { bufferLines, formatLine } from './request-log.js';

export const DEFAULT_PORT = 4010;

export interface ServeOptions {
  /** Folder of the state; default: in memory. */
  readonly directory?: string | undefined;
  /** Data of a new state: the name of a seed, or the path of an export or of a JSON file; default `demo`. */
  readonly seed?: string | undefined;
  /** Default 4010; 0: any free port. */
  readonly port?: number | undefined;
  /** Addresses to listen on, and further host names that requests may use; default 127.0.0.1. */
  readonly hosts?: readonly string[] | undefined;
  /** PEM files of a certificate and its private key; serves HTTPS if given. */
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  /** Also listen on ::1. */
  readonly ipv6?: boolean | undefined;
  /** Path of the base URL, such as `/content`; default: none. */
  readonly basePath?: string | undefined;
  /** Registered callback URL; default: the one that `edu auth login` uses by default. */
  readonly callbackUrl?: string | undefined;
  /** Origins whose pages may read responses. */
  readonly cors?: readonly string[] | undefined;
  /** `20ms`, or `20ms-80ms`. */
  readonly latency?: string | undefined;
  /** Each a fault as a line or JSON, or `@FILE` with a script. */
  readonly faults?: readonly string[] | undefined;
  /** Words such as `created-status=201`: behaviour where the API document leaves a choice. */
  readonly variants?: readonly string[] | undefined;
  /** Selects a mix of variants, the same for the same number. */
  readonly strange?: number | undefined;
  /** Applications to register, as `ID=CALLBACK`. */
  readonly clients?: readonly string[] | undefined;
  /** Ids or e-mail addresses of users to issue tokens for, each optionally with `=1h`, `=expired` or `=revoked`. */
  readonly tokensFor?: readonly string[] | undefined;
  /** Ids or e-mail addresses of end users whose address to verify. */
  readonly verified?: readonly string[] | undefined;
  /** Initial time of the service's clock. */
  readonly now?: string | undefined;
  /** The same number gives the same ids, codes and tokens in each run. */
  readonly randomSeed?: number | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly random: (count: number) => Uint8Array;
  /** Receives the request log: one or more lines with line breaks. */
  readonly log?: ((line: string) => void) | undefined;
}

/** A running service. */
export interface Serving {
  readonly facts: ServiceFacts;
  /** The tokens issued for `tokensFor`. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Waits until running requests have finished, then closes the state. */
  stop(): Promise<void>;
}

function originsFrom(texts: readonly string[]): readonly string[] {
  const wrong = texts.find((text) => !isOrigin(text));
  if (wrong === undefined) return texts;
  throw new OptionError(`"${wrong}" is not an origin`, 'Write scheme, host and port, such as http://localhost:3000.');
}

function basePathFrom(text: string): string {
  const path = withoutTrailingSlash(text);
  if (/^(\/[\w.~-]+)*$/.test(path) && !/\/\.{1,2}(\/|$)/.test(path)) return path;
  throw new OptionError(`"${text}" is not a path for the base URL`, 'Write it like /content.');
}

function portError(error: unknown, port: number): unknown {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') {
    return new OptionError(
      `port ${port} is in use by another program`,
      `Stop that program, or choose another port: --port ${port === 65_535 ? port - 1 : port + 1}, or --port 0 for any.`,
      error,
    );
  }
  if (code === 'EACCES') {
    return new OptionError(`you are not allowed to use port ${port}`, 'Choose one above 1023: --port 4010.', error);
  }
  return error;
}

const MAX_PEM_BYTES = 1024 * 1024;

function tlsFrom({ tlsCert, tlsKey }: ServeOptions): ListenOptions['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new OptionError('a certificate and its key belong together', 'Give both --tls-cert FILE and --tls-key FILE.');
  }
  try {
    return { cert: readRegularFile(tlsCert, MAX_PEM_BYTES), key: readRegularFile(tlsKey, MAX_PEM_BYTES) };
  } catch (error) {
    throw new OptionError(`the certificate cannot be read: ${(error as Error).message}`, '', error);
  }
}

function open(options: ServeOptions, onError: (error: unknown) => void): Promise<OpenRehearsal> {
  const { directory, seed, clock, now, randomSeed, callbackUrl, strange, variants = [], clients } = options;
  return openRehearsal({
    directory,
    seed: seed === undefined ? undefined : readSeed(seed),
    clock: now === undefined ? clock : startingAt(readTime('now', now), clock),
    random: randomSeed === undefined ? options.random : seededBytes(randomSeed),
    callbackUrl: callbackUrl === undefined ? undefined : readCallback(callbackUrl),
    latency: readLatency(options.latency),
    faults: readFaults(options.faults),
    variants: readVariantOptions(variants, strange),
    clients: readClients(clients),
    onError,
  });
}

/**
 * Resolves when requests are answered.
 * @throws OptionError for an invalid option, StateError for a state that cannot be used
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { port = DEFAULT_PORT, ipv6, hosts, cors = [], tokensFor = [], verified = [] } = options;
  const log = options.log && bufferLines(options.log);
  const basePath = basePathFrom(options.basePath ?? '');
  const corsRules = corsFor(originsFrom(cors), basePath);
  const tls = tlsFrom(options);
  readPort(port);
  const onError = (error: unknown): void =>
    log?.add(`error: ${error instanceof Error ? error.stack : String(error)}\n`);
  const opened = await open(options, onError);

  // Responses contain the base URL, which is known only once the server has a port. Earlier requests wait.
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
      hosts,
      tls,
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
  const stop = async (): Promise<void> => {
    await listener.stop();
    log?.flush();
    running.close();
  };
  try {
    const tokens = Object.fromEntries(tokensFor.map((given) => [given, tokenFor(given, running.people)]));
    for (const user of verified) running.people.verify(user);
    begin(withControl(running, basePath));
    return { facts: running.facts, tokens, stop };
  } catch (error) {
    await stop();
    throw error instanceof NotFound ? new OptionError(error.message, 'Give its id or e-mail address.', error) : error;
  }
}
