/** Reads a pasted redirect URL. Messages explain a rejected text and never repeat it. */
import { oauth } from '../../contract/oauth.js';
import { answerIn } from './browser-answer.js';
import type { TrueAnswer } from './listener.js';

/** Longer lines are no address, in characters. */
const LONGEST = 16 * 1024;

/** What terminals put around text that is pasted. */
const BRACKETS = /\x1b\[20[01]~/g;

export type Pasted =
  | { readonly kind: 'answer'; readonly answer: TrueAnswer }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'not-taken'; readonly why: string };

const notTaken = (why: string): Pasted => ({ kind: 'not-taken', why });

const WHOLE = "Paste the final URL from the browser's address bar, starting with http.";

/**
 * Reads a pasted line.
 * @param digests of the states that are waited for
 */
export function readPasted(line: string, digests: readonly Buffer[]): Pasted {
  const text = line
    .replace(BRACKETS, '')
    .trim()
    .replace(/^(["'<])(.*)["'>]$/s, '$2');
  if (text === '') return { kind: 'nothing' };
  if (text.length > LONGEST) return notTaken(`That is too long for a URL. ${WHOLE}`);
  const query = queryOf(text);
  if (query === undefined) {
    return notTaken(
      `The code alone is not enough, because the state in the URL proves that it belongs to this login. ${WHOLE}`,
    );
  }
  if (text.includes(oauth.authorize.path) && /(^|&)client_id=/.test(query)) {
    return notTaken('That is the URL to open in the browser. Paste the URL that it shows after you have logged in.');
  }
  const answer = answerIn(query, digests);
  if (answer.kind === 'foreign') {
    return notTaken('That URL belongs to another login: its state does not match.');
  }
  if (answer.kind === 'malformed') return notTaken(`That URL contains no code and state. ${WHOLE}`);
  return { kind: 'answer', answer };
}

/** The query of a whole address, or the text itself when it is a query. */
function queryOf(text: string): string | undefined {
  if (/^https?:\/\//i.test(text)) return text.split('#')[0]?.split('?').slice(1).join('?') ?? '';
  const query = text.replace(/^\?/, '');
  return /^[\w.-]+=[^\s]*&/.test(query) && /(^|&)state=/.test(query) ? query : undefined;
}
