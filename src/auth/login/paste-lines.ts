/** Splits a stream into lines. */

/** A line longer than this is cut off and the rest dropped, in bytes: more than anyone types. */
const LONGEST = 64 * 1024;

/** The lines of a stream, the last one also when it is not ended. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n|\r/);
    rest = (parts.pop() ?? '').slice(0, LONGEST);
    yield* parts;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
