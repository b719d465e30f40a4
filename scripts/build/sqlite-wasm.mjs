/**
 * node-sqlite3-wasm as the bundle has it: without its locks, which are folders that a killed process leaves behind, and
 * which keep SQLite from undoing what that process had begun. The program sets `turns` in their place
 * (src/service/store/sqlite-wasm.ts). Its .wasm file is put beside the chunk that reads it, compressed: a third of the
 * size for 10 ms.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const PACKAGE = 'node-sqlite3-wasm';
const BINARY = `${PACKAGE}.wasm`;
const PACKED = `${BINARY}.br`;

/** The last two take ten times as long for a tenth less. */
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 9 };

/**
 * What the package has → what the bundle has.
 * @type {readonly (readonly [RegExp, string])[]}
 */
const CHANGES = [
  [
    /try\{fs\.mkdirSync\(`\$\{_path\(fi\)\}\.lock`\)\}catch\(err\)\{return[^}]+\}/,
    'const refused=Module.turns.take(_path(fi),_fd(fi));if(refused!==0)return refused;',
  ],
  [/try\{fs\.rmdirSync\(`\$\{_path\(fi\)\}\.lock`\)\}catch\(err\)\{if[^}]+\}/, 'Module.turns.end(_path(fi));'],
  // Whoever asks has the turn, so nobody else is about to write.
  [
    /try\{fs\.accessSync\(`\$\{_path\(fi\)\}\.lock`,fs\.constants\.F_OK\);setValue\(outResult,1,"i32"\)\}catch\{(setValue\(outResult,0,"i32"\))\}/,
    '$1;',
  ],
  [/return readBinary\(file\)/, 'return require("node:zlib").brotliDecompressSync(readBinary(file+".br"))'],
  [/Module\.Database=Database;/, 'Module.turns=null;$&'],
];

/** @param {string} id */
const isInside = (id) => id.replaceAll('\\', '/').endsWith(`/${PACKAGE}/dist/${PACKAGE}.js`);

/** @returns {import('rolldown').Plugin} */
export const sqliteWasm = () => ({
  name: 'sqlite-wasm',
  transform(code, id) {
    if (!isInside(id)) return null;
    let changed = code;
    for (const [from, to] of CHANGES) {
      if (!from.test(changed)) throw new Error(`${PACKAGE} does not lock as it did: ${from}`);
      changed = changed.replace(from, to);
    }
    return { code: changed, map: null };
  },
  generateBundle(_, bundle) {
    const wasm = join(dirname(createRequire(import.meta.url).resolve(PACKAGE)), BINARY);
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || !chunk.moduleIds.some(isInside)) continue;
      const source = brotliCompressSync(readFileSync(wasm), { params: QUALITY });
      this.emitFile({ type: 'asset', fileName: join(dirname(chunk.fileName), PACKED), source });
    }
  },
});
