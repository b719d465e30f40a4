/** Tracks the upload of one attempt: bytes sent, completion, and failure of its file. */
import type { Outgoing } from './request.js';
import type { Limit } from './timeout.js';

/**
 * Waits for one full turn of the event loop before each chunk, so that a response that has arrived is read first. A
 * service that rejects an upload early responds and closes, and a write to the closed connection would lose the response.
 */
const turn = async (): Promise<void> => {
  for (let i = 0; i < 2; i++) await new Promise<void>((resolve) => setImmediate(resolve));
};

const isComplete = (): boolean => true;
const noFailure = (): unknown => undefined;

export type Upload = ReturnType<typeof uploadOf>;

/**
 * Opens the body for one attempt.
 * @param onSent called with the number of bytes sent so far, for bodies with files
 * @param limit started before the last byte of such a body is sent
 * @returns `complete`: whether the last byte was sent; before that, the service cannot have carried out the request.
 *   `failure`: the error of reading a file, if any
 */
export function uploadOf({ body }: Outgoing, onSent: ((bytes: number) => void) | undefined, limit: Limit) {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    return { body, complete: isComplete, failure: noFailure };
  }
  const form = body;
  let handedOver = 0;
  let failure: unknown;
  async function* metered(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of form.open()) {
        // Counted before it is sent, because the service may carry out the request with the last chunk.
        await turn();
        handedOver += chunk.length;
        if (handedOver >= form.size) limit.start();
        yield chunk;
        onSent?.(handedOver);
      }
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  return { body: metered(), complete: () => handedOver >= form.size, failure: (): unknown => failure };
}
