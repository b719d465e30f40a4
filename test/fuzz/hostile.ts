/** Text, bytes and values that only an attacker or a broken program would send. */

import fc from 'fast-check';
import { EduError } from '../../src/core/errors.js';
import { anyText } from '../support/any-text.js';
import { OBEYED, OBEYED_PIECES } from './hostile-text.js';

/** Names that every object inherits, or that set its prototype. */
export const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

/** Pieces that are hard for parsers, terminals, shells and file systems. */
export const PIECES: readonly string[] = [
  ...PROTOTYPE_NAMES,
  ...OBEYED_PIECES,
  '\ufeff',
  '\r\n',
  '\n',
  '\r',
  '"',
  '""',
  "'",
  '\\',
  '`',
  '$(id)',
  '../',
  '..\\',
  '%2e%2e%2f',
  '%00',
  '%',
  '%zz',
  '%ud800',
  '\udc00',
  'é',
  '漢',
  '👩‍👧',
  'İ',
  'ß',
  '١',
  '-',
  '--',
  '=',
  ';',
  ',',
  '&',
  '?',
  '#',
  '@',
  ':',
  '//',
  '[',
  ']',
  '{',
  '}',
  '<script>',
  '0',
  '-0',
  '1e400',
  '9007199254740993',
  'NaN',
  'null',
  'true',
  '2026-02-30',
  '9999-12-31T23:59:60Z',
  ' ',
  '\u00a0',
  '',
];

/** Any text: arbitrary characters, lone surrogates included, or hard pieces. */
export const text = (maxLength = 60): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc
        .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 5 })), { maxLength: 8 })
        .map((parts) => parts.join('').slice(0, maxLength)),
    },
    { weight: 1, arbitrary: fc.string({ maxLength }) },
    { weight: 1, arbitrary: anyText(maxLength) },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.integer({ min: 0, max: 0xffff }), { maxLength })
        .map((units) => String.fromCharCode(...units)),
    },
  );

/** A name of a member, a column, a field. */
export const key = fc.oneof(
  fc.constantFrom(...PROTOTYPE_NAMES),
  text(12),
  fc.constantFrom(
    'id',
    'name',
    'error',
    'message',
    'details',
    'paging',
    'nextCursor',
    'errors',
    'code',
    'books',
    'roles',
  ),
);

/** Any JSON value, hard names included: as text, because an object literal cannot have an own `__proto__`. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'json', withCrossShrink: true },
    fc.oneof(
      text(20).map((one) => JSON.stringify(one)),
      fc.constantFrom('null', 'true', 'false', '0', '-1', '1.5', '1e400', '9007199254740993', '-0', '""', '[]', '{}'),
      fc.double().map((one) => JSON.stringify(one)),
    ),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join()}]`),
    fc
      .array(fc.tuple(key, tie('value')), { maxLength: 5 })
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`),
  ),
})).value;

/** The same as a value. */
export const jsonValue: fc.Arbitrary<unknown> = jsonText.map((one) => JSON.parse(one));

/** Nested deeper than some parsers can follow. */
export const deep = (depth: number, open = '[', close = ']'): string => open.repeat(depth) + close.repeat(depth);

type Edit = { readonly at: number; readonly remove: number; readonly insert: Uint8Array };

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(),
  remove: fc.oneof(fc.constant(0), fc.nat(8), fc.constant(100_000)),
  insert: fc.oneof(
    fc.constant(new Uint8Array()),
    fc.uint8Array({ maxLength: 4 }),
    fc.constantFrom(...PIECES).map((piece) => new Uint8Array(Buffer.from(piece))),
  ),
});

/** Valid text with parts removed, doubled or replaced. */
export const spoiled = (whole: fc.Arbitrary<string | Uint8Array>): fc.Arbitrary<Buffer> =>
  fc.tuple(whole, fc.array(edit, { maxLength: 4 })).map(([one, edits]) => {
    let bytes: Buffer = Buffer.from(one as Uint8Array);
    for (const { at, remove, insert } of edits) {
      const place = bytes.length === 0 ? 0 : at % (bytes.length + 1);
      bytes = Buffer.concat([bytes.subarray(0, place), insert, bytes.subarray(place + remove)]);
    }
    return bytes;
  });

/** Random bytes, hard texts, broken and valid JSON. */
export const bytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((one) => Buffer.from(one)),
  text(200).map((one) => Buffer.from(one)),
  jsonText.map((one) => Buffer.from(one)),
  spoiled(jsonText),
);

/** Chunk sizes of a stream of bytes. */
export const cuts = fc.array(fc.nat(400), { maxLength: 5 });

/** Bytes as they might arrive. */
export async function* inPieces(whole: Uint8Array, places: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const to of [...new Set(places)].sort((a, b) => a - b)) {
    if (to <= from || to >= whole.length) continue;
    yield whole.subarray(from, to);
    from = to;
  }
  if (from < whole.length) yield whole.subarray(from);
}

/** True if the client reported a response as invalid. */
export const isNonsense = (error: Error): boolean => error instanceof EduError && error.kind === 'invalid_response';

/** True if a terminal may act on the text. */
export const obeyed = (shown: string): boolean => OBEYED.test(shown);
