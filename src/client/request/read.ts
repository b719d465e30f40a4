/** Sends requests that only read, and reads their responses. */
import type { Endpoint } from '../../contract/vocabulary.js';
import { isKind } from '../../core/errors.js';
import { refusal } from '../errors/diagnose-403.js';
import { isSuccess, objectOf, type Received } from './answer.js';
import type { CallOptions } from './client.js';
import { aboutOf, type ClientState } from './client-state.js';
import { NoResponse } from './no-response.js';
import { type Outgoing, requestOf, type Values } from './request.js';
import { attemptsOf, sendWithRetries } from './retry.js';
import { backOff } from './retry-after.js';

/** Max number of retries after an unreadable response. */
const MAX_REREADS = 2;

/**
 * Sends a GET and reads its response. An unreadable success, such as truncated JSON or a proxy's page, is fetched again,
 * because it may be a temporary fault; so is a download that breaks off.
 * @param read throws EduError `invalid_response` for an unreadable response
 * @param isFinal true if what was read of a response cannot be taken back
 * @throws EduError for a response that is not a success
 */
export async function sendAndRead<T>(
  state: ClientState,
  out: Outgoing,
  options: CallOptions,
  read: (answer: Received) => T | Promise<T>,
  isFinal?: () => boolean,
): Promise<T> {
  const rereads = Math.min(MAX_REREADS, options.retries ?? MAX_REREADS);
  const attempts = attemptsOf(state, out, options);
  for (let number = 1; ; number++) {
    const answer = await sendWithRetries(state, out, options, { attempts });
    if (!isSuccess(answer)) throw await refusal(state, out, answer, options);
    try {
      return await read(answer);
    } catch (error) {
      if (isFinal?.()) throw error;
      const { cause: lost } = error as Error;
      if (lost instanceof NoResponse && (await attempts.next({ is: 'unknown', lost }))) continue;
      if (!isKind(error, 'invalid_response') || number > rereads || attempts.isLast()) throw error;
      await attempts.wait(backOff(number, state.random()), error.message, answer);
    }
  }
}

/** Calls an endpoint that only reads, and checks its response. @throws EduError */
export function read(state: ClientState, endpoint: Endpoint, values: Values, options: CallOptions): Promise<unknown> {
  const out = requestOf(state, endpoint, values);
  return sendAndRead(state, out, options, (answer) => objectOf(endpoint, () => aboutOf(state, out), answer));
}
