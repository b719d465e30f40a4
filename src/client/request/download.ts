/** Downloads a file as a stream. Its address may have another origin, which never gets the token. */
import { EduError, usageError } from '../../core/errors.js';
import { type Headers, readBytes } from '../../core/http.js';
import { nonsense, type Received } from './answer.js';
import { type Arriving, attemptStream } from './attempt.js';
import { type Calls, isSuccess, refusal } from './calls.js';
import type { CallOptions, Download } from './client.js';
import { aboutOf, type Wire } from './client-state.js';
import { decodeStream, encodingsOf, Undecodable } from './decode.js';
import { NoAnswer } from './no-response.js';
import { redactUrl } from './redact.js';
import type { Outgoing } from './request.js';
import { courseOf, failureOf, type Outcome } from './retry.js';
import { interruption } from './timeout.js';

const MOST_WORDS = 64 * 1024;

/** RFC 8187: `UTF-8''na%C3%AFve.pdf`. */
function extended(value: string): string | undefined {
  const [, charset = '', encoded = ''] = /^([\w-]+)'[^']*'(.*)$/.exec(value) ?? [];
  try {
    return charset.toLowerCase() === 'utf-8' ? decodeURIComponent(encoded) : undefined;
  } catch {
    return undefined;
  }
}

// Names that Windows keeps for devices, with any ending.
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Bytes of a name: file systems take 255, and a partial file's name is a little longer. */
const LONGEST_NAME = 200;

/** A name of at most a number of bytes, with its extension. */
function cut(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST_NAME) return name;
  const ending = /\.[\w-]{1,16}$/.exec(name)?.[0] ?? '';
  let stem = '';
  let room = LONGEST_NAME - ending.length;
  for (const sign of name.slice(0, name.length - ending.length)) {
    room -= Buffer.byteLength(sign);
    if (room < 0) break;
    stem += sign;
  }
  return stem + ending;
}

/** Header bytes come as one character each; what is UTF-8 by them, as many services send it, is read as that. */
function utf8(value: string): string {
  if (!/[\x80-\xff]/.test(value) || /[^\x00-\xff]/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? value : text;
}

/**
 * A name from the service as a name in one folder: no path, no hidden file, nothing a terminal or a file system trips on.
 * @returns undefined when nothing is left of it
 */
export function safeFilename(name: string): string | undefined {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const safe = cut(
    last
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu, '_')
      // A hyphen in front would be a flag to the next command that is given `*`.
      .replace(/^[-.\s]+|(?<![.\s])[.\s]+$/g, ''),
  );
  return safe === '' || DEVICE.test(safe) ? undefined : safe;
}

/** The file's name in a Content-Disposition header (RFC 6266), made safe. */
export function filenameIn(headers: Headers): string | undefined {
  const disposition = utf8(headers['content-disposition'] ?? '');
  const [, star = ''] = /;\s*filename\*\s*=\s*([^;\s]+)/i.exec(disposition) ?? [];
  const [, quoted, token] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  const name = extended(star) ?? quoted?.replace(/\\(.)/g, '$1') ?? token ?? '';
  return safeFilename(name);
}

/** The request for an address. @throws a usage error when it is no web address */
export function downloadRequest(baseUrl: string, address: string, headers: Headers): Outgoing {
  const url = address.startsWith('/') ? baseUrl + address : address;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) {
    throw usageError(
      `${JSON.stringify(address.slice(0, 200))} is not the address of a file`,
      'Give a file ID or a URL.',
    );
  }
  if (parsed.username !== '' || parsed.password !== '')
    throw usageError('The address of the file contains a user name or password');
  parsed.hash = '';
  const own = parsed.href.startsWith(`${baseUrl}/`) ? parsed.href.slice(baseUrl.length) : undefined;
  return {
    method: 'GET',
    url: parsed.href,
    path: own ?? redactUrl(parsed.href, new URL(baseUrl).origin),
    // A file is fetched as it is: a decoded copy would not have the size that was announced.
    headers: { ...headers, accept: '*/*', 'accept-encoding': 'identity' },
    repeat: 'safe',
    ...(parsed.origin === new URL(baseUrl).origin ? {} : { anonymous: true }),
  };
}

const sizeIn = (headers: Headers): number | undefined => {
  const length = headers['content-length'] ?? '';
  return /^\d+$/.test(length) && encodingsOf(headers).length === 0 ? Number(length) : undefined;
};

async function refused(arriving: Arriving): Promise<Received> {
  const bytes = await readBytes(arriving.body, MOST_WORDS).catch(() => Buffer.alloc(0));
  arriving.stop();
  return { status: arriving.status, headers: arriving.headers, bytes };
}

/** The bytes, with what goes wrong on the way told as an error of this call. */
async function* bytesOf(
  wire: Wire,
  out: Outgoing,
  arriving: Arriving,
  size: number | undefined,
): AsyncGenerator<Uint8Array> {
  const about = aboutOf(wire, out);
  let read = 0;
  const cut = (why: string, cause?: unknown) =>
    new EduError('unreachable', `${why} after ${read} ${size === undefined ? '' : `of ${size} `}bytes`, {
      ...about,
      hint: 'Nothing was saved. It is safe to run the command again.',
      cause,
    });
  try {
    for await (const chunk of decodeStream(arriving.body, arriving.headers)) {
      read += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (error instanceof NoAnswer) throw cut(error.message, error);
    if (error instanceof EduError) throw error;
    const what =
      error instanceof Undecodable ? `a body that is ${error.message}` : 'a body that cannot be decompressed';
    throw nonsense(about, arriving, what);
  } finally {
    arriving.stop();
  }
  if (size !== undefined && read !== size) throw cut('the response ended early');
}

/**
 * Fetches a file; until its first byte the request is repeated like any other read.
 * @param address the whole address, or a path under the base URL
 * @throws EduError
 */
export async function download(calls: Calls, address: string, options: CallOptions): Promise<Download> {
  const { wire } = calls;
  const out = downloadRequest(calls.baseUrl, address, calls.headers);
  const course = courseOf(wire, out, options);
  for (;;) {
    let outcome: Outcome;
    try {
      const arriving = await attemptStream(wire, out, course.number(), options);
      if (isSuccess(arriving)) {
        const size = sizeIn(arriving.headers);
        const { 'content-type': contentType } = arriving.headers;
        return { filename: filenameIn(arriving.headers), contentType, size, body: bytesOf(wire, out, arriving, size) };
      }
      const answer = await refused(arriving);
      if (answer.status !== 429 && answer.status < 500) throw await refusal(calls, out, answer, options);
      outcome = { is: 'unknown', answer };
    } catch (error) {
      if (options.signal?.aborted) throw interruption(options.signal);
      if (!(error instanceof NoAnswer)) throw error;
      outcome = { is: 'undone', lost: error };
    }
    if (!(await course.next(outcome))) throw failureOf(wire, out, outcome, course.number());
  }
}
