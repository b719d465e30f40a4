/** Sends a call once and classifies its outcome. */
import type { Endpoint } from '../../contract/vocabulary.js';
import { EduError, isKind } from '../../core/errors.js';
import { getPath } from '../../core/json.js';
import { nonsense, objectOf } from './answer.js';
import { attempt, type Outcome } from './attempt.js';
import { type Calls, isSuccess, refusal } from './calls.js';
import type { Attempt, CallOptions } from './client.js';
import { aboutOf } from './client-state.js';
import type { Outgoing } from './request.js';
import { failureOf, unknownOf } from './retry.js';
import { retryAfter } from './retry-after.js';

/** The outcome of one attempt, and its raw outcome if it was not final. */
export interface Attempted {
  readonly attempt: Attempt;
  readonly outcome?: Outcome;
}

/**
 * Sends a request once.
 * @param number number of the attempt, from 1
 * @throws EduError `usage`, `interrupted`, and `internal` for a file that changed meanwhile
 */
export async function sendOnce(
  calls: Calls,
  endpoint: Endpoint,
  out: Outgoing,
  number: number,
  options: CallOptions,
): Promise<Attempted> {
  const { state } = calls;
  let outcome: Outcome;
  try {
    outcome = await attempt(state, out, number, options);
  } catch (error) {
    if (!isKind(error, 'invalid_response')) throw error;
    const { status } = error;
    // RFC 9110, 15.4.8 and 15.4.9: the request was not carried out and is to be repeated elsewhere.
    if (status === 307 || status === 308) return { attempt: { is: 'refused', status, error } };
    // The response is too long, or has a broken encoding, or is another redirect, but the request was sent.
    return unreadable(error);
  }
  const { is, answer, lost } = outcome;
  if (is !== 'answer' || answer === undefined) {
    const wait = answer === undefined ? undefined : retryAfter(answer.headers, state.clock.now());
    const failed: Attempt = {
      is: is === 'undone' ? 'undone' : 'unknown',
      error: failureOf(state, out, outcome, number),
      running: lost?.timedOut === true || answer?.status === 504,
      hopeless: lost?.again === false,
      incomplete: lost?.incomplete === true,
      ...(wait === undefined ? {} : { wait }),
      inDoubt: (hint) => unknownOf(state, out, outcome, hint),
    };
    return { attempt: failed, outcome };
  }
  if (!isSuccess(answer)) {
    const error = await refusal(calls, out, answer, options);
    return { attempt: { is: 'refused', status: answer.status, error } };
  }
  try {
    const value = objectOf(endpoint, () => aboutOf(state, out), answer);
    if (endpoint.repeat !== 'safe' && (getPath(value, endpoint.returns?.id ?? 'id') ?? null) === null)
      return unreadable(nonsense(aboutOf(state, out), answer, value === undefined ? 'nothing' : 'no ID'), true, value);
    return { attempt: { is: 'done', value } };
  } catch (error) {
    if (!(error instanceof EduError)) throw error;
    return unreadable(error);
  }
}

const unreadable = (error: EduError, isEmpty = false, value?: unknown): Attempted => ({
  attempt: { is: 'unreadable', error, isEmpty, value },
});
