/**
 * Parses the XML of a workbook into events as its bytes arrive. Elements are matched by namespace, because extensions
 * have elements of the same names.
 */
import { Parser } from 'saxen';

/** By name; those of relationships as `r:id`. */
export type Attributes = Readonly<Record<string, string | undefined>>;

export interface XmlHandler {
  readonly open?: (name: string, attributes: () => Attributes) => void;
  readonly close?: (name: string) => void;
  /** May be called several times for one text. */
  readonly text?: (text: string) => void;
}

/** Limit of a tag or text, which the parser holds in memory and scans again for each chunk. */
const MAX_TOKEN = 2 * 1024 ** 2;

/** Namespaces by prefix, transitional and strict (ECMA-376 part 1, annex A; part 2, 8.3). */
const NAMESPACES = {
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main': 'x',
  'http://purl.oclc.org/ooxml/spreadsheetml/main': 'x',
  'http://schemas.openxmlformats.org/package/2006/relationships': 'x',
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships': 'r',
  'http://purl.oclc.org/ooxml/officeDocument/relationships': 'r',
};

/** The name of an element of workbooks; undefined for one of another namespace. */
function ownName(name: string): string | undefined {
  if (name.startsWith('x:')) return name.slice(2);
  return name.includes(':') ? undefined : name;
}

/**
 * Parses a document. Yields after each chunk, so that the caller can process what its handler has collected.
 * @throws Error if the document is not well formed or not UTF-8
 */
export async function* parseXml(bytes: AsyncIterable<Uint8Array>, handler: XmlHandler): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new Parser().ns(NAMESPACES);
  let failure: Error | undefined;
  let pending = 0;
  const { open, close, text } = handler;
  parser.on('error', (error) => {
    failure ??= error;
  });
  parser.on('openTag', (name, attributes, decode) => {
    pending = 0;
    const own = ownName(name);
    if (own === undefined) return;
    open?.(own, () => Object.fromEntries(Object.entries(attributes()).map(([key, value]) => [key, decode(value)])));
  });
  parser.on('closeTag', (name) => {
    pending = 0;
    const own = ownName(name);
    if (own !== undefined) close?.(own);
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
