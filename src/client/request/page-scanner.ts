/**
 * Finds the items in the text of a page without parsing them. A regular expression, made from the contract, recognizes
 * items that are already in the form in which they are printed; that takes a tenth of the time of parsing and printing
 * them. All others are parsed.
 */
import type { Field } from '../../contract/vocabulary.js';
import { endOfString, JsonText, parseJson } from '../../core/exact-json.js';
import { isObject, type JsonObject } from '../../core/json.js';

/** Characters that JSON.stringify escapes end a string, except in the escapes that it writes itself. */
const PLAIN = '[^"\\\\\\x00-\\x1f]*';
const STRING = `"${PLAIN}(?:\\\\["\\\\bfnrt]${PLAIN})*"`;
/** Numbers of up to 15 digits are exact in JavaScript, and printed as they are. */
const SCALAR = `(?:${STRING}|0|-?[1-9]\\d{0,14}|null|true|false)`;

/** Each member may be missing; its comma must not be the last one. */
const memberPattern = (name: string, value: string): string => `(?:"${name}":${value}(?:,(?!\\})|(?=\\})))?`;

const objectPattern = (members: readonly string[]): string => `\\{${members.join('')}\\}`;

/** A list has at most one element, because those of a set must be sorted. */
function valuePattern({ fields, of }: Field): string {
  if (of !== undefined) return `(?:\\[(?:${valuePattern(of)})?\\]|${SCALAR})`;
  if (fields === undefined) return SCALAR;
  return `(?:${objectPattern(Object.entries(fields).map(([name, field]) => memberPattern(name, valuePattern(field))))}|${SCALAR})`;
}

/** The expression for an item, at a given place, with its ID as the only group. */
export function itemPattern(fields: Readonly<Record<string, Field>>, idField: string): RegExp {
  const members = Object.entries(fields).map(([name, field]) =>
    name === idField ? `"${name}":"(?!")(${PLAIN})"(?:,(?!\\})|(?=\\}))` : memberPattern(name, valuePattern(field)),
  );
  return new RegExp(objectPattern(members), 'y');
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/** The index after an object's closing brace; the length of the text if there is none. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at) - 1;
    else if (unit === OPEN || unit === OPEN_LIST) depth++;
    else if ((unit === CLOSE || unit === CLOSE_LIST) && --depth === 0) return at + 1;
  }
  return text.length;
}

export interface ScannedPage {
  /** `JsonText` or parsed objects. */
  readonly items: readonly unknown[];
  /** The response without its items. */
  readonly envelope: JsonObject;
}

export type PageScanner = (text: string) => ScannedPage | undefined;

/**
 * Returns a function that scans the pages of one list. It returns undefined for a page that must be parsed as a whole:
 * one that does not begin with the list, has space between items, has a text with millions of escapes, or is not JSON.
 * @param key the member that holds the items
 * @param of the field that describes an item
 * @returns undefined if items of this kind have no ID
 */
export function pageScanner(key: string, { id, fields }: Field): PageScanner | undefined {
  if (id === undefined || fields?.[id] === undefined) return undefined;
  const pattern = itemPattern(fields, id);
  const head = `{${JSON.stringify(key)}:[`;
  let isUseless = false;

  function itemAt(text: string, at: number): unknown {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) return new JsonText(found[1] ?? '', found[0]);
    pattern.lastIndex = text.charCodeAt(at) === OPEN ? endOfObject(text, at) : at;
    return parseJson(text.slice(at, pattern.lastIndex));
  }

  function scan(text: string): ScannedPage | undefined {
    const items: unknown[] = [];
    let parsed = 0;
    let at = head.length;
    let isEnd = text.charCodeAt(at) === CLOSE_LIST;
    while (!isEnd) {
      const item = itemAt(text, at);
      if (!(item instanceof JsonText)) parsed++;
      items.push(item);
      at = pattern.lastIndex;
      isEnd = text.charCodeAt(at) !== COMMA;
      if (!isEnd) at++;
    }
    // Parsing items one by one takes longer than parsing the page.
    isUseless = 2 * parsed > items.length;
    const envelope = parseJson(head + text.slice(at));
    if (!isObject(envelope)) return undefined;
    const rest = envelope[key];
    return Array.isArray(rest) && rest.length === 0 ? { items, envelope } : undefined;
  }

  return (text) => {
    if (isUseless || !text.startsWith(head)) return undefined;
    try {
      return scan(text);
    } catch {
      // Not JSON, or a text with millions of escapes, for which the regular expression needs too much memory.
      return undefined;
    }
  };
}
