/** Decodes gzip, the only content encoding that `edu` asks for (RFC 9110 section 8.4), with a limit against decompression bombs. */
import { promisify } from 'node:util';
import { codeOf } from '../../core/fs/disk-errors.js';
import type { Headers } from '../../core/http.js';

/** The bytes cannot be decoded: unknown encoding, broken stream, or larger than allowed. */
export class Undecodable extends Error {}

/** @returns false for a body that is not encoded @throws Undecodable for another encoding */
function isGzip(headers: Headers): boolean {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return false;
  if (encoding === 'gzip' || encoding === 'x-gzip') return true;
  throw new Undecodable(`in the encoding ${JSON.stringify(encoding.slice(0, 40))}, which is not supported`);
}

type Gunzip = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

/**
 * Decodes a body.
 * @param maxBytes limit of the decoded size
 * @throws Undecodable
 */
export async function decode(bytes: Buffer, headers: Headers, maxBytes: number): Promise<Buffer> {
  if (!isGzip(headers) || bytes.length === 0) return bytes;
  const { gunzip } = await import('node:zlib');
  try {
    return await promisify<Gunzip>(gunzip)(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const isTooLarge = codeOf(error) === 'ERR_BUFFER_TOO_LARGE';
    const why = isTooLarge ? `larger than ${maxBytes} bytes when decompressed` : 'gzip that cannot be decompressed';
    throw new Undecodable(why);
  }
}

/** Decodes a stream for downloads, without a limit, which is the caller's task. */
export async function* decodeStream(body: AsyncIterable<Uint8Array>, headers: Headers): AsyncGenerator<Uint8Array> {
  if (!isGzip(headers)) {
    yield* body;
    return;
  }
  const { createGunzip } = await import('node:zlib');
  const { Readable, pipeline } = await import('node:stream');
  // The loop below throws the error of either side; the callback is only required by pipeline.
  for await (const chunk of pipeline(Readable.from(body), createGunzip(), () => {})) yield chunk as Uint8Array;
}
