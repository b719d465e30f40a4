/**
 * Retries a call by its endpoint's `repeat`, not by its HTTP method: a safe call after any failure, an unkeyed one
 * only if the service cannot have received it or has throttled it.
 */
import type { Repeat } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import { errorAbout, refusalOf, statusText, wordsIn } from '../errors/refusal.js';
import { type AttemptResult, type Received, requestIdOf, requestNote } from './answer.js';
import { attempt, mayHaveBeenDone, trafficsOf } from './attempt.js';
import type { CallOptions } from './client.js';
import { aboutOf, type ClientState } from './client-state.js';
import { redact, redactUrl } from './redact.js';
import type { Outgoing } from './request.js';
import { backOff, retryAfter } from './retry-after.js';
import { interruption, seconds } from './timeout.js';

/**
 * True if a failure is an outage. If no connection was possible before the first response, the address is probably
 * wrong instead. A 500 is none: it may concern a single request.
 */
const isOutage = ({ contact }: ClientState, { answer, lost }: AttemptResult): boolean =>
  answer === undefined
    ? (lost?.sent === true || contact.made) && lost?.isInvalid !== true
    : answer.status === 429 || (mayHaveBeenDone(answer.status) && answer.status !== 500);

/** Default of `ClientState.retries`. */
export const RETRIES = 3;

/** After a 429 the throttle lowers the rate, and a long wait would hide from it how often the service refuses. */
const pacedWait = (number: number, random: number): number => backOff(Math.min(number, 5), random, 100);

/** Counts the attempts of one call and waits between them. */
export function attemptsOf(state: ClientState, out: Outgoing, options: CallOptions) {
  const retries = options.retries ?? state.retries ?? RETRIES;
  const maxRetries = state.retries ?? Number.POSITIVE_INFINITY;
  const { clock, maxWaitMs } = state;
  let number = 1;
  let failures = 0;
  let failedSince: number | undefined;
  const isLast = (): boolean => number > maxRetries;
  /** The wait before the next attempt in milliseconds; undefined if there is none. */
  const waitFor = (outcome: AttemptResult): number | undefined => {
    const now = clock.now();
    failedSince ??= now;
    const asked = outcome.answer === undefined ? 0 : (retryAfter(outcome.answer.headers, now) ?? 0);
    // Retry-After: 0 backs off like a missing one.
    const isPaced = options.throttle !== undefined && outcome.answer?.status === 429;
    const own = isPaced ? pacedWait(number, state.random()) : backOff(number, state.random());
    const wait = asked > 0 ? asked : own;
    const left = failedSince + maxWaitMs - now;
    if (isOutage(state, outcome)) return left > 0 ? Math.min(wait, left) : undefined;
    failures++;
    return failures > retries || outcome.lost?.again === false || wait > left ? undefined : wait;
  };
  /** Waits before the next attempt. @param reason why the one before failed @throws EduError `interrupted` */
  const pauseFor = async (waitMs: number, reason: string, answer: Received | undefined): Promise<void> => {
    state.trace?.({
      method: out.method,
      url: redactUrl(out.url, state.origin, state.secrets),
      attempt: number,
      status: answer?.status,
      requestId: answer && requestIdOf(answer.headers),
      note: `retrying in ${seconds(Math.round(waitMs))}: ${redact(reason, state.secrets)}`,
    });
    for (const traffic of trafficsOf(state, options)) {
      traffic.retries++;
      traffic.waitedMs += Math.round(waitMs);
    }
    await clock.sleep(waitMs, options.signal);
    if (options.signal?.aborted) throw interruption(options.signal);
    number++;
  };
  /** Waits until the next attempt may begin. @returns false after the last retry or when the maximum wait is over */
  const next = async (outcome: AttemptResult): Promise<boolean> => {
    if (outcome.is === 'answer' || retries === 0 || isLast()) return false;
    const wait = waitFor(outcome);
    if (wait === undefined) return false;
    state.onWait?.(`${outcome.answer?.status ?? 'no response'}`);
    await pauseFor(wait, outcome.lost?.message ?? `status ${outcome.answer?.status}`, outcome.answer);
    return true;
  };
  return { number: () => number, isLast, next, wait: pauseFor };
}

