/**
 * The requests and responses that the client, the transports and the bundled service exchange. Built-in `Request` and
 * `Response` are avoided because their first use costs 21 ms.
 */
export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

/** A whole body, or a stream, which can be read once. */
export type Body = string | Uint8Array | AsyncIterable<Uint8Array>;

export type Headers = Readonly<Record<string, string>>;

export interface HttpRequest {
  readonly method: Method;
  readonly url: string;
  readonly headers: Headers;
  readonly body?: Body | undefined;
  /** Do not send the access token: for the OAuth endpoints, and downloads from other origins. */
  readonly anonymous?: true | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Sends a request over the network or to the bundled service. Throws if there is no response. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/** The bytes of a body, one chunk at a time. */
export async function* chunksOf(body: Body): AsyncGenerator<Uint8Array> {
  if (typeof body === 'string') yield Buffer.from(body);
  else if (body instanceof Uint8Array) yield body;
  else yield* body;
}

/** Thrown by `readBytes` if a body is too large. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  constructor(maxBytes: number) {
    super(`the body is larger than ${maxBytes} bytes`);
  }
}

/** Reads a whole body. @throws BodyTooLarge as soon as more than `maxBytes` bytes have arrived */
export async function readBytes(body: Body, maxBytes: number): Promise<Buffer> {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length);
    if (bytes.length > maxBytes) throw new BodyTooLarge(maxBytes);
    return bytes;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new BodyTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Decodes a part of a URL; unchanged if it is not valid percent-encoding. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The lookbehind avoids the quadratic time that `\/+$` alone takes on long runs of slashes. */
export const withoutTrailingSlash = (text: string): string => text.replace(/(?<!\/)\/+$/, '');
