/**
 * Reads the message of an error body in any form (JSON, HTML, text or nothing), because the API document shows none.
 */
import { excerpt } from '../../core/clean-text.js';
import type { Problem } from '../../core/errors.js';
import { isObject } from '../../core/json.js';

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

// The most informative first.
const MESSAGE_KEYS = [
  'message',
  'error_description',
  'errorMessage',
  'error_message',
  'detail',
  'description',
  'userMessage',
  'developerMessage',
  'title',
  'reason',
  'msg',
  'text',
  'error',
  'errorCode',
  'code',
];
const LIST_KEYS = [
  'errors',
  'fieldErrors',
  'field_errors',
  'fields',
  'details',
  'violations',
  'validationErrors',
  'invalidParams',
  'invalid-params',
  'problems',
  'causes',
  'subErrors',
];
const WHERE_KEYS = [
  'field',
  'path',
  'property',
  'propertyPath',
  'param',
  'parameter',
  'pointer',
  'name',
  'key',
  'location',
  'loc',
  'attribute',
];

type Json = Readonly<Record<string, unknown>>;

function sentence(value: unknown): string {
  if (typeof value === 'string') return excerpt(value);
  if (Array.isArray(value)) return excerpt(value.filter((one) => typeof one === 'string').join('; '));
  return typeof value === 'number' ? String(value) : '';
}

/** Whether a text is a single word such as `InvalidClientCredentials`, which names an error without explaining it. */
const isName = (text: string): boolean => /^[\w.-]+$/.test(text);

/** The message among the members of an object itself. */
function messageAt(value: Json): string {
  const found = MESSAGE_KEYS.map((key) => sentence(value[key])).filter((text) => text !== '');
  const told = found.find((text) => !isName(text));
  const [first = ''] = found;
  if (told === undefined) return first;
  const name = sentence(value.error);
  return isName(name) && name !== '' && !told.includes(name) && !/^\d+$/.test(name) ? `${name}: ${told}` : told;
}

const whereOf = (value: Json): string => {
  for (const key of WHERE_KEYS) {
    const found = value[key];
    const where = Array.isArray(found) ? found.filter((part) => part !== 'body').join('.') : found;
    if ((typeof where === 'string' || typeof where === 'number') && where !== '') return excerpt(String(where), 80);
  }
  return '';
};

const problem = (where: string, message: string): Problem => (where === '' ? { message } : { where, message });

/** `[{field, message}]`, `['text']`, `{field: 'text'}`, `{field: ['text', …]}`, `{field: {message}}`. */
function problemsIn(value: unknown): Problem[] {
  const found: Problem[] = [];
  const add = (where: string, one: unknown, depth = MAX_DEPTH): void => {
    if (found.length >= MAX_PROBLEMS || depth === 0) return;
    if (Array.isArray(one)) for (const each of one) add(where, each, depth - 1);
    else if (isObject(one)) {
      const message = messageAt(one) || deepMessage(one, MAX_DEPTH - 1);
      if (message !== '') found.push(problem(whereOf(one) || where, message));
    } else if (sentence(one) !== '') found.push(problem(where, sentence(one)));
  };
  if (Array.isArray(value)) add('', value);
  else if (isObject(value)) {
    if (messageAt(value) !== '' && whereOf(value) !== '') add('', value);
    else for (const [where, one] of Object.entries(value)) add(excerpt(where, 80), one);
  }
  return found;
}

/** The first message among nested objects. */
function deepMessage(value: Json, depth: number): string {
  if (depth === 0) return '';
  const below = Object.values(value).filter(isObject);
  for (const one of below) {
    const message = messageAt(one) || deepMessage(one, depth - 1);
    if (message !== '') return message;
  }
  return '';
}

