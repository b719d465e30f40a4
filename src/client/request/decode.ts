/** Decodes content encodings (RFC 9110 section 8.4), with a limit against decompression bombs. */
import { promisify } from 'node:util';
import { codeOf } from '../../core/fs/disk-errors.js';
import type { Headers } from '../../core/http.js';

/** The bytes cannot be decoded: unknown encoding, broken stream, or larger than allowed. */
export class Undecodable extends Error {
  override readonly name = 'Undecodable';
}

type Decoder = 'gunzip' | 'inflate' | 'inflateRaw' | 'brotliDecompress';

function decoderOf(encoding: string, bytes: Uint8Array): Decoder {
  if (encoding === 'gzip' || encoding === 'x-gzip') return 'gunzip';
  if (encoding === 'br') return 'brotliDecompress';
  // "deflate" means zlib's format, but old servers send raw deflate data (RFC 9110 section 8.4.1.2).
  if (encoding === 'deflate') return ((bytes[0] ?? 0) & 0x0f) === 8 ? 'inflate' : 'inflateRaw';
  throw new Undecodable(`in the encoding ${JSON.stringify(encoding.slice(0, 40))}, which is not supported`);
}

type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

async function decodeOnce(encoding: string, bytes: Uint8Array, maxOutputLength: number): Promise<Buffer> {
  const zlib = await import('node:zlib');
  const decompress = promisify<Decompress>(zlib[decoderOf(encoding, bytes)]);
  try {
    return await decompress(bytes, { maxOutputLength });
  } catch (error) {
    const isTooLarge = codeOf(error) === 'ERR_BUFFER_TOO_LARGE';
    throw new Undecodable(
      isTooLarge
        ? `larger than ${maxOutputLength} bytes when decompressed`
        : `labelled ${encoding}, but cannot be decompressed`,
    );
  }
}

/** The encodings of a body, the last applied first, without `identity`. */
export function encodingsOf(headers: Headers): readonly string[] {
  return (headers['content-encoding'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
    .reverse();
}

/**
 * Decodes a body.
 * @param maxBytes limit of the decoded size
 * @throws Undecodable
 */
export async function decode(bytes: Buffer, headers: Headers, maxBytes: number): Promise<Buffer> {
  const encodings = encodingsOf(headers);
  // Each layer may multiply the size; real services use at most two.
  if (encodings.length > 3) throw new Undecodable('encoded more than three times');
  let plain = bytes;
  for (const encoding of encodings) if (plain.length > 0) plain = await decodeOnce(encoding, plain, maxBytes);
  return plain;
}

/** Decodes a stream for downloads, without a limit, which is the caller's task. */
export async function* decodeStream(body: AsyncIterable<Uint8Array>, headers: Headers): AsyncGenerator<Uint8Array> {
  const [encoding, another] = encodingsOf(headers);
  if (encoding === undefined) {
    yield* body;
    return;
  }
  if (another !== undefined) throw new Undecodable('encoded more than once');
  const { createBrotliDecompress, createUnzip } = await import('node:zlib');
  const { Readable, pipeline } = await import('node:stream');
  const decoder =
    decoderOf(encoding, new Uint8Array([8])) === 'brotliDecompress' ? createBrotliDecompress() : createUnzip();
  // The loop below throws the error of either side; the callback is only required by pipeline.
  const plain = pipeline(Readable.from(body), decoder, () => {});
  for await (const chunk of plain) yield chunk as Uint8Array;
}
