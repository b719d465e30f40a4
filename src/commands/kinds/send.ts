/** Sends one request, with a progress bar for uploads. */
import type { Context } from '../../cli/context.js';
import type { Client } from '../../client/request/client.js';
import type { FilePart } from '../../contract/vocabulary.js';
import type { Call, Write } from './spec.js';

const isFilePart = (value: unknown): value is FilePart =>
  typeof value === 'object' && value !== null && 'open' in value && 'size' in value && 'filename' in value;

const filesIn = ({ input }: Call): readonly FilePart[] => Object.values(input.body ?? {}).filter(isFilePart);

/** @returns the response body @throws EduError */
export async function sendCall(
  { endpoint, input, hasOwnKey: ownsKey }: Call & Pick<Write, 'hasOwnKey'>,
  client: Client,
  context: Context,
): Promise<unknown> {
  const { signal } = context;
  const files = filesIn({ endpoint, input });
  if (files.length === 0) return client.call(endpoint, input, { signal, ownsKey });
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const names = files.map(({ filename }) => filename).join(', ');
  const bar = (await context.progress()).bar(`Uploading ${names}`, size, 'bytes');
  try {
    // The multipart boundaries make the body slightly larger than the files.
    return await client.call(endpoint, input, { signal, onSent: (bytes) => bar.at(Math.min(bytes, size)) });
  } finally {
    bar.done();
  }
}
