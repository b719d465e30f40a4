/**
 * Bundles only the modules of undici that requests over HTTP/1.1 need: on Node 20 all of undici takes 70 ms to load,
 * these take 8 ms (docs/decisions/0001-one-bundle.md). The sources import 'undici' and get its types.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { replacing } from './replacing.mjs';

const home = dirname(createRequire(import.meta.url).resolve('undici'));
/** @param {string} path below undici's lib/ */
const lib = (path) => JSON.stringify(join(home, 'lib', path));

/** The client dispatches requests to a pool and reads responses itself. */
const REQUESTS = `
import buildConnector from ${lib('core/connect.js')};
import Pool from ${lib('dispatcher/pool.js')};
export { buildConnector, Pool };
`;

/** Loaded only if the environment names a proxy. ProxyAgent calls `connect` for tunnels. */
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
  // The client never sets allowH2.
  './client-h2.js': "module.exports = () => { throw new Error('HTTP/2 is not part of this build'); };",
  // The client sends no FormData, for which undici loads all of fetch.
  '../web/fetch/body.js': "exports.extractBody = () => { throw new Error('FormData is not part of this build'); };",
  // Takes 4 ms to load; undici only needs the default header limit (16 KiB) and a class to compare with.
  'node:http': 'exports.maxHeaderSize = 16384; exports.IncomingMessage = class {};',
  // undici only calls it as a function.
  'node:assert':
    "module.exports = (value, message) => { if (!value) throw new Error(message ?? 'assertion failed'); };",
  // SOCKS proxies are not supported.
  './socks5-proxy-agent': 'module.exports = class {};',
};

const PARSER = /[\\/]llhttp[\\/](llhttp(?:_simd)?)-wasm\.js$/;

/** @param {Buffer} bytes */
const isWebAssembly = (bytes) => bytes.subarray(0, 4).toString('latin1') === '\0asm';

/**
 * Writes the response parser, two variants of 54 kB WebAssembly, to files beside the chunk. In the chunk both would be
 * read and decoded from base64 at each start.
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
      if (!isWebAssembly(binary)) throw new Error(`this version of undici stores ${name} differently`);
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
