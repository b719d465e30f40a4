/**
 * 403 means "not allowed" and "not authenticated" alike (service-api-v1.md, "Errors" 2). GET account, which every valid
 * token may call, tells them apart.
 */
import { account } from '../../contract/account.js';
import type { EduError, ErrorKind } from '../../core/errors.js';
import type { Received } from '../request/answer.js';
import type { CallOptions } from '../request/client.js';
import { aboutOf, type ClientState } from '../request/client-state.js';
import type { Outgoing } from '../request/request.js';
import { sendWithRetries } from '../request/retry.js';
import { errorAbout, loginHint, refusalOf, statusText, tokenOf, wordsIn } from './refusal.js';

/** How long a valid token is not checked again, in milliseconds: a bulk job may get a thousand 403s. */
const VALID_FOR_MS = 30_000;

/** True if the token is valid according to GET account; `unknown` if that fails for another reason. */
type Verdict = 'good' | 'refused' | 'unknown';

export type Access = ReturnType<typeof accessOf>;

/**
 * @param token the access token in use, if any
 * @param showAccount the request of GET account
 */
export function accessOf(state: ClientState, token: string | undefined, showAccount: () => Outgoing) {
  let lastGood: number | undefined;
  let asking: Promise<Verdict> | undefined;

  async function ask(signal: AbortSignal | undefined): Promise<Verdict> {
    const now = state.clock.now();
    if (lastGood !== undefined && now - lastGood < VALID_FOR_MS) return 'good';
    try {
      const { status } = await sendWithRetries(state, showAccount(), { signal });
      if (status === 401 || status === 403) return 'refused';
      if (status >= 300) return 'unknown';
      lastGood = state.clock.now();
      return 'good';
    } catch (error) {
      if (signal?.aborted) throw error;
      return 'unknown';
    }
  }

  async function verdict(signal: AbortSignal | undefined): Promise<Verdict> {
    asking ??= ask(signal).finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return {
    /** The error for a 401 or 403. */
    async denial(out: Outgoing, answer: Received, { signal }: CallOptions): Promise<EduError> {
      const about = aboutOf(state, out);
      const words = wordsIn(answer);
      const said = statusText(answer.status, words);
      const failed = (kind: ErrorKind, message: string, hint?: string) =>
        errorAbout(kind, about, answer, `${message} (${said})`, { words, hint });
      if (out.anonymous) {
        return failed(answer.status === 401 ? 'unauthenticated' : 'forbidden', 'the service refuses access');
      }
      const denied = (message: string) => failed('unauthenticated', message, loginHint(about));
      if (token === undefined) return denied('not logged in, and no access token was sent');
      if (answer.status === 401) return refusalOf(about, answer);
      const judged = about.path === account.show.path ? 'refused' : await verdict(signal);
      if (judged === 'good') return refusalOf(about, answer);
      return denied(
        judged === 'refused'
          ? `the service rejects ${tokenOf(about)}`
          : `the service may have rejected ${tokenOf(about)}; GET account, which would tell, failed too`,
      );
    },
  };
}
