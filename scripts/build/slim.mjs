/**
 * Makes the bundle's files smaller than the bundler leaves them, and of one byte a character.
 *
 * Code becomes ASCII: it can be handed to V8 as it is read. Maps keep what a stack trace needs of our own sources: the
 * line, and the names. Where packages have their code from is left out, except that they are listed.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';

const ESCAPED = /[^\0-\x7f]/g;

/** @param {string} char @returns {string} the same in the source of a text, a regular expression or a name */
const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Where the columns of a line are once it is ASCII.
 * @param {string} line
 * @returns {(column: number) => number}
 */
function moved(line) {
  const places = [...line.matchAll(ESCAPED)].map(({ index }) => index);
  let passed = 0;
  // Asked for from left to right.
  return (column) => {
    while (passed < places.length && /** @type {number} */ (places[passed]) < column) passed++;
    return column + passed * (escaped(' ').length - 1);
  };
}

/** @typedef {{ sources: string[], names: string[], mappings: string }} SourceMap */

/**
 * @param {SourceMap} map
 * @param {readonly string[]} lines of the code, before it is ASCII
 * @returns {SourceMap}
 */
function slimMap(map, lines) {
  const isOurs = map.sources.map((source) => /^(\.\.\/)+src\//.test(source));
  /** @type {Map<number, number>} */
  const names = new Map();
  const mappings = decode(map.mappings).map((segments, at) => {
    const place = moved(lines[at] ?? '');
    /** @type {import('@jridgewell/sourcemap-codec').SourceMapSegment[]} */
    const kept = [];
    for (const segment of segments) {
      const column = place(segment[0]);
      const last = kept.at(-1);
      if (segment.length === 1 || !isOurs[segment[1]]) {
        // Ends what came before.
        if (last !== undefined && last.length > 1) kept.push([column]);
        continue;
      }
      const [, source, line, start, name] = segment;
      if (name !== undefined) {
        if (!names.has(name)) names.set(name, names.size);
        kept.push([column, source, line, start, /** @type {number} */ (names.get(name))]);
      } else if (last === undefined || last.length === 1 || last[1] !== source || last[2] !== line) {
        kept.push([column, source, line, start]);
      }
    }
    return kept;
  });
  return { ...map, names: [...names.keys()].map((name) => map.names[name] ?? ''), mappings: encode(mappings) };
}

/** Rewrites all chunks in a folder, and their maps. @param {string} folder */
export function slim(folder) {
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.cjs'))) {
    const file = join(folder, name);
    const code = readFileSync(file, 'utf8');
    // What the bundler adds of its own has none.
    if (existsSync(`${file}.map`)) {
      const map = JSON.parse(readFileSync(`${file}.map`, 'utf8'));
      writeFileSync(`${file}.map`, JSON.stringify(slimMap(map, code.split('\n'))));
    }
    writeFileSync(file, code.replace(ESCAPED, escaped), 'latin1');
  }
}
