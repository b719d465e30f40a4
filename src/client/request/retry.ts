/**
 * Retries a call by its endpoint's `repeat`, not by its HTTP method: a safe call after any failure, an unkeyed one
 * only if the service cannot have received it or has throttled it.
 */
import type { Repeat } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import { errorAbout, refusalOf, statusText, wordsIn } from '../errors/refusal.js';
import { type Received, requestIdOf } from './answer.js';
import { attempt } from './attempt.js';
import type { CallOptions, Traffic } from './client.js';
import { aboutOf, type Wire } from './client-state.js';
import { NoAnswer } from './no-response.js';
import { redact, redactUrl } from './redact.js';
import type { Outgoing } from './request.js';
import { backOff, retryAfter } from './retry-after.js';
import { interruption, seconds } from './timeout.js';

/** Failures of the service that may pass, and leave open whether it did what was asked; 501 and the like will not. 520 to 527 are proxies' own words for 502 and 504. */
export const mayHaveBeenDone = (status: number): boolean =>
  status === 500 || status === 502 || status === 503 || status === 504 || (status >= 520 && status <= 527);

/** What one attempt came to. There is either an answer, or the reason why there is none. */
export interface Outcome {
  /**
   * - `answer`: a final answer, success or refusal.
   * - `undone`: no byte left, or the service said "later" (429), or the upload broke off before its end.
   * - `unknown`: the service may have done it: a reset or timeout after bytes had left, or 5xx.
   */
  readonly is: 'answer' | 'undone' | 'unknown';
  readonly answer?: Received;
  readonly lost?: NoAnswer;
}

/** Counts in the traffic of the client, and of the call where it has one of its own. */
function count({ traffic }: Wire, options: CallOptions, add: (traffic: Traffic) => void): void {
  add(traffic);
  if (options.traffic !== undefined) add(options.traffic);
}

/** Waits before a retry. @throws EduError `interrupted` */
async function pause(wire: Wire, waitMs: number, options: CallOptions): Promise<void> {
  count(wire, options, (traffic) => {
    traffic.retries++;
    traffic.waitedMs += Math.round(waitMs);
  });
  options.onWait?.(waitMs);
  await wire.clock.sleep(waitMs, options.signal);
  if (options.signal?.aborted) throw interruption(options.signal);
}

/** Sends a request once and sorts what comes back. */
export async function tryOnce(wire: Wire, out: Outgoing, number: number, options: CallOptions): Promise<Outcome> {
  count(wire, options, (traffic) => traffic.requests++);
  try {
    const answer = await attempt(wire, out, number, options);
    if (answer.status === 429) return { is: 'undone', answer };
    return mayHaveBeenDone(answer.status) ? { is: 'unknown', answer } : { is: 'answer', answer };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { is: error.sent && !error.incomplete ? 'unknown' : 'undone', lost: error };
  }
}

/** The attempts of one call: how many, since when, and the waits between them. */
export interface Course {
  readonly number: () => number;
  /**
   * Waits until the next attempt may begin.
   * @returns false after the last retry or when the maximum wait is over
   */
  readonly next: (outcome: Outcome) => Promise<boolean>;
}

/** Answers of a service or proxy that is overloaded or down; 500 is an error in a request's own handling. */
const isOutageStatus = (status: number): boolean => status === 429 || (mayHaveBeenDone(status) && status !== 500);

/**
 * True if the service is away for a while. A connection that cannot be made before anything was ever answered is no
 * outage but a wrong address.
 */
const isOutage = ({ contact }: Wire, { answer, lost }: Outcome): boolean =>
  answer === undefined
    ? (lost?.sent === true || contact.made) && lost?.nonsense !== true
    : isOutageStatus(answer.status);

export function courseOf(wire: Wire, out: Outgoing, options: CallOptions): Course {
  const retries = options.retries ?? wire.retries;
  const { clock, maxWaitMs } = wire;
  let number = 1;
  let failures = 0;
  let failedSince: number | undefined;
  /** The wait before the next attempt in milliseconds; undefined when there is none. */
  const waitFor = (outcome: Outcome): number | undefined => {
    const now = clock.now();
    failedSince ??= now;
    const asked = outcome.answer === undefined ? 0 : (retryAfter(outcome.answer.headers, now) ?? 0);
    // "0" is no leave to ask again at once.
    const wait = asked > 0 ? asked : backOff(number, wire.random());
    const left = failedSince + maxWaitMs - now;
    if (isOutage(wire, outcome)) return left > 0 ? Math.min(wait, left) : undefined;
    failures++;
    return failures > retries || outcome.lost?.again === false || wait > left ? undefined : wait;
  };
  const next = async (outcome: Outcome): Promise<boolean> => {
    if (outcome.is === 'answer' || retries === 0) return false;
    const wait = waitFor(outcome);
    if (wait === undefined) return false;
    const reason = outcome.lost?.message ?? `status ${outcome.answer?.status}`;
    wire.trace?.({
      method: out.method,
      url: redactUrl(out.url, wire.origin, wire.secrets()),
      attempt: number,
      status: outcome.answer?.status,
      requestId: outcome.answer && requestIdOf(outcome.answer.headers),
      note: `retrying in ${seconds(Math.round(wait))}: ${redact(reason, wire.secrets())}`,
    });
    await pause(wire, wait, options);
    number++;
    return true;
  };
  return { number: () => number, next };
}

