/** Splits a stream into lines. */

/** Max UTF-16 units of a line; the rest is dropped. */
const MAX_LENGTH = 64 * 1024;

/** The lines of a stream, including an unterminated last one. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n|\r/);
    rest = (parts.pop() ?? '').slice(0, MAX_LENGTH);
    yield* parts;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
