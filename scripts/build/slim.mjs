/**
 * Converts the bundle's files to ASCII, which V8 can use as it is read, and makes the source maps smaller: they keep
 * the names and lines of our sources, for stack traces. Of packages only the paths are kept.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';

const ESCAPED = /[^\0-\x7f]/g;

/** @param {string} char @returns {string} its escape in strings, regular expressions and names */
const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * @param {string} line
 * @returns {(column: number) => number} the column of the same code in ASCII; to be called with rising columns
 */
function columnInAscii(line) {
  const positions = [...line.matchAll(ESCAPED)].map(({ index }) => index);
  let passed = 0;
  return (column) => {
    while (passed < positions.length && /** @type {number} */ (positions[passed]) < column) passed++;
    return column + passed * (escaped(' ').length - 1);
  };
}

/** @typedef {{ sources: string[], names: string[], mappings: string }} SourceMap */

/**
 * @param {SourceMap} map
 * @param {readonly string[]} lines of the code before its conversion
 * @returns {SourceMap}
 */
function slimMap(map, lines) {
  const isOurs = map.sources.map((source) => /^(\.\.\/)+src\//.test(source));
  /** @type {Map<number, number>} */
  const names = new Map();
  const mappings = decode(map.mappings).map((segments, at) => {
    const columnOf = columnInAscii(lines[at] ?? '');
    /** @type {import('@jridgewell/sourcemap-codec').SourceMapSegment[]} */
    const kept = [];
    for (const segment of segments) {
      const column = columnOf(segment[0]);
      const last = kept.at(-1);
      if (segment.length === 1 || !isOurs[segment[1]]) {
        // Ends the previous segment.
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

/** Rewrites all chunks and their maps. @param {string} folder */
export function slim(folder) {
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.cjs'))) {
    const file = join(folder, name);
    const code = readFileSync(file, 'utf8');
    // The bundler's own helpers have no map.
    if (existsSync(`${file}.map`)) {
      const map = JSON.parse(readFileSync(`${file}.map`, 'utf8'));
      writeFileSync(`${file}.map`, JSON.stringify(slimMap(map, code.split('\n'))));
    }
    writeFileSync(file, code.replace(ESCAPED, escaped), 'latin1');
  }
}