/** What can be told of a call that came to nothing, when it is certain that nothing was done, or does not matter. */
export function failureOf(wire: Wire, out: Outgoing, outcome: Outcome, attempts: number): EduError {
  const about = aboutOf(wire, out);
  const { answer, lost } = outcome;
  if (answer !== undefined) {
    const wish = retryAfter(answer.headers, wire.clock.now());
    const hint =
      wish === undefined || wish === 0
        ? undefined
        : `The service asks for a pause of ${seconds(Math.round(wish))}; run the command again after that.`;
    return refusalOf(about, answer, attempts, hint);
  }
  const tries = attempts === 1 ? '' : ` (tried ${attempts} times)`;
  return new EduError(lost?.nonsense ? 'invalid_response' : 'unreachable', `${lost?.message}${tries}`, {
    ...about,
    hint: lost?.hint ?? 'It is safe to run the command again.',
    cause: lost,
  });
}

/**
 * The error for a write that may have been done.
 * @param look how to check, as a sentence
 */
export function unknownOf(wire: Wire, out: Outgoing, outcome: Outcome, look: string): EduError {
  const about = aboutOf(wire, out);
  const { answer, lost } = outcome;
  const words = answer && wordsIn(answer);
  const why = answer && words ? `the service returned ${statusText(answer.status, words)}` : lost?.message;
  const message = `it may have been carried out: ${why}`;
  return answer === undefined
    ? new EduError('outcome_unknown', message, { ...about, hint: look, cause: lost })
    : errorAbout('outcome_unknown', about, answer, message, { hint: look, words });
}

/** Whether the outcome allows the request to be sent again. */
const mayRepeat = (repeat: Repeat, outcome: Outcome): boolean =>
  outcome.is === 'undone'
    ? repeat === 'safe' || outcome.lost?.incomplete !== true
    : repeat === 'safe' && outcome.is === 'unknown';

/**
 * Sends a safe or unkeyed request until it is answered or given up.
 * @param options with `anyStatus`, the last answer is returned when the retries are used up, instead of what it means
 * @returns the final answer, of any status that a retry would not change; `uncertain` when an earlier attempt may have
 *   gone through
 * @throws EduError `unavailable`, `server_error`, `unreachable`, or `outcome_unknown` for an unkeyed call that may have been done
 */
export async function sendWithRetries(
  wire: Wire,
  out: Outgoing,
  options: CallOptions & { readonly anyStatus?: boolean | undefined },
): Promise<Received> {
  const course = courseOf(wire, out, options);
  let uncertain = false;
  for (;;) {
    const outcome = await tryOnce(wire, out, course.number(), options);
    const { is, answer } = outcome;
    if (is === 'answer' && answer !== undefined) return uncertain ? { ...answer, uncertain } : answer;
    uncertain ||= is === 'unknown';
    if (mayRepeat(out.repeat, outcome) && (await course.next(outcome))) continue;
    if (options.anyStatus && answer !== undefined) return answer;
    if (out.repeat !== 'safe' && is === 'unknown') {
      const { whereToLook } = await import('../errors/where-to-look.js');
      throw unknownOf(wire, out, outcome, whereToLook(out));
    }
    throw failureOf(wire, out, outcome, course.number());
  }
}

/** Times that an answer is fetched again that cannot be read. */
const MAX_REREADS = 2;

/**
 * Sends a GET and reads its answer. A success that cannot be read, such as JSON that was cut or a proxy's page, is fetched
 * again: it may have been broken on its way.
 * @param read throws EduError `invalid_response` for what cannot be read
 */
export async function sendAndRead<T>(
  wire: Wire,
  out: Outgoing,
  options: CallOptions,
  read: (answer: Received) => T | Promise<T>,
): Promise<T> {
  const rereads = out.method === 'GET' ? Math.min(MAX_REREADS, options.retries ?? wire.retries) : 0;
  for (let number = 1; ; number++) {
    const answer = await sendWithRetries(wire, out, options);
    try {
      return await read(answer);
    } catch (error) {
      const isBroken = error instanceof EduError && error.kind === 'invalid_response' && answer.status < 300;
      if (!isBroken || number > rereads) throw error;
      const wait = backOff(number, wire.random());
      const note = `retrying in ${seconds(wait)}: ${error.message}`;
      wire.trace?.({ method: out.method, url: aboutOf(wire, out).path, attempt: number, status: answer.status, note });
      await pause(wire, wait, options);
    }
  }
}
