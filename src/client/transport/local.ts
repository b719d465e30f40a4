/** Sends requests to the bundled service in this process; loads it with the first request. */
import { EduError } from '../../core/errors.js';
import type { HttpRequest, HttpResponse } from '../../core/http.js';
import type { Transport } from './network.js';

/** Base URL of requests that never leave the process. `.invalid` is reserved, so no host has this name (RFC 2606). */
export const OFFLINE_BASE_URL = 'http://offline.invalid';

export interface LocalOptions {
  /** Folder of the service's state. */
  readonly directory: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Receives a line while another process has locked the state. */
  readonly say?: ((line: string) => void) | undefined;
}

/** Converts the error of an unusable state for the user. */
function stateError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'StateError') return error;
  const hint = 'hint' in error ? String(error.hint) : undefined;
  const message = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
  const kind = 'isLocked' in error && error.isLocked === true ? 'unavailable' : 'internal';
  return new EduError(kind, message, { hint, cause: error });
}

/** Ends when the request is cancelled, as on a connection. */
async function* abortableBody(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    signal.throwIfAborted();
    yield chunk;
  }
}

/** Creates a transport to the bundled service. The first request opens or creates its state. */
export function createLocal({ directory, now, randomBytes, say }: LocalOptions): Transport {
  const closed = new AbortController();
  let opening: Promise<{ handle: (request: HttpRequest) => Promise<HttpResponse>; close: () => void }> | undefined;

  async function open() {
    const { openOfflineService } = await import('../../service/state.js');
    try {
      return await openOfflineService({
        directory,
        clock: now,
        random: randomBytes,
        baseUrl: OFFLINE_BASE_URL,
        throwsStateErrors: true,
        signal: closed.signal,
        say,
      });
    } catch (error) {
      throw stateError(error);
    }
  }

  return {
    send: async (request) => {
      opening ??= open();
      const { handle } = await opening;
      const { body, signal } = request;
      const isStream = typeof body === 'object' && !(body instanceof Uint8Array);
      try {
        return await handle(
          isStream && signal !== undefined ? { ...request, body: abortableBody(body, signal) } : request,
        );
      } catch (error) {
        throw stateError(error);
      }
    },
    close: async () => {
      closed.abort();
      const service = await opening?.catch(() => undefined);
      service?.close();
    },
  };
}
