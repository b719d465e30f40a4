/** From an answer that is no success to the error that tells it: what failed, why in the service's words, what to do. */
import { EduError, type ErrorKind } from '../../core/errors.js';
import { type About, nameOf, nonsense, type Received, requestIdOf, requestNote } from '../request/answer.js';
import { type Words, wordsOf } from './error-body.js';
import { nextStep } from './next-step.js';

/** Reason phrases for answers that say nothing else (service-api-v1.md, "Errors", and RFC 9110). */
const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export const LOGIN_HINT = 'Log in with `edu auth login`, or set EDU_TOKEN.';

/** An error about an answer, with the facts that every one of them has. */
export function errorAbout(
  kind: ErrorKind,
  about: About,
  answer: Pick<Received, 'status' | 'headers'>,
  message: string,
  more: { hint?: string | undefined; words?: Words | undefined; cause?: unknown } = {},
): EduError {
  return new EduError(kind, message + requestNote(answer.headers), {
    ...about,
    status: answer.status,
    requestId: requestIdOf(answer.headers),
    hint: more.hint,
    details: more.words?.problems,
    cause: more.cause,
  });
}

/** `: maximumActivations is missing`, or the status' own name. */
function tail(status: number, words: Words): string {
  if (words.text !== '') return `: ${words.text}`;
  const name = NAMES[status];
  return name === undefined ? '' : `: ${name}`;
}

/** `503: overloaded`, for sentences that have their own beginning. */
export const statusText = (status: number, words: Words): string => `${status}${tail(status, words)}`;

export const wordsIn = (answer: Received): Words => wordsOf(answer.bytes, answer.headers['content-type']);

const times = (attempts: number): string => (attempts === 1 ? '' : `, ${attempts} times`);

/** The kind of a status by itself; 403 needs a second look (see `access.ts`). */
function kindOf(status: number): ErrorKind {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 409) return 'conflict';
  if (status === 429 || status === 503) return 'unavailable';
  return status >= 500 ? 'server_error' : 'refused';
}

/**
 * The error for a status that is not 2xx.
 * @param attempts how often the request was sent
 * @param hint what to do next, where the caller knows better
 */
export function refusalOf(about: About, answer: Received, attempts = 1, hint?: string): EduError {
  const { status } = answer;
  if (status < 400) {
    const what = status === 304 ? '"not modified", though nothing was known of it before' : `the status ${status}`;
    return nonsense(about, answer, what);
  }
  const words = wordsIn(answer);
  const name = nameOf(about);
  const said = tail(status, words);
  const kind = kindOf(status);
  const make = (message: string, ownHint?: string) =>
    errorAbout(kind, about, answer, message, { words, hint: hint ?? ownHint });
  switch (kind) {
    case 'unauthenticated':
      return make(`The service no longer accepts the access token: ${name} (${status}${said})`, LOGIN_HINT);
    case 'forbidden':
      return make(`${name} is not allowed (${status})${said}`, nextStep(kind, about));
    case 'not_found':
      return make(`${name} was not found (${status})${said}`, nextStep(kind, about));
    case 'unavailable':
      return make(
        `The service said "later" to ${name}${times(attempts)} (${status})${said}`,
        'It is safe to run the command again in a while.',
      );
    case 'server_error':
      return make(
        `The service failed at ${name}${times(attempts)} (${status})${said}`,
        'Try again later, or tell the people who run the service.',
      );
    default:
      return make(`${name} was refused (${status})${said}`, nextStep(kind, about));
  }
}
