/**
 * The answer as a person pastes it: the whole address that the browser ended at. Says in the user's words why a text is
 * not taken, and never repeats it.
 */
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

const WHOLE = 'Paste the whole address that the browser ended at, from http to the end.';

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
  if (text.length > LONGEST) return notTaken(`That is too long for an address. ${WHOLE}`);
  const query = queryOf(text);
  if (query === undefined) {
    return notTaken(
      'Paste the whole final URL from the address bar of the browser. The code alone is not enough, because the state beside it proves that it belongs to this login. ' +
        WHOLE,
    );
  }
  if (text.includes(oauth.authorize.path) && /(^|&)client_id=/.test(query)) {
    return notTaken('That is the address to open in the browser. Wanted is the one that it ends at afterwards.');
  }
  const answer = answerIn(query, digests);
  if (answer.kind === 'foreign') {
    return notTaken('That address belongs to another login: its state is not the one of this login.');
  }
  if (answer.kind === 'malformed') return notTaken(`There is no code with its state in that address. ${WHOLE}`);
  return { kind: 'answer', answer };
}

/** The query of a whole address, or the text itself when it is a query. */
function queryOf(text: string): string | undefined {
  if (/^https?:\/\//i.test(text)) return text.split('#')[0]?.split('?').slice(1).join('?') ?? '';
  const query = text.replace(/^\?/, '');
  return /^[\w.-]+=[^\s]*&/.test(query) && /(^|&)state=/.test(query) ? query : undefined;
}
