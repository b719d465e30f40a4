/** Reads a pasted redirect URL, which messages never contain. */
import { oauth } from '../../contract/oauth.js';
import { answerIn, type TrueAnswer } from './browser-answer.js';

/** Escape sequences that terminals put around pasted text. */
const BRACKETS = /\x1b\[20[01]~/g;

export type Pasted =
  | { readonly kind: 'answer'; readonly answer: TrueAnswer }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'not-taken'; readonly why: string };

const notTaken = (why: string): Pasted => ({ kind: 'not-taken', why });

const WHOLE = "Paste the final URL from the browser's address bar, starting with http.";

/** @param digests digests of the expected states */
export function readPasted(line: string, digests: readonly Buffer[]): Pasted {
  const text = line
    .replace(BRACKETS, '')
    .trim()
    .replace(/^(["'<])(.*)["'>]$/s, '$2');
  if (text === '') return { kind: 'nothing' };
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

/** The query of a URL, or the text itself if it is a query. */
function queryOf(text: string): string | undefined {
  if (/^https?:\/\//i.test(text)) return text.split('#')[0]?.split('?').slice(1).join('?') ?? '';
  const query = text.replace(/^\?/, '');
  return /^[\w.-]+=[^\s]*&/.test(query) && /(^|&)state=/.test(query) ? query : undefined;
}

/** Max UTF-16 units of a line; the rest is dropped. */
const MAX_LINE_LENGTH = 64 * 1024;

/** The lines of a stream, including an unterminated last one. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n|\r/);
    rest = (parts.pop() ?? '').slice(0, MAX_LINE_LENGTH);
    yield* parts;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
