/**
 * libsql as the bundle has it: its JavaScript inside, its native part required directly. By itself it asks
 * process.report which C library there is, which takes 5 ms and looks up the network's names.
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
// Found from libsql's own place: some package managers show its parts to no other package.
const FOUND =
  "const { createRequire } = require('node:module');" +
  "return createRequire(createRequire(__filename).resolve('libsql'))('@libsql/' + target);";

// Asked only when neither the program's own header nor a well-known file tells.
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
      if (!REQUIRE.test(code)) throw new Error('libsql requires its native part in another way than it did');
      return { code: code.replace(REQUIRE, FOUND), map: null };
    },
  },
  replacing('detect-libc', { child_process: CHILD_PROCESS }),
];
