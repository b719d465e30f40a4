/**
 * Which modules share a file of the bundle. Every file costs some 0.2 ms to find, read and compile on Node 20, as much
 * as 7 kB of code, so what every command loads is one file, and what a kind of command loads is another.
 */
import { existsSync } from 'node:fs';

/**
 * Matches modules by their paths.
 * @param {...string} paths below src/, without `.ts`
 * @throws Error for a path without a file: it would be left out of its chunk in silence
 */
function modules(...paths) {
  for (const path of paths) {
    if (existsSync(new URL(`../../src/${path}.ts`, import.meta.url))) continue;
    throw new Error(
      `scripts/build/chunks.mjs names src/${path}.ts, which does not exist: name the file that took its place`,
    );
  }
  return new RegExp(`[\\\\/]src[\\\\/](${paths.join('|').replaceAll('/', '[\\\\/]')})\\.ts$`);
}

/**
 * Each with all that its modules import, as far as a group with a higher priority has not taken it.
 * @type {import('rolldown').CodeSplittingGroup[]}
 */
export const CHUNKS = [
  // Every command that is run: parser, settings, client, printer.
  {
    name: 'run',
    priority: 4,
    test: modules(
      'app/process',
      'app/report-error',
      'core/v8-flags',
      'cli/parser',
      'cli/flags-from-fields',
      'commands/kinds/define',
      'commands/kinds/prompt-missing',
      'auth/credentials/credentials',
      'output/printer',
      'output/writers/tsv',
      'output/writers/json',
      'output/writers/ids',
    ),
  },
  // Every command that asks the service, bundled or not.
  {
    name: 'request',
    priority: 3.5,
    test: modules(
      'cli/organization-flags',
      'commands/kinds/of-resource',
      'commands/kinds/references',
      'commands/kinds/update',
      'commands/kinds/uploads',
      'commands/kinds/list',
      'commands/kinds/item',
      'commands/kinds/filter-flags',
      'commands/plan/sync',
      'commands/resources/license-code',
      'commands/resources/license-filter-flags',
      'app/own-organization',
      'app/connect',
      'client/transport/authorization',
    ),
  },
  // Every command that goes over the network.
  {
    name: 'network',
    priority: 3,
    test: new RegExp(`${modules('client/transport/network', 'client/transport/proxy-rules').source}|undici:requests`),
  },
  // What needs all endpoints at once: reconciling, and the bundled service.
  { name: 'contract', priority: 3, test: modules('contract/index') },
  // Every command that writes.
  {
    name: 'write',
    priority: 3,
    test: modules(
      'commands/kinds/write',
      'commands/kinds/dry-run',
      'client/create/send-write',
      'client/create/find-by-key',
      'client/errors/where-to-look',
    ),
  },
  // Every command with --offline.
  { name: 'offline', priority: 2, test: modules('client/transport/local', 'service/state') },
  { name: 'table', priority: 2, test: modules('output/table/table') },
];
