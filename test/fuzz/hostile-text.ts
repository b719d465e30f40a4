/** Text that tries to control a terminal, and a check that output cannot. */
import type { Field } from '../../src/contract/vocabulary.js';

/** Before each piece, so that it can be recognised in any output. */
export const MARK = '¤';
export const OBEYED_PIECES = [
  '\x1b[31m',
  '\x1b[2J',
  '\x1b]0;title\x07',
  '\x1b]52;c;aGk=\x07',
  '\x1b]8;;http://evil\x1b\\',
  '\x1bc',
  '\x1bP1$q\x1b\\',
  '\x9b2J',
  '\x9d0;t\x9c',
  '\x85',
  '\x7f',
  '\x07',
  '\x08',
  '\v',
  '\f',
  '\t',
  '\0',
  '\u202e',
  '\u2066',
  '\u200f',
  '\u061c',
  '\u2028',
  '\u2029',
  '\ud800',
  '\udfff',
];
/**
 * Text at the beginning of a line, or over other text, that is there only if the text before it could move the cursor.
 */
const LINE = 'FORGED-LINE';
export const EVIL = `${OBEYED_PIECES.map((piece) => MARK + piece).join('')}${MARK}\r${LINE}\n${LINE}\v${LINE}`;

/** Control characters, bidi marks, and halves of surrogate pairs. */
export const OBEYED =
  /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
// Text may wrap after a marker: forged lines are recognised by their beginning.
const FORGED = new RegExp(`${MARK}(?![\\r\\n])(?:${OBEYED.source})|[\\r\\n]${LINE}`);
/** Our own sequences: colours, redrawing of progress, tabs of tsv. */
const OURS = /\x1b\[[0-9;]*m|\x1b\[\?(?:25|2026)[lh]|\x1b\[[0-9]*[GKA]|[\r\n\t]/g;

export function isHarmless(text: string, what: string): void {
  const found = FORGED.exec(text) ?? OBEYED.exec(text.replace(OURS, ''));
  if (found === null) return;
  const around = found.input.slice(Math.max(0, found.index - 60), found.index + 60);
  throw new Error(`${JSON.stringify(what.slice(0, 120))} holds ${JSON.stringify(around)}`);
}

/** The value of a field: everything hostile, or only free text. */
export function hostileValue(field: Field, all: boolean): unknown {
  switch (field.kind) {
    case 'object':
      return {
        ...Object.fromEntries(
          Object.entries(field.fields ?? {}).map(([name, part]) => [name, hostileValue(part, all)]),
        ),
        [EVIL]: EVIL,
      };
    case 'list':
      return field.of === undefined ? [EVIL] : [hostileValue(field.of, all)];
    case 'number':
    case 'integer':
      return 7;
    case 'boolean':
      return true;
    case 'choice':
      return all ? EVIL : field.choices?.[0];
    case 'date':
      return all ? EVIL : '2026-01-31';
    case 'any':
      return [{ id: EVIL, [EVIL]: EVIL }];
    default:
      return all || field.refersTo === undefined ? EVIL : 'id1';
  }
}
