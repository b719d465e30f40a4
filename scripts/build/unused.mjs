/** What packages load and we never use: the bundle has something small in its place. */
import { replacing } from './replacing.mjs';

/** @returns {import('rolldown').Plugin[]} */
export const withoutUnused = () => [
  // Subcommands that are programs of their own.
  replacing('commander', {
    'node:child_process': "exports.spawn = () => { throw new Error('programs are not part of this build'); };",
  }),
  // Kinds of questions that are not asked; the editor brings 350 kB of character sets.
  replacing(
    '@inquirer/prompts',
    Object.fromEntries(
      ['editor', 'expand', 'number', 'rawlist'].map((kind) => [`@inquirer/${kind}`, 'exports.default = undefined;']),
    ),
  ),
  // It is given stand-ins to measure, one ASCII letter for each cell (src/output/table/grid.ts). A look for emoji in
  // them takes 5 ms, most of it to compile the regular expression.
  replacing('cli-table3', { 'string-width': 'module.exports = (text) => text.length;' }),
];
