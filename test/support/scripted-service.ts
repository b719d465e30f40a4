/** A local service that responds from a table and records its requests, parsed by hand. */
import { onTestFinished } from 'vitest';
import { type Recorded, type RecordingServer, type Reply, recordingServer } from './recording-server.js';

/** A file in a multipart body. */
export interface FileSent {
  readonly filename: string;
  readonly type: string;
  /** One character for each byte. */
  readonly bytes: string;
}

/** One request in a form for comparisons. */
export interface Sent {
  /** `GET /v1/books`: method and undecoded path, below the base URL. */
  readonly line: string;
  /** Query values by name, decoded. */
  readonly query: Readonly<Record<string, string>>;
  /** A JSON body, parsed. */
  readonly json?: unknown;
  /** A multipart body: each part once, text unchanged. */
  readonly form?: Readonly<Record<string, string | FileSent>>;
}

export const TOKEN = 'token-of-the-tests';

/** Status and body of a response; a function of the request if it changes. */
export type Answer = Reply | ((sent: Sent) => Reply);

/** By request line. `*` matches every other request. */
export type Answers = Readonly<Record<string, Answer>>;

export interface ScriptedService {
  /** Base URL, its path included. */
  readonly baseUrl: string;
  readonly port: number;
  /** In order of arrival. */
  readonly sent: readonly Sent[];
  /** The same, unparsed. */
  readonly requests: readonly Recorded[];
  /** `EDU_BASE_URL` and `EDU_TOKEN`. */
  readonly env: Readonly<Record<string, string>>;
}

/** `a=1&b=%20` → `{a: '1', b: ' '}`. A plus sign is kept: some servers read it as a space, some do not. */
function parseQuery(query: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s).map(decodeURIComponent);
    if (pair.includes('+')) throw new Error(`an ambiguous plus sign in the query: ${query}`);
    if (name in values) throw new Error(`${name} twice in the query: ${query}`);
    values[name] = value;
  }
  return values;
}

/** Parses a multipart body (RFC 7578). */
function parseForm(type: string, body: Buffer): Record<string, string | FileSent> {
  const boundary = /boundary=(?:"([^"]+)"|([^;]+))/.exec(type);
  const mark = `--${boundary?.[1] ?? boundary?.[2]}`;
  const [before, ...parts] = body.toString('latin1').split(mark);
  if (before !== '' || parts.pop() !== '--\r\n') throw new Error(`the multipart body is not closed: ${body}`);
  const form: Record<string, string | FileSent> = {};
  for (const part of parts) {
    const [head = '', content = ''] = part.split(/\r\n\r\n(.*)/s);
    const bytes = content.replace(/\r\n$/, '');
    const disposition = Buffer.from(head, 'latin1').toString();
    const name = /[; ]name="([^"]*)"/.exec(disposition)?.[1];
    const filename = /filename="([^"]*)"/.exec(disposition)?.[1];
    if (name === undefined || name in form) throw new Error(`a part without a name, or twice: ${disposition}`);
    const fileType = /content-type: *([^\r\n]+)/i.exec(disposition)?.[1] ?? '';
    form[name] = filename === undefined ? Buffer.from(bytes, 'latin1').toString() : { filename, type: fileType, bytes };
  }
  return form;
}

/**
 * Parses a request.
 * @param basePath the path of the base URL, with which every request must begin
 */
function taken({ method, url, headers, body }: Recorded, basePath: string): Sent {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  if (!path.startsWith(`${basePath}/`)) throw new Error(`${path} is not below ${basePath}`);
  const line = `${method} ${path.slice(basePath.length)}`;
  const type = headers['content-type'] ?? '';
  if (body.length === 0) return { line, query: parseQuery(query) };
  return type.startsWith('multipart/')
    ? { line, query: parseQuery(query), form: parseForm(type, body) }
    : { line, query: parseQuery(query), json: type === 'application/json' ? JSON.parse(body.toString()) : type };
}

/** Answers for items that exist, by their paths: `books/b1`. */
export const existing = (...paths: readonly string[]): Answers =>
  Object.fromEntries(
    paths.map((path) => {
      const id = path.slice(path.lastIndexOf('/') + 1);
      return [`GET /v1/${path}`, { body: { id, classId: id } }];
    }),
  );

const unknown: Reply = { status: 404, body: { message: 'nothing is here' } };

/**
 * Starts one that stops when the test is over.
 * @param basePath path of the API: `''`, or a path such as `/edu/content`
 */
export async function scriptedService(answers: Answers = {}, basePath = ''): Promise<ScriptedService> {
  const sent: Sent[] = [];
  const server: RecordingServer = await recordingServer((request) => {
    const one = taken(request, basePath);
    sent.push(one);
    const answer = answers[one.line] ?? answers['*'] ?? unknown;
    return typeof answer === 'function' ? answer(one) : answer;
  });
  onTestFinished(() => server.close());
  const baseUrl = `${server.origin}${basePath}`;
  return {
    baseUrl,
    port: Number(new URL(server.origin).port),
    sent,
    requests: server.requests,
    env: { EDU_BASE_URL: baseUrl, EDU_TOKEN: TOKEN },
  };
}
