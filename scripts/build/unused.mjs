/** Replaces modules that packages load and that `edu` never uses. */
import { replacing } from './replacing.mjs';

/** @returns {import('rolldown').Plugin[]} */
export const withoutUnused = () => [
  // Runs subcommands that are separate programs.
  replacing('commander', {
    'node:child_process': "exports.spawn = () => { throw new Error('programs are not part of this build'); };",
  }),
  // Prompts that `edu` does not use; the editor loads 350 kB of character sets.
  replacing(
    '@inquirer/prompts',
    Object.fromEntries(
      ['editor', 'expand', 'number'].map((kind) => [`@inquirer/${kind}`, 'exports.default = undefined;']),
    ),
  ),
  // Validates answers of people, which `edu` checks itself; ajv is 295 kB.
  replacing('@modelcontextprotocol/server', {
    '@modelcontextprotocol/server/_shims':
      'exports.process = process; exports.DefaultJsonSchemaValidator = class { getValidator() { return (data) => ({ valid: true, data, errorMessage: undefined }); } };',
  }),
  // `edu` gives it one ASCII letter for each cell (src/output/table/grid.ts). string-width takes 5 ms, most of it to
  // compile a regular expression for emoji.
  replacing('cli-table3', { 'string-width': 'module.exports = (text) => text.length;' }),
];
