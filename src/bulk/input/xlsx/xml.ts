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

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Parses a document. Yields after each chunk, so that the caller can process what its handler has collected.
 * @throws Error if the document is not well formed or not UTF-8
 */
export async function* parseXml(bytes: AsyncIterable<Uint8Array>, handler: XmlHandler): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new Parser();
  let failure: Error | undefined;
  const { open, close, text } = handler;
  parser.on('error', (error) => {
    failure ??= error;
  });
  if (open !== undefined) {
    parser.on('openTag', (name, attributes, decode) => {
      open(localName(name), () => {
        const found: Record<string, string> = {};
        const entries = Object.entries(attributes());
        for (const [key, value] of entries) if (!key.includes(':')) found[key] = decode(value);
        for (const [key, value] of entries) if (key.includes(':')) found[localName(key)] = decode(value);
        return found;
      });
    });
  }
  if (close !== undefined) parser.on('closeTag', (name) => close(localName(name)));
  if (text !== undefined) {
    parser.on('text', (piece, decode) => text(decode(piece)));
    parser.on('cdata', text);
  }
  for await (const chunk of bytes) {
    parser.write(decoder.decode(chunk, { stream: true }));
    if (failure !== undefined) throw failure;
    yield;
  }
  parser.write(decoder.decode());
  parser.end();
  if (failure !== undefined) throw failure;
  yield;
}

/** Parses a document in one call. */
export async function parseWhole(bytes: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(bytes, handler));
}
