/**
 * The requests and responses that the client, the transports and the bundled service exchange. Built-in `Request` and
 * `Response` are avoided because their first use costs 21 ms.
 */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS';

/** Bytes, either all at once or as they come. A stream can be read once. */
export type Body = string | Uint8Array | AsyncIterable<Uint8Array>;

/** Names in lower case. */
export type Headers = Readonly<Record<string, string>>;

export interface HttpRequest {
  readonly method: Method;
  /** Absolute. */
  readonly url: string;
  readonly headers: Headers;
  readonly body?: Body | undefined;
  /** The access token stays out of it: the two OAuth endpoints. */
  readonly anonymous?: true | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Where a request goes: the network, or the bundled service. Throws when no response came. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/** The bytes of a body, one chunk at a time. */
export async function* chunksOf(body: Body): AsyncGenerator<Uint8Array> {
  if (typeof body === 'string') yield Buffer.from(body);
  else if (body instanceof Uint8Array) yield body;
  else yield* body;
}

/** Thrown by `readBytes` when a body is larger than the reader can take. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  /** Maximum number of bytes that the reader takes. */
  readonly most: number;
  constructor(most: number) {
    super(`the body is larger than ${most} bytes`);
    this.most = most;
  }
}

/**
 * Reads a whole body.
 * @param most the most bytes to take
 * @throws BodyTooLarge as soon as more than `most` bytes have come
 */
export async function readBytes(body: Body, most: number): Promise<Buffer> {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length);
    if (bytes.length > most) throw new BodyTooLarge(most);
    return bytes;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) throw new BodyTooLarge(most);
    chunks.push(chunk);
  }
  const [first] = chunks;
  // Most answers come in one piece, which need not be copied.
  if (chunks.length === 1 && first !== undefined) return Buffer.from(first.buffer, first.byteOffset, first.length);
  return Buffer.concat(chunks, size);
}
