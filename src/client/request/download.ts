/** Downloads a file as a stream. Its address may have another origin, which never gets the token. */
import { EduError, usageError } from '../../core/errors.js';
import { chunksOf, type Headers } from '../../core/http.js';
import { decodeText, looksLikeMarkup } from '../errors/error-body.js';
import { type About, invalidResponse, type Received } from './answer.js';
import type { Download, DownloadOptions } from './client.js';
import { aboutOf, type ClientState } from './client-state.js';
import { decodeStream, Undecodable } from './decode.js';
import { NoResponse } from './no-response.js';
import { sendAndRead } from './read.js';
import { redactUrl } from './redact.js';
import type { Outgoing } from './request.js';

/** RFC 8187: `UTF-8''na%C3%AFve.pdf`. */
function extended(value: string): string | undefined {
  const [, charset = '', encoded = ''] = /^([\w-]+)'[^']*'(.*)$/.exec(value) ?? [];
  try {
    return charset.toLowerCase() === 'utf-8' ? decodeURIComponent(encoded) : undefined;
  } catch {
    return undefined;
  }
}

// Windows reserves these names for devices, with any extension.
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Max bytes of a name. File systems allow 255, but a partial file has a longer name. */
const MAX_NAME_BYTES = 200;

/** Node decodes header bytes as Latin-1, but many services send UTF-8. */
function utf8(value: string): string {
  if (!/[\x80-\xff]/.test(value) || /[^\x00-\xff]/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? value : text;
}

/**
 * Turns a name from the service into a safe file name: no path, no hidden file, no special characters.
 * @returns undefined if nothing remains, or too much
 */
export function safeFilename(name: string): string | undefined {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const safe = last
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu, '_')
    // A leading hyphen would be a flag for commands that are called with `*`.
    .replace(/^[-.\s]+|(?<![.\s])[.\s]+$/g, '');
  return safe === '' || DEVICE.test(safe) || Buffer.byteLength(safe) > MAX_NAME_BYTES ? undefined : safe;
}

/** The sanitized file name in a Content-Disposition header (RFC 6266). */
export function filenameIn(headers: Headers): string | undefined {
  const disposition = utf8(headers['content-disposition'] ?? '');
  const [, star = ''] = /;\s*filename\*\s*=\s*([^;\s]+)/i.exec(disposition) ?? [];
  const [, quoted, token] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  const name = extended(star) ?? quoted?.replace(/\\(.)/g, '$1') ?? token ?? '';
  return safeFilename(name);
}

/** The request for an address. @throws a usage error if it is not an http or https address */
function downloadRequest({ baseUrl, origin, headers }: ClientState, address: string): Outgoing {
  const url = address.startsWith('/') ? baseUrl + address : address;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) {
    throw usageError(
      `${JSON.stringify(address.slice(0, 200))} is not the address of a file.`,
      'Give a file ID or a URL.',
    );
  }
  if (parsed.username !== '' || parsed.password !== '')
    throw usageError('The address of the file contains a user name or password.');
  parsed.hash = '';
  const own = parsed.href.startsWith(`${baseUrl}/`) ? parsed.href.slice(baseUrl.length) : undefined;
  return {
    method: 'GET',
    url: parsed.href,
    path: own ?? redactUrl(parsed.href, origin),
    // Without content encoding, the size matches the announced one.
    headers: { ...headers.plain, accept: '*/*', 'accept-encoding': 'identity' },
    repeat: 'safe',
    isDownload: true,
    ...(parsed.origin === origin ? {} : { anonymous: true }),
  };
}

const sizeIn = (headers: Headers): number | undefined => {
  const length = headers['content-length'] ?? '';
  return /^\d+$/.test(length) && headers['content-encoding'] === undefined ? Number(length) : undefined;
};

/** True for the page of a login or a proxy: a file that is a web page comes with a name. @param begin of the body */
const isPage = (headers: Headers, begin: Uint8Array): boolean =>
  headers['content-disposition'] === undefined &&
  /^\s*(?:text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '') &&
  looksLikeMarkup(decodeText(Buffer.from(begin)));

/** The bytes; failures are thrown as errors of this request. @param hint what to do after the response broke off */
async function* bytesOf(
  about: About,
  answer: Received,
  size: number | undefined,
  hint: () => string,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  try {
    for await (const chunk of decodeStream(answer.stream ?? chunksOf(answer.bytes), answer.headers)) {
      if (read === 0 && isPage(answer.headers, chunk)) throw invalidResponse(about, answer, 'a page instead of a file');
      read += chunk.length;
      yield chunk;
    }
    if (size !== undefined && read !== size) throw new NoResponse('the response ended early', { sent: true });
  } catch (error) {
    if (error instanceof NoResponse) {
      const message = `${error.reason} after ${read} ${size === undefined ? '' : `of ${size} `}bytes`;
      throw new EduError('unreachable', message, { ...about, isReason: true, hint: hint(), cause: error });
    }
    if (error instanceof EduError) throw error;
    const what =
      error instanceof Undecodable ? `a body that is ${error.message}` : 'a body that cannot be decompressed';
    throw invalidResponse(about, answer, what);
  }
  // No file of the service is empty: uploads of empty files are refused.
  if (read === 0) throw invalidResponse(about, answer, 'an empty file');
}

/**
 * Fetches a file, and starts again if the response breaks off or is none.
 * @param address the whole address, or a path under the base URL
 * @param use reads the file; called again for each start
 * @throws EduError
 */
export function download<T>(
  state: ClientState,
  address: string,
  use: (file: Download) => Promise<T>,
  { isFinal = () => false, ...options }: DownloadOptions,
): Promise<T> {
  const out = downloadRequest(state, address);
  const about = aboutOf(state, out);
  const hint = (): string =>
    `${isFinal() ? 'The output is incomplete' : 'No incomplete file was kept'}. It is safe to run the command again.`;
  const read = async (answer: Received): Promise<T> => {
    if (answer.status === 206) throw invalidResponse(about, answer, 'a part of the file that was not asked for');
    const size = sizeIn(answer.headers);
    return use({ filename: filenameIn(answer.headers), size, body: bytesOf(about, answer, size, hint) });
  };
  return sendAndRead(state, out, options, read, isFinal);
}
