/**
 * Reads the message of an error body in any form (JSON, HTML, text or nothing), because the API document shows none.
 */
import { excerpt } from '../../core/clean-text.js';
import type { Problem } from '../../core/errors.js';
import { isObject, type JsonObject } from '../../core/json.js';

export interface Words {
  /** One line, sanitized and shortened; empty if the body contains no message. */
  readonly text: string;
  /** Messages about single fields. */
  readonly problems: readonly Problem[];
}

const NOTHING: Words = { text: '', problems: [] };

const MAX_PROBLEMS = 20;
/** Max depth at which a message is searched: `{fault: {error: {message}}}`. */
const MAX_DEPTH = 4;

const names = (text: string): readonly string[] => text.split(/\s+/);

// The most informative first.
const MESSAGE_KEYS = names(`message error_description errorMessage error_message detail description userMessage
  developerMessage title reason msg text error errorCode code`);
const LIST_KEYS = names(`errors fieldErrors field_errors fields details violations validationErrors invalidParams
  invalid-params problems causes subErrors`);
const WHERE_KEYS = names('field path property propertyPath param parameter pointer name key location loc attribute');

function sentence(value: unknown): string {
  if (typeof value === 'string') return excerpt(value);
  if (Array.isArray(value)) return excerpt(value.filter((one) => typeof one === 'string').join('; '));
  return typeof value === 'number' ? String(value) : '';
}

/** True if a text is a single word such as `InvalidClientCredentials`, which names an error without explaining it. */
const isName = (text: string): boolean => /^[\w.-]+$/.test(text);

/** The message among the members of an object itself. */
function messageAt(value: JsonObject): string {
  const found = MESSAGE_KEYS.map((key) => sentence(value[key])).filter((text) => text !== '');
  const [first = ''] = found;
  const told = found.find((text) => !isName(text)) ?? first;
  const name = sentence(value.error);
  return isName(name) && !told.includes(name) && !/^\d+$/.test(name) ? `${name}: ${told}` : told;
}

/** An object and the objects in it, parents first; nothing for other values. */
function* objectsIn(value: unknown, depth = MAX_DEPTH): Generator<JsonObject> {
  if (!isObject(value)) return;
  yield value;
  if (depth > 0) for (const inner of Object.values(value)) yield* objectsIn(inner, depth - 1);
}

function messageIn(value: unknown): string {
  for (const one of objectsIn(value)) {
    const message = messageAt(one);
    if (message !== '') return message;
  }
  return '';
}

function whereOf(value: JsonObject): string {
  for (const key of WHERE_KEYS) {
    const found = value[key];
    const where = Array.isArray(found) ? found.filter((part) => part !== 'body').join('.') : found;
    if ((typeof where === 'string' || typeof where === 'number') && where !== '') return excerpt(String(where), 80);
  }
  return '';
}

function problemsOf(value: unknown, name = '', depth = MAX_DEPTH): Problem[] {
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.slice(0, MAX_PROBLEMS).flatMap((one) => problemsOf(one, name, depth - 1));
  const message = messageIn(value) || sentence(value);
  if (message === '') return [];
  const where = (isObject(value) && whereOf(value)) || name;
  return [where === '' ? { message } : { where, message }];
}

/** `[{field, message}]`, `['text']`, `{field: 'text'}`, `{field: ['text', …]}`, `{field: {message}}`. */
function problemsInList(value: unknown): Problem[] {
  if (isObject(value) && (messageAt(value) === '' || whereOf(value) === ''))
    return Object.entries(value).flatMap(([name, one]) => problemsOf(one, excerpt(name, 80)));
  return isObject(value) || Array.isArray(value) ? problemsOf(value) : [];
}

function problemsIn(value: unknown): Problem[] {
  if (Array.isArray(value)) return problemsOf(value);
  for (const one of objectsIn(value)) {
    const found = LIST_KEYS.flatMap((key) => problemsInList(one[key]));
    if (found.length > 0) return found;
  }
  return [];
}

const listed = (problems: readonly Problem[]): string =>
  problems.map(({ where, message }) => (where === undefined ? message : `${where}: ${message}`)).join('; ');

/** `name: text` for every text in a value. */
const textsIn = (value: unknown): string[] =>
  [...objectsIn(value)]
    .flatMap((one) => Object.entries(one))
    .map(([name, text]) => [name, sentence(text)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${excerpt(name, 80)}: ${text}`);

/** The message in a JSON value. */
export function wordsOfJson(value: unknown): Words {
  if (typeof value === 'string') return { text: excerpt(value), problems: [] };
  const problems = problemsIn(value).slice(0, MAX_PROBLEMS);
  // Without a known member name, any text is better than none.
  const text = messageIn(value) || excerpt(listed(problems)) || excerpt(textsIn(value).join('; '));
  return { text, problems };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

// `[^<>]` ends a tag before the next one begins; searching `>` from each of many `<` would take quadratic time.
const plain = (html: string): string =>
  html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
      const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    });

/** True if a text is an HTML or XML document. */
export const looksLikeMarkup = (text: string): boolean => /^\s*<(?:!doctype|\?xml|!--|[a-z][\w:-]*[\s/>])/i.test(text);

/** Characters of a page that are searched; the expressions below may take quadratic time. */
const MAX_MARKUP = 8192;

/** The title of a page, or its text. */
export function wordsOfMarkup(html: string): string {
  const head = html.slice(0, MAX_MARKUP);
  const [, title = ''] = /<title[^<>]*>([^<]*)/i.exec(head) ?? [];
  return excerpt(plain(title)) || excerpt(plain(head.replace(/<(script|style)\b.*?(?:<\/\1>|$)/gis, ' ')));
}

/** Decodes text by the charset of its content type: Latin-1, which old servers use, or UTF-8. */
export function decodeText(bytes: Buffer, contentType = ''): string {
  const latin = /charset\s*=\s*"?(?:iso-8859-1|latin-?1|windows-1252|us-ascii)/i.test(contentType);
  const text = bytes.toString(latin ? 'latin1' : 'utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** The message in an error body of any kind. */
export function wordsOf(bytes: Buffer, contentType?: string): Words {
  const text = decodeText(bytes, contentType);
  if (text.trim() === '') return NOTHING;
  if (looksLikeMarkup(text)) return { text: wordsOfMarkup(text), problems: [] };
  try {
    return wordsOfJson(JSON.parse(text));
  } catch {
    return { text: excerpt(text), problems: [] };
  }
}