/** The error of a call that was not carried out, or is safe to repeat. */
export function errorOfResult(state: ClientState, out: Outgoing, outcome: AttemptResult, attempts: number): EduError {
  const about = aboutOf(state, out);
  const { answer, lost, requestId } = outcome;
  if (answer !== undefined) {
    const retryAfterMs = retryAfter(answer.headers, state.clock.now());
    const hint =
      retryAfterMs === undefined || retryAfterMs === 0
        ? undefined
        : `The service asks for a pause of ${seconds(Math.round(retryAfterMs))}; run the command again after that.`;
    return refusalOf(about, answer, attempts, hint);
  }
  const end = `${requestNote(requestId)}${attempts === 1 ? '' : ` (tried ${attempts} times)`}`;
  return new EduError(lost?.isInvalid ? 'invalid_response' : 'unreachable', `${lost?.message}${end}`, {
    ...about,
    isReason: true,
    hint: lost?.hint ?? 'It is safe to run the command again.',
    cause: lost,
    requestId,
  });
}

/**
 * The error for a write that may have been carried out.
 * @param look a sentence that says how to check
 */
export function unknownOf(state: ClientState, out: Outgoing, outcome: AttemptResult, look: string): EduError {
  const about = aboutOf(state, out);
  const { answer, lost, requestId } = outcome;
  const words = answer && wordsIn(answer);
  const why =
    answer && words
      ? `the service returned ${statusText(answer.status, words)}`
      : `${lost?.message}${requestNote(requestId)}`;
  const message = `it may have been carried out: ${why}`;
  return answer === undefined
    ? new EduError('outcome_unknown', message, { ...about, isReason: true, requestId, hint: look, cause: lost })
    : errorAbout('outcome_unknown', about, answer, message, { hint: look, words });
}

/** True if the outcome allows the request to be sent again. */
const mayRepeat = (repeat: Repeat, outcome: AttemptResult): boolean =>
  outcome.is === 'undone'
    ? repeat === 'safe' || outcome.lost?.incomplete !== true
    : repeat === 'safe' && outcome.is === 'unknown';

/**
 * Sends a safe or unkeyed request, with retries.
 * @param how with `anyStatus`, the last response is returned after the last retry instead of thrown as an error
 * @returns the final response, of any status that a retry would not change
 * @throws EduError `unavailable`, `server_error`, `unreachable`, or `outcome_unknown` for an unkeyed call that may have been carried out
 */
export async function sendWithRetries(
  state: ClientState,
  out: Outgoing,
  options: CallOptions,
  { attempts = attemptsOf(state, out, options), anyStatus = false } = {},
): Promise<Received> {
  let uncertain = false;
  for (;;) {
    const began = (await options.throttle?.begin(options.signal)) ?? 0;
    const outcome = await attempt(state, out, attempts.number(), options);
    const { is, answer } = outcome;
    if (answer !== undefined) options.throttle?.ended(answer, began);
    if (is === 'answer' && answer !== undefined) {
      // A 404 for a repeated deletion means that the first attempt succeeded.
      const isDone = uncertain && out.method === 'DELETE' && answer.status === 404;
      return isDone ? { ...answer, status: 204, bytes: Buffer.alloc(0) } : answer;
    }
    uncertain ||= is === 'unknown';
    if (mayRepeat(out.repeat, outcome) && (await attempts.next(outcome))) continue;
    if (anyStatus && answer !== undefined) return answer;
    if (out.repeat !== 'safe' && is === 'unknown') {
      const { howToCheck } = await import('../errors/how-to-check.js');
      throw unknownOf(state, out, outcome, howToCheck(out));
    }
    throw errorOfResult(state, out, outcome, attempts.number());
  }
}