function deepProblems(value: Json, depth: number): Problem[] {
  if (depth === 0) return [];
  const found = LIST_KEYS.flatMap((key) => problemsIn(value[key]));
  if (found.length > 0) return found.slice(0, MAX_PROBLEMS);
  for (const one of Object.values(value)) {
    const below = isObject(one) ? deepProblems(one, depth - 1) : [];
    if (below.length > 0) return below;
  }
  return [];
}

const listed = (problems: readonly Problem[]): string =>
  problems.map(({ where, message }) => (where === undefined ? message : `${where}: ${message}`)).join('; ');

/** The message in a JSON value. */
export function wordsOfJson(value: unknown): Words {
  if (typeof value === 'string') return { text: excerpt(value), problems: [] };
  if (Array.isArray(value)) {
    const problems = problemsIn(value);
    return { text: excerpt(listed(problems)), problems };
  }
  if (!isObject(value)) return NOTHING;
  const problems = deepProblems(value, MAX_DEPTH);
  const message = messageAt(value) || deepMessage(value, MAX_DEPTH);
  if (message !== '' || problems.length > 0) return { text: message || excerpt(listed(problems)), problems };
  // Without a known member name, any text is better than none.
  return { text: excerpt(leaves(value, MAX_DEPTH).join('; ')), problems: [] };
}

/** `name: text` for every text in a value. */
const leaves = (value: Json, depth: number): string[] =>
  Object.entries(value).flatMap(([name, leaf]) => {
    if (isObject(leaf)) return depth > 1 ? leaves(leaf, depth - 1) : [];
    const text = sentence(leaf);
    return text === '' ? [] : [`${excerpt(name, 80)}: ${text}`];
  });

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

/** Whether a text is an HTML or XML document. */
export const looksLikeMarkup = (text: string): boolean => /^\s*<(?:!doctype|\?xml|!--|[a-z][\w:-]*[\s/>])/i.test(text);

/** The content of the first element with a tag. A single expression would take quadratic time on `<title<title…`. */
function insideOf(tag: string, html: string): string {
  const start = new RegExp(`<${tag}[\\s/>]`, 'i').exec(html)?.index;
  if (start === undefined) return '';
  const inner = html.slice(html.indexOf('>', start) + 1 || html.length);
  const end = new RegExp(`</${tag}`, 'i').exec(inner)?.index;
  return end === undefined ? '' : inner.slice(0, end);
}

/** Removes scripts and styles from a page; an unclosed one extends to its end. */
function withoutScripts(html: string): string {
  let rest = html;
  let kept = '';
  for (;;) {
    const start = /<(script|style)[\s/>]/i.exec(rest);
    if (start === null) return kept + rest;
    kept += `${rest.slice(0, start.index)} `;
    const end = new RegExp(`</${start[1]}\\s*>`, 'i').exec(rest.slice(start.index));
    if (end === null) return kept;
    rest = rest.slice(start.index + end.index + end[0].length);
  }
}

/** The title of a page, or its heading, or its text. */
export function wordsOfMarkup(html: string): string {
  const head = html.slice(0, 65_536);
  for (const tag of ['title', 'h1']) {
    const found = excerpt(plain(insideOf(tag, head)));
    if (found !== '') return found;
  }
  return excerpt(plain(withoutScripts(head)));
}

/** Decodes text by the charset of its content type: Latin-1, which old servers use, or UTF-8. */
export function textOf(bytes: Buffer, contentType = ''): string {
  const latin = /charset\s*=\s*"?(?:iso-8859-1|latin-?1|windows-1252|us-ascii)/i.test(contentType);
  const text = bytes.toString(latin ? 'latin1' : 'utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** The message in an error body of any kind. */
export function wordsOf(bytes: Buffer, contentType?: string): Words {
  const text = textOf(bytes, contentType);
  if (text.trim() === '') return NOTHING;
  if (looksLikeMarkup(text)) return { text: wordsOfMarkup(text), problems: [] };
  try {
    return wordsOfJson(JSON.parse(text));
  } catch {
    return { text: excerpt(text), problems: [] };
  }
}
