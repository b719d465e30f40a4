/** Parses XML into events as its bytes arrive. Prefixes are removed: Office writes `row`, others write `x:row`. */
import { Parser } from 'saxen';

/** By local name; of two attributes with one local name the one with a prefix wins (`r:id` beside `id`). */
export type Attributes = Readonly<Record<string, string | undefined>>;

export interface XmlHandler {
  readonly open?: (name: string, attributes: () => Attributes) => void;
  readonly close?: (name: string) => void;
  /** May be called several times for one text. */
  readonly text?: (text: string) => void;
}

/** Limit of a tag or text, which the parser holds in memory and scans again for each chunk. */
const MAX_TOKEN = 2 * 1024 ** 2;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Parses a document. Yields after each chunk, so that the caller can process what its handler has collected.
 * @throws Error if the document is not well formed or not UTF-8
 */
export async function* parseXml(bytes: AsyncIterable<Uint8Array>, handler: XmlHandler): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new Parser();
  let failure: Error | undefined;
  let pending = 0;
  const { open, close, text } = handler;
  parser.on('error', (error) => {
    failure ??= error;
  });
  parser.on('openTag', (name, attributes, decode) => {
    pending = 0;
    open?.(localName(name), () => {
      const found: Record<string, string> = {};
      const entries = Object.entries(attributes());
      for (const [key, value] of entries) if (!key.includes(':')) found[key] = decode(value);
      for (const [key, value] of entries) if (key.includes(':')) found[localName(key)] = decode(value);
      return found;
    });
  });
  parser.on('closeTag', (name) => {
    pending = 0;
    close?.(localName(name));
  });
  if (text !== undefined) {
    parser.on('text', (piece, decode) => text(decode(piece)));
    parser.on('cdata', text);
  }
  for await (const chunk of bytes) {
    pending += chunk.length;
    parser.write(decoder.decode(chunk, { stream: true }));
    if (failure !== undefined) throw failure;
    if (pending > MAX_TOKEN) throw new Error(`it has a tag or text of more than ${MAX_TOKEN} bytes`);
    yield;
  }
  parser.write(decoder.decode());
  parser.end();
  if (failure !== undefined) throw failure;
  yield;
}

export async function parseWhole(bytes: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(bytes, handler));
}
