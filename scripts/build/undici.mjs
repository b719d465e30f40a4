/**
 * undici as the bundle has it: the few of its modules that requests over HTTP/1.1 need. All of undici takes 70 ms to
 * load on Node 20, these take 8 (docs/decisions/0001-one-bundle.md). The sources import plain 'undici' and see its types.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { replacing } from './replacing.mjs';

const home = dirname(createRequire(import.meta.url).resolve('undici'));
/** @param {string} path below undici's lib/ */
const lib = (path) => JSON.stringify(join(home, 'lib', path));

/** Requests are dispatched to a pool; undici's own ways of reading an answer are not used. */
const REQUESTS = `
import buildConnector from ${lib('core/connect.js')};
import Pool from ${lib('dispatcher/pool.js')};
export { buildConnector, Pool };
`;

/** Only where the environment names a proxy; tunnels are made by the method connect. */
const PROXIES = `
import Dispatcher from ${lib('dispatcher/dispatcher.js')};
import Pool from ${lib('dispatcher/pool.js')};
import ProxyAgent from ${lib('dispatcher/proxy-agent.js')};
import connect from ${lib('api/api-connect.js')};

Dispatcher.prototype.connect = connect;
export { Pool, ProxyAgent };
`;

const PARTS = new Map([
  ['\0undici:requests', REQUESTS],
  ['\0undici:proxies', PROXIES],
]);

const UNUSED = {
  // HTTP/2 is never negotiated: allowH2 is false unless asked for.
  './client-h2.js': "module.exports = () => { throw new Error('HTTP/2 is not part of this build'); };",
  // Bodies are bytes, text or iterables; FormData would need all of fetch.
  '../web/fetch/body.js': "exports.extractBody = () => { throw new Error('FormData is not part of this build'); };",
  // Asked for the default limit of headers (16 KiB) and for a class to compare with: 4 ms for two values.
  'node:http': 'exports.maxHeaderSize = 16384; exports.IncomingMessage = class {};',
  // Only ever called as a function.
  'node:assert':
    "module.exports = (value, message) => { if (!value) throw new Error(message ?? 'assertion failed'); };",
  // For SOCKS proxies, which are not offered.
  './socks5-proxy-agent': 'module.exports = class {};',
};

const PARSER = /[\\/]llhttp[\\/](llhttp(?:_simd)?)-wasm\.js$/;

/** @param {Buffer} bytes */
const isWebAssembly = (bytes) => bytes.subarray(0, 4).toString('latin1') === '\0asm';

/**
 * The parser of answers, twice 54 kB of WebAssembly, as files beside the chunk instead of text in it: what is not used is
 * not read, and what is need not be taken out of base64.
 * @returns {import('rolldown').Plugin}
 */
function parserAsFile() {
  /** @type {Map<string, Buffer>} by file name */
  const files = new Map();
  return {
    name: 'undici-parser-as-file',
    transform(code, id) {
      const name = PARSER.exec(id)?.[1];
      if (name === undefined) return null;
      const binary = Buffer.from(/'([A-Za-z0-9+/=]{1000,})'/.exec(code)?.[1] ?? '', 'base64');
      if (!isWebAssembly(binary)) throw new Error(`undici does not keep ${name} as it did`);
      files.set(`${name}.wasm`, binary);
      const path = `require('node:path').join(__dirname, '${name}.wasm')`;
      const get = `() => require('node:fs').readFileSync(${path})`;
      return { code: `Object.defineProperty(module, 'exports', { get: ${get} });`, map: null };
    },
    generateBundle(_, bundle) {
      const chunk = Object.values(bundle).find(
        (one) => one.type === 'chunk' && one.moduleIds.some((id) => PARSER.test(id)),
      );
      for (const [name, source] of files) {
        this.emitFile({ type: 'asset', fileName: join(dirname(chunk?.fileName ?? ''), name), source });
      }
    },
  };
}

/** @returns {import('rolldown').Plugin[]} */
export const undiciInPart = () => [
  {
    name: 'undici-in-part',
    resolveId: (id, importer) =>
      id === 'undici' ? `\0undici:${importer?.endsWith('proxy.ts') ? 'proxies' : 'requests'}` : null,
    load: (id) => PARTS.get(id) ?? null,
  },
  replacing('undici', UNUSED),
  parserAsFile(),
];
