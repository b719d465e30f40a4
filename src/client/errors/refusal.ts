/** Errors for responses that are not 2xx. Messages give the reason only: the command line adds the attempt. */
import { EduError, type ErrorKind } from '../../core/errors.js';
import { type About, invalidResponse, type Received, requestIdOf, requestNote } from '../request/answer.js';
import { type Words, wordsOf } from './error-body.js';
import { nextStep } from './next-step.js';

/** The token that was sent, in a message: `the access token in EDU_TOKEN`. */
export const tokenOf = ({ tokenFrom }: About): string =>
  tokenFrom === undefined ? 'the access token' : `the access token in ${tokenFrom}`;

export const loginHint = ({ tokenFrom }: About): string =>
  tokenFrom === undefined
    ? 'Log in with `edu auth login`, or set EDU_TOKEN.'
    : `${tokenFrom} takes precedence over a login: set it to a valid token, or unset it and run \`edu auth login\`.`;

/** An error about a response, with the properties that all such errors have. */
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

/** `: maximumActivations is missing`, or the reason phrase of the status. */
function tail(status: number, words: Words): string {
  if (words.text !== '') return `: ${words.text}`;
  // Loaded here because node:http takes 4 ms.
  const name = process.getBuiltinModule('node:http').STATUS_CODES[status];
  return name === undefined ? '' : `: ${name}`;
}

/** `503: overloaded`. */
export const statusText = (status: number, words: Words): string => `${status}${tail(status, words)}`;

export const wordsIn = (answer: Received): Words => wordsOf(answer.bytes, answer.headers['content-type']);

const times = (attempts: number): string => (attempts === 1 ? '' : `, tried ${attempts} times`);

/** The kind of error for a status; for 403 see `diagnose-403.ts`. */
function kindOf(status: number): ErrorKind {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 409) return 'conflict';
  if (status === 429 || status === 503) return 'unavailable';
  return status >= 500 ? 'server_error' : 'refused';
}

const REASONS: { readonly [K in ErrorKind]?: string } = {
  forbidden: 'not allowed',
  not_found: 'not found',
  conflict: 'the service reports a conflict',
};

/**
 * The error for a status that is not 2xx.
 * @param attempts how often the request was sent
 * @param hint replaces the default hint
 */
export function refusalOf(about: About, answer: Received, attempts = 1, hint?: string): EduError {
  const { status } = answer;
  if (status < 400) {
    const what = status === 304 ? '"not modified" to an unconditional request' : `the status ${status}`;
    return invalidResponse(about, answer, what);
  }
  const words = wordsIn(answer);
  const said = tail(status, words);
  const kind = kindOf(status);
  const make = (message: string, ownHint?: string) =>
    errorAbout(kind, about, answer, message + said, { words, hint: hint ?? ownHint });
  switch (kind) {
    case 'unauthenticated':
      return make(`the service rejects ${tokenOf(about)} (${status})`, loginHint(about));
    case 'unavailable':
      return make(
        `the service is ${status === 429 ? 'throttling requests' : 'unavailable'} (${status}${times(attempts)})`,
        'It is safe to run the command again later.',
      );
    case 'server_error':
      return make(
        `the service failed (${status}${times(attempts)})`,
        'Run the command again later, or report this to the operator of the service.',
      );
    default:
      return make(`${REASONS[kind] ?? 'the service rejected the request'} (${status})`, nextStep(kind, about));
  }
}
