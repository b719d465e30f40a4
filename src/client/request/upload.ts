/** Tracks the upload of one attempt: bytes sent, completion, and failure of its file. */
import type { Body } from '../../core/http.js';
import type { Outgoing } from './request.js';

export interface Upload {
  readonly body: Body | undefined;
  /** True from when the last byte was handed over: only then can the service have taken the request. */
  readonly complete: () => boolean;
  /** What went wrong with a file while it was read. */
  readonly failure: () => unknown;
}

/**
 * One full turn of the event loop. A service that refuses an upload early answers and closes; the answer is lost if the
 * next write meets the closed connection before the answer is read. So what has arrived is read before each chunk leaves.
 */
const turn = async (): Promise<void> => {
  for (let i = 0; i < 2; i++) await new Promise<void>((resolve) => setImmediate(resolve));
};

/**
 * The body for one attempt, opened anew.
 * @param onSent called with the bytes that have left so far, for bodies that hold files
 * @param onComplete called when such a body's last byte is handed over
 */
export function uploadOf(
  out: Pick<Outgoing, 'body'>,
  onSent?: (bytes: number) => void,
  onComplete?: () => void,
): Upload {
  const { body } = out;
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    return { body, complete: () => true, failure: () => undefined };
  }
  const form = body;
  let handedOver = 0;
  let failure: unknown;
  async function* metered(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of form.open()) {
        // Counted before it is sent: the service may act on the last chunk at once.
        await turn();
        handedOver += chunk.length;
        if (handedOver >= form.size) onComplete?.();
        yield chunk;
        onSent?.(handedOver);
      }
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  return { body: metered(), complete: () => handedOver >= form.size, failure: () => failure };
}
