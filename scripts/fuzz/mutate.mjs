/** Mutates inputs: a few random edits, with words of the format and pieces of other inputs. */

const INTERESTING = [
  '0',
  '-1',
  '1',
  '255',
  '65536',
  '4294967295',
  '9007199254740993',
  '1e309',
  'null',
  'true',
  '""',
  '{}',
  '[]',
];
const SIGNS = [
  0, 9, 10, 13, 32, 34, 39, 44, 58, 59, 61, 91, 92, 93, 123, 125, 127, 128, 0xc0, 0xe2, 0xed, 0xf0, 0xfe, 0xff,
];

/**
 * @param {number} seed
 * @returns {(below: number) => number} integers from 0, the same for the same seed (mulberry32)
 */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Values that are rare in JSON. */
const VALUES = [
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  '',
  'x',
  '__proto__',
  '\ud800',
  '../x',
  [],
  {},
  [[]],
  { __proto__: null, a: null },
];

/**
 * Changes one value in the JSON of a line or of the whole text: to a rare value, or to one from elsewhere in the text.
 * @param {string} text @param {(below: number) => number} random
 * @returns {string | undefined} undefined if it is not JSON
 */
function changedJson(text, random) {
  const lines = text.split('\n');
  const at = random(lines.length);
  const isLine = random(2) === 0;
  /** @type {unknown} */
  let root;
  try {
    root = JSON.parse(isLine ? (lines[at] ?? '') : text);
  } catch {
    return undefined;
  }
  /** @type {{ holder: Record<string, unknown>, key: string }[]} */
  const places = [];
  const visit = (/** @type {unknown} */ value) => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      const holder = /** @type {Record<string, unknown>} */ (value);
      places.push({ holder, key });
      if (places.length < 1000) visit(holder[key]);
    }
  };
  visit(root);
  const place = places[random(places.length || 1)];
  if (place === undefined) return undefined;
  const other = /** @type {typeof place} */ (places[random(places.length)]);
  const { holder, key } = place;
  const edits = [
    () => (holder[key] = VALUES[random(VALUES.length)]),
    () => (holder[key] = VALUES[random(VALUES.length)]),
    () => (holder[key] = structuredClone(other.holder[other.key])),
    () => delete holder[key],
    () => (holder[other.key] = structuredClone(holder[key])),
    () => (holder[key] = [holder[key], VALUES[random(VALUES.length)]]),
  ];
  edits[random(edits.length)]?.();
  const written = JSON.stringify(root);
  return isLine ? lines.with(at, written).join('\n') : written;
}

/**
 * @param {Buffer} input is not changed
 * @param {(below: number) => number} random
 * @param {readonly Buffer[]} words of the format
 * @param {Buffer} other another input, to take pieces from
 * @param {number} maxBytes
 * @returns {Buffer}
 */
export function mutated(input, random, words, other, maxBytes) {
  let bytes = Buffer.from(input);
  const place = () => random(bytes.length + 1);
  const span = () => 1 + random(random(8) === 0 ? 64 : 8);
  const insert = (/** @type {number} */ at, /** @type {Uint8Array} */ piece) =>
    Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
  const replace = (/** @type {number} */ at, /** @type {number} */ length, /** @type {Uint8Array} */ piece) =>
    Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + length)]);
  const word = () => words[random(words.length)] ?? Buffer.alloc(0);
  const piece = () => {
    const at = random(other.length + 1);
    return other.subarray(at, at + span() * 4);
  };
  // Half of the time JSON stays valid, so that it passes the JSON parser.
  if (random(2) === 0) {
    const json = changedJson(bytes.toString(), random);
    if (json !== undefined) return Buffer.from(json).subarray(0, maxBytes);
  }
  const edits = [
    () => {
      if (bytes.length > 0) bytes[random(bytes.length)] = random(256);
    },
    () => {
      const at = random(bytes.length || 1);
      if (bytes.length > 0) bytes[at] = /** @type {number} */ (bytes[at]) ^ (1 << random(8));
    },
    () => {
      if (bytes.length > 0) bytes[random(bytes.length)] = /** @type {number} */ (SIGNS[random(SIGNS.length)]);
    },
    () => (bytes = insert(place(), Buffer.from([/** @type {number} */ (SIGNS[random(SIGNS.length)])]))),
    () => (bytes = replace(place(), span(), Buffer.alloc(0))),
    () => (bytes = insert(place(), word())),
    () => (bytes = replace(place(), span(), word())),
    () => (bytes = insert(place(), piece())),
    () => (bytes = replace(place(), span(), piece())),
    () => (bytes = insert(place(), Buffer.from(/** @type {string} */ (INTERESTING[random(INTERESTING.length)])))),
    () => {
      const at = place();
      const length = span() * 4;
      const again = bytes.subarray(at, at + length);
      bytes = insert(place(), Buffer.concat(Array.from({ length: 1 + random(4) }, () => again)));
    },
    () => (bytes = bytes.subarray(0, place())),
    () => (bytes = Buffer.concat([bytes.subarray(0, place()), other.subarray(random(other.length + 1))])),
  ];
  for (let left = 1 + random(random(4) === 0 ? 16 : 4); left > 0; left--) edits[random(edits.length)]?.();
  return bytes.subarray(0, maxBytes);
}
