/**
 * Writes multipart/form-data bodies (RFC 7578) by hand, so that the service is not tested with the client's encoder.
 */
import { randomBytes } from 'node:crypto';

export interface FileGiven {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>;
}

/** Parts in order; names are flat (`settings.indexPageNumber`). */
export type FormGiven = Readonly<Record<string, string | FileGiven | undefined>>;

/** The content type and the bytes of a form. */
export function multipart(form: FormGiven): { readonly contentType: string; readonly body: AsyncIterable<Uint8Array> } {
  const boundary = `----conformance${randomBytes(12).toString('hex')}`;
  async function* write(): AsyncGenerator<Uint8Array> {
    for (const [name, part] of Object.entries(form)) {
      if (part === undefined) continue;
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`;
      if (typeof part === 'string') {
        yield Buffer.from(`${head}\r\n\r\n${part}\r\n`);
        continue;
      }
      yield Buffer.from(`${head}; filename="${part.filename}"\r\nContent-Type: ${part.contentType}\r\n\r\n`);
      if (part.bytes instanceof Uint8Array) yield part.bytes;
      else yield* part.bytes;
      yield Buffer.from('\r\n');
    }
    yield Buffer.from(`--${boundary}--\r\n`);
  }
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: write() };
}
