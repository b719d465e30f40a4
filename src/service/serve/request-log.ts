/** Log lines of requests without secrets: no access token, client secret, code, state, cursor or editor token. */

/** Query parameters whose values say nothing that is worth hiding. Any other value is left out. */
const HARMLESS = new Set(['organization', 'type', 'language', 'limit', 'dateToCheck']);

export interface RequestLine {
  readonly method: string;
  /** Path and query, fit to be shown. */
  readonly path: string;
  /** 0 when there was no answer: the connection broke. */
  readonly status: number;
  readonly milliseconds: number;
  /** What else there is to say, such as the fault that was played. */
  readonly note?: string | undefined;
}

const percentEncoded = (character: string): string =>
  Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&');

const visible = (text: string): string => text.replace(/[^\x21-\x7e]/gu, percentEncoded);

/**
 * A request target without what must stay secret: values of query parameters that are not known to be harmless become
 * `…`, and characters that could move a terminal's cursor are percent-encoded.
 */
export function harmlessPath(target: string): string {
  const mark = target.indexOf('?');
  const path = visible(mark < 0 ? target : target.slice(0, mark));
  if (mark < 0) return path;
  const parts = target
    .slice(mark + 1)
    .split('&')
    .map((part) => {
      const name = part.split('=', 1)[0] ?? '';
      return HARMLESS.has(name) ? visible(part) : `${visible(name)}=…`;
    });
  return `${path}?${parts.join('&')}`;
}

/** One line of the request log, with its line break. */
export function formatLine({ method, path, status, milliseconds, note }: RequestLine): string {
  const outcome = status === 0 ? 'reset' : String(status);
  return `${method} ${path} ${outcome} ${milliseconds.toFixed(1)}ms${note === undefined ? '' : ` (${note})`}\n`;
}

/**
 * Gathers lines and hands them over in one piece when the work at hand is done: a write for each line would cost more
 * than the request that it is about.
 */
export function gatherLines(write: (text: string) => void): { add(line: string): void; flush(): void } {
  let text = '';
  const flush = (): void => {
    const gathered = text;
    text = '';
    if (gathered !== '') write(gathered);
  };
  return {
    add(line) {
      if (text === '') setImmediate(flush);
      text += line;
    },
    flush,
  };
}
