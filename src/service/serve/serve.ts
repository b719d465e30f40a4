/** `edu offline serve`: the bundled service over HTTP on this machine, with control route and log. */
import { codeOf } from '../../core/fs/disk-errors.js';
import { readRegularFile } from '../../core/fs/regular-file.js';
import type { Send } from '../../core/http.js';
import { type OpenRehearsal, openRehearsal, type Rehearsal, type ServiceFacts } from '../rehearsal.js';
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
import { NotThere } from './people.js';
import { formatLine, gatherLines } from './request-log.js';

export const DEFAULT_PORT = 4010;

export interface ServeOptions {
  /** Folder of the state; it is kept in memory if left out. */
  readonly directory?: string | undefined;
  /** What a new state is filled with: a seed's name, or the path of an export or of a file; `demo` if left out. */
  readonly seed?: string | undefined;
  /** 0 for any free one; 4010 if left out. */
  readonly port?: number | undefined;
  /** Addresses to listen on, and names that requests may be addressed to besides; 127.0.0.1 if left out. */
  readonly hosts?: readonly string[] | undefined;
  /** Files with a certificate and its private key, as PEM: HTTPS. */
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
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
  /** Words such as `created-status=201`: what the service does where the document leaves it open. */
  readonly variants?: readonly string[] | undefined;
  /** The seed of a mix of variants. */
  readonly strange?: number | undefined;
  /** Applications, as `ID=CALLBACK`. */
  readonly clients?: readonly string[] | undefined;
  /** Ids or e-mail addresses of users that get an access token; with `=1h`, `=expired` or `=revoked` it is no good after that, or at all. */
  readonly tokensFor?: readonly string[] | undefined;
  /** Ids or e-mail addresses of end users whose address is verified. */
  readonly verified?: readonly string[] | undefined;
  /** The service's time at the start. */
  readonly now?: string | undefined;
  /** Ids, codes and tokens are the same in each run with the same number. */
  readonly randomSeed?: number | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly random: (count: number) => Uint8Array;
  /** Takes the request log: one line or several, with their line breaks. */
  readonly log?: ((line: string) => void) | undefined;
}

/** A service that answers. */
export interface Serving {
  readonly facts: ServiceFacts;
  /** The access tokens that were asked for, by user. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Lets requests under way finish, then closes the state. */
  stop(): Promise<void>;
}

function originsFrom(texts: readonly string[]): readonly string[] {
  const wrong = texts.find((text) => !isOrigin(text));
  if (wrong === undefined) return texts;
  throw new OptionError(`"${wrong}" is not an origin`, 'Write scheme, host and port, such as http://localhost:3000.');
}

function basePathFrom(text: string): string {
  const path = text.replace(/(?<!\/)\/+$/, '');
  if (/^(\/[\w.~-]+)*$/.test(path) && !/\/\.{1,2}(\/|$)/.test(path)) return path;
  throw new OptionError(`"${text}" is not a path for the base URL`, 'Write it like /content.');
}

/** Says why a port is not available. */
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

/** Opens the state, told by options that were checked. */
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
 * Serves until it is stopped.
 * @returns when requests are answered
 * @throws OptionError for an option that cannot be used, StateError for a state that cannot be used
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { port = DEFAULT_PORT, ipv6, hosts, cors = [], tokensFor = [], verified = [] } = options;
  const log = options.log && gatherLines(options.log);
  const basePath = basePathFrom(options.basePath ?? '');
  const corsRules = corsFor(originsFrom(cors), basePath);
  const tls = tlsFrom(options);
  readPort(port);
  const onError = (error: unknown): void =>
    log?.add(`error: ${error instanceof Error ? error.stack : String(error)}\n`);
  const opened = await open(options, onError);

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
    throw error instanceof NotThere ? new OptionError(error.message, 'Give its id or e-mail address.', error) : error;
  }
}
