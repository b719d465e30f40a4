/**
 * Bundles the JavaScript of libsql and lets it require its native part directly. Its package @neon-rs/load determines
 * the C library with process.report, which takes 5 ms and looks up network names.
 */
import { replacing } from './replacing.mjs';

const TARGET = `
const { familySync, MUSL } = require('detect-libc');
const { platform, arch } = process;

exports.currentTarget = () => {
  if (platform === 'win32') return \`win32-\${arch}-msvc\`;
  if (platform !== 'linux') return \`\${platform}-\${arch}\`;
  if (arch === 'arm') return 'linux-arm-gnueabihf';
  return \`linux-\${arch}-\${familySync() === MUSL ? 'musl' : 'gnu'}\`;
};
exports.load = () => { throw new Error('not part of this build'); };
`;

const VIRTUAL = '\0libsql:target';
const REQUIRE = /return require\(`@libsql\/\$\{target\}`\);/;
// Resolved from libsql's folder, because some package managers hide a package's dependencies from other packages.
const FOUND =
  "const { createRequire } = require('node:module');" +
  "return createRequire(createRequire(__filename).resolve('libsql'))('@libsql/' + target);";

// detect-libc starts a process only if neither /usr/bin/ldd nor process.report shows the C library.
const CHILD_PROCESS = `
exports.exec = (...given) => require('node:child_process').exec(...given);
exports.execSync = (...given) => require('node:child_process').execSync(...given);
`;

/** @returns {import('rolldown').Plugin[]} */
export const libsqlInside = () => [
  {
    name: 'libsql-inside',
    resolveId: (id) => (id === '@neon-rs/load' ? VIRTUAL : null),
    load: (id) => (id === VIRTUAL ? TARGET : null),
    transform(code, id) {
      if (!/[\\/]libsql[\\/]index\.js$/.test(id)) return null;
      if (!REQUIRE.test(code)) throw new Error('this version of libsql requires its native part differently');
      return { code: code.replace(REQUIRE, FOUND), map: null };
    },
  },
  replacing('detect-libc', { child_process: CHILD_PROCESS }),
];
