/** `edu offline serve`: the bundled service over HTTP, with control route and log. */
import { codeOf } from '../../core/fs/disk-errors.js';
import { type Send, withoutTrailingSlash } from '../../core/http.js';
import { Refusal } from '../error-answer.js';
import { openRehearsal, type Rehearsal, type ServiceFacts } from '../rehearsal.js';
import { StateError } from '../store/state-error.js';
import { withControl } from './control.js';
import { corsFor, isOrigin } from './cors.js';
import { type ListenOptions, listen } from './listen.js';
import { OptionError } from './option-values.js';
import { bufferLines, formatLine, type RequestLine } from './request-log.js';
import { readOptionFile, readPort, type SharedOptions, type UserOptions } from './service-options.js';

export const DEFAULT_PORT = 4010;

export interface ServeOptions extends SharedOptions, UserOptions {
  /** Default 4010; 0: any free port. */
  readonly port?: number | undefined;
  /** Addresses to listen on, and further host names that requests may use; default 127.0.0.1. */
  readonly hosts?: readonly string[] | undefined;
  /** PEM files of a certificate and its private key; serves HTTPS if given. */
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  /** Path of the base URL, such as `/content`; default: none. */
  readonly basePath?: string | undefined;
  /** Origins whose pages may read responses. */
  readonly cors?: readonly string[] | undefined;
  /** Receives the request log: one or more lines with line breaks. */
  readonly log?: ((line: string) => void) | undefined;
}

export interface Serving {
  readonly facts: ServiceFacts;
  readonly tokens: Readonly<Record<string, string>>;
  /**
   * Waits until running requests have finished, then closes the state.
   * @param last is awaited in between; its requests have no faults and the default variants
   */
  stop(last?: (sendAt: (baseUrl: string) => Send) => Promise<void>): Promise<void>;
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

function startError(error: unknown, port: number): unknown {
  if (error instanceof Refusal) return new OptionError(error.message, 'Give its ID or e-mail address.', error);
  const code = codeOf(error);
  if (code === 'EADDRNOTAVAIL') {
    const { address } = error as { address?: unknown };
    return new OptionError(`this machine does not have the address ${address}`, 'Give another --host.', error);
  }
  if (code === 'EADDRINUSE') {
    const other = port === 65_535 ? port - 1 : port + 1;
    const hint = `Stop that program, or choose another port: --port ${other}, or --port 0 for any.`;
    return new OptionError(`port ${port} is in use by another program`, hint, error);
  }
  if (code === 'EACCES') {
    return new OptionError(`you are not allowed to use port ${port}`, 'Choose one above 1023: --port 4010.', error);
  }
  if (code?.startsWith('ERR_OSSL_')) {
    const hint = 'Give the certificate and its own private key, both in PEM format and without a password.';
    return new OptionError('the certificate and its key cannot be used', hint, error);
  }
  return error;
}

/** The text for the log: a stack trace only where the state is not the reason. */
function describeFailure(error: unknown): string {
  if (error instanceof StateError) return `${error.message}. ${error.hint}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function tlsFrom({ tlsCert, tlsKey }: ServeOptions): ListenOptions['tls'] {
  if (tlsCert !== undefined && tlsKey !== undefined)
    return { cert: readOptionFile(tlsCert), key: readOptionFile(tlsKey) };
  if (tlsCert === tlsKey) return undefined;
  throw new OptionError('a certificate and its key belong together', 'Give both --tls-cert FILE and --tls-key FILE.');
}

/** Serves a rehearsal. Responses contain the base URL, which is known only once there is a port: earlier requests wait. */
export async function listenFor(rehearsal: Rehearsal, options: ListenOptions) {
  const { basePath, journal } = rehearsal;
  const listening = listen(async (request) => (await send)(request), { ...options, noteOn: journal.noteOn });
  const send: Promise<Send> = listening.then(({ origin }) => withControl(rehearsal, `${origin}${basePath}`));
  const [listener] = await Promise.all([listening, send]);
  return { ...listener, baseUrl: `${listener.origin}${basePath}` };
}

/** Resolves when requests are answered. @throws OptionError for an invalid option, StateError for an unusable state */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { port = DEFAULT_PORT, hosts, cors = [] } = options;
  const log = options.log && bufferLines(options.log);
  const basePath = basePathFrom(options.basePath ?? '');
  const corsRules = corsFor(originsFrom(cors), basePath);
  const tls = tlsFrom(options);
  readPort(port);
  const onError = (error: unknown): void => log?.add(`error: ${describeFailure(error)}\n`);
  const say = (line: string): void => log?.add(line);
  const rehearsal = await openRehearsal(options, basePath, say, onError).catch((error: unknown) => {
    throw startError(error, port);
  });
  try {
    const onRequest = log && ((line: RequestLine) => log.add(formatLine(line)));
    const listener = await listenFor(rehearsal, { port, hosts, tls, cors: corsRules, onRequest, onError });
    const stop: Serving['stop'] = async (last) => {
      await listener.stop();
      log?.flush();
      try {
        await last?.(rehearsal.plainSendAt);
      } finally {
        rehearsal.close();
      }
    };
    return { facts: rehearsal.factsAt(listener.baseUrl), tokens: rehearsal.tokens, stop };
  } catch (error) {
    rehearsal.close();
    throw startError(error, port);
  }
}
