/** Sends a call once and classifies its outcome. */
import type { Endpoint } from '../../contract/vocabulary.js';
import { isKind } from '../../core/errors.js';
import { asId, getPath } from '../../core/json.js';
import { refusal } from '../errors/diagnose-403.js';
import { type AttemptResult, invalidResponse, isSuccess, objectOf } from './answer.js';
import { attempt } from './attempt.js';
import type { Attempt, CallOptions, FailedAttempt } from './client.js';
import { aboutOf, type ClientState } from './client-state.js';
import { withoutSecrets } from './redact.js';
import type { Outgoing } from './request.js';
import { errorOfResult, unknownOf } from './retry.js';
import { retryAfter } from './retry-after.js';

/** The attempt of an outcome without a final response. */
function failedOf(state: ClientState, out: Outgoing, number: number, outcome: AttemptResult): FailedAttempt {
  const { is, answer, lost } = outcome;
  const wait = answer === undefined ? undefined : retryAfter(answer.headers, state.clock.now());
  return {
    is: is === 'undone' ? 'undone' : 'unknown',
    error: errorOfResult(state, out, outcome, number),
    running: lost?.timedOut === true || answer?.status === 504 || answer?.status === 408,
    hopeless: lost?.again === false,
    incomplete: lost?.incomplete === true,
    ...(wait === undefined ? {} : { wait }),
    inDoubt: (hint) => unknownOf(state, out, outcome, hint),
    outcome,
  };
}

/** True if a create that returns its item returned one without an ID. */
const lacksId = ({ repeat, returns }: Endpoint, value: unknown): boolean =>
  repeat !== 'safe' && asId(getPath(value, returns?.id ?? 'id')) === undefined;

/**
 * Sends a request once. Secrets are redacted in its errors.
 * @param requestOf builds the request; its usage error rejects the promise
 * @param number number of the attempt, from 1
 * @throws EduError `usage`, `interrupted`, and `internal` for a file that changed meanwhile
 */
export async function sendOnce(
  state: ClientState,
  endpoint: Endpoint,
  requestOf: () => Outgoing,
  number: number,
  options: CallOptions,
): Promise<Attempt> {
  let failed: Exclude<Attempt, { is: 'done' }>;
  try {
    const out = requestOf();
    const outcome = await attempt(state, out, number, options);
    const { is, answer } = outcome;
    if (is !== 'answer' || answer === undefined) failed = failedOf(state, out, number, outcome);
    else if (!isSuccess(answer)) {
      const error = await refusal(state, out, answer, options);
      if (error.kind === 'invalid_response') throw error;
      failed = { is: 'refused', status: answer.status, error };
    } else {
      const about = () => aboutOf(state, out);
      const value = objectOf(endpoint, about, answer);
      if (!lacksId(endpoint, value)) return { is: 'done', value };
      const error = invalidResponse(about(), answer, value === undefined ? 'nothing' : 'no ID');
      failed = { is: 'unreadable', error, isEmpty: true, value };
    }
  } catch (error) {
    if (!isKind(error, 'invalid_response')) throw withoutSecrets(error, state.secrets);
    const { status } = error;
    // RFC 9110, 15.4.8 and 15.4.9: the request was not carried out and is to be repeated elsewhere.
    if (status === 307 || status === 308) failed = { is: 'refused', status, error };
    // The response is unreadable, another redirect or a 304, but the request was sent.
    else failed = { is: 'unreadable', error, isEmpty: false };
  }
  return { ...failed, error: withoutSecrets(failed.error, state.secrets) };
}
