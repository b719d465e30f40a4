/**
 * 403 means "not allowed" and "not authenticated" alike (service-api-v1.md, "Errors" 2). GET account, which every valid
 * token may call, tells them apart.
 */
import { account } from '../../contract/account.js';
import type { EduError, ErrorKind } from '../../core/errors.js';
import type { Received } from '../request/answer.js';
import type { CallOptions } from '../request/client.js';
import { aboutOf, type ClientState, type Verdict } from '../request/client-state.js';
import { type Outgoing, requestOf } from '../request/request.js';
import { sendWithRetries } from '../request/retry.js';
import { errorAbout, loginHint, refusalOf, statusText, tokenOf, wordsIn } from './refusal.js';

/** How long a valid token is not checked again, in milliseconds: a bulk job may get a thousand 403s. */
const VALID_FOR_MS = 30_000;

async function check(state: ClientState, signal: AbortSignal | undefined): Promise<Verdict> {
  const { clock, tokenCheck } = state;
  if (tokenCheck.goodAt !== undefined && clock.now() - tokenCheck.goodAt < VALID_FOR_MS) return 'good';
  try {
    const { status } = await sendWithRetries(state, requestOf(state, account.show, {}), { signal });
    if (status === 401 || status === 403) return 'refused';
    if (status >= 300) return 'unknown';
    tokenCheck.goodAt = clock.now();
    return 'good';
  } catch (error) {
    if (signal?.aborted) throw error;
    return 'unknown';
  }
}

/** The verdict of one check for all responses that need it at a time. */
function verdict(state: ClientState, signal: AbortSignal | undefined): Promise<Verdict> {
  const { tokenCheck } = state;
  tokenCheck.asking ??= check(state, signal).finally(() => {
    tokenCheck.asking = undefined;
  });
  return tokenCheck.asking;
}

/** The error for a response that is not a success. */
export async function refusal(
  state: ClientState,
  out: Outgoing,
  answer: Received,
  { signal }: CallOptions,
): Promise<EduError> {
  const { status } = answer;
  const about = aboutOf(state, out);
  if (status !== 401 && status !== 403) return refusalOf(about, answer);
  const words = wordsIn(answer);
  const failed = (kind: ErrorKind, message: string, hint?: string) =>
    errorAbout(kind, about, answer, `${message} (${statusText(status, words)})`, { words, hint });
  if (out.anonymous) return failed(status === 401 ? 'unauthenticated' : 'forbidden', 'the service refuses access');
  const denied = (message: string) => failed('unauthenticated', message, loginHint(about));
  if (state.token === undefined) return denied('not logged in, and no access token was sent');
  if (status === 401) return refusalOf(about, answer);
  const judged = about.path === account.show.path ? 'refused' : await verdict(state, signal);
  if (judged === 'good') return refusalOf(about, answer);
  return denied(
    judged === 'refused'
      ? `the service rejects ${tokenOf(about)}`
      : `the service may have rejected ${tokenOf(about)}; GET account, which would tell, failed too`,
  );
}
