/**
 * One attempt of a call, for those who pace and repeat many calls themselves: what it came to, and nothing is sent again.
 * It knows neither rows nor jobs.
 */
import type { Endpoint } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import { objectOf } from './answer.js';
import { type Calls, isSuccess, refusal } from './calls.js';
import type { Attempt, CallOptions } from './client.js';
import { aboutOf } from './client-state.js';
import type { Values } from './request.js';
import { failureOf, tryOnce } from './retry.js';
import { retryAfter } from './retry-after.js';

/** Sends the call once. @throws EduError `usage`, `interrupted`, and `failed` for a file that changed meanwhile */
export async function callOnce(
  calls: Calls,
  endpoint: Endpoint,
  values: Values,
  options: CallOptions,
): Promise<Attempt> {
  const { wire } = calls;
  const out = calls.request(endpoint, values);
  let outcome: Awaited<ReturnType<typeof tryOnce>>;
  try {
    outcome = await tryOnce(wire, out, 1, options);
  } catch (error) {
    // An answer that can't be read: over-long, in a broken encoding, a redirect. The request had left.
    if (error instanceof EduError && error.kind === 'invalid_response') return { is: 'unreadable', error };
    throw error;
  }
  const { is, answer, lost } = outcome;
  if (is !== 'answer' || answer === undefined) {
    const wait = answer === undefined ? undefined : retryAfter(answer.headers, wire.clock.now());
    return {
      is: is === 'undone' ? 'undone' : 'unknown',
      error: failureOf(wire, out, outcome, 1),
      running: lost?.timedOut === true || answer?.status === 504,
      hopeless: lost?.again === false,
      ...(wait === undefined ? {} : { wait }),
    };
  }
  if (!isSuccess(answer)) {
    return { is: 'refused', status: answer.status, error: await refusal(calls, out, answer, options) };
  }
  try {
    return { is: 'done', value: objectOf(endpoint, aboutOf(wire, out), answer) };
  } catch (error) {
    if (!(error instanceof EduError)) throw error;
    return { is: 'unreadable', error };
  }
}
