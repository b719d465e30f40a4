/** Log lines of requests without secrets: no access token, client secret, code, state, cursor or editor token. */

/** Query parameters whose values are logged. All other values are hidden. */
const LOGGED_PARAMETERS = new Set(['organization', 'type', 'language', 'limit', 'dateToCheck']);

export interface RequestLine {
  readonly method: string;
  readonly path: string;
  /** 0 if the connection broke before a response. */
  readonly status: number;
  readonly milliseconds: number;
  readonly note?: string | undefined;
}

const visible = (text: string): string =>
  text.replace(/[^\x21-\x7e]/gu, (char) => Buffer.from(char).toString('hex').toUpperCase().replace(/../g, '%$&'));

/** Hides the values of parameters that may be secret, and encodes characters that could control a terminal. */
export function maskedPath(target: string): string {
  const queryAt = target.indexOf('?');
  const path = visible(queryAt < 0 ? target : target.slice(0, queryAt));
  if (queryAt < 0) return path;
  const parts = target
    .slice(queryAt + 1)
    .split('&')
    .map((part) => {
      const name = part.split('=', 1)[0] ?? '';
      return LOGGED_PARAMETERS.has(name) ? visible(part) : `${visible(name)}=…`;
    });
  return `${path}?${parts.join('&')}`;
}

/** Includes the line break. */
export function formatLine({ method, path, status, milliseconds, note }: RequestLine): string {
  const outcome = status === 0 ? 'reset' : String(status);
  return `${method} ${path} ${outcome} ${milliseconds.toFixed(1)}ms${note === undefined ? '' : ` (${note})`}\n`;
}

/** Buffers lines until the event loop is idle, because one write per line would cost more than the request itself. */
export function bufferLines(write: (text: string) => void): { add(line: string): void; flush(): void } {
  let text = '';
  const flush = (): void => {
    const buffered = text;
    text = '';
    if (buffered !== '') write(buffered);
  };
  return {
    add(line) {
      if (text === '') setImmediate(flush);
      text += line;
    },
    flush,
  };
}
