/**
 * The modules that share a file of the bundle. On Node 20 each file takes some 0.2 ms to find, read and compile, as
 * long as 7 kB of code, so one file holds what every command loads, and others what a kind of command loads.
 */
import { existsSync } from 'node:fs';

/**
 * A pattern for modules.
 * @param {...string} paths below src/, without `.ts`
 * @throws Error if a file does not exist, because the bundler would silently leave the module out of the chunk
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
 * A group also contains all imports of its modules that are not in a group of higher priority.
 * @type {import('rolldown').CodeSplittingGroup[]}
 */
export const CHUNKS = [
  // Loaded by every command: parser, settings, client, printer.
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
      'output/writers/json-writer',
      'output/writers/ids',
    ),
  },
  // By commands that send requests, to the service or the bundled service.
  {
    name: 'request',
    priority: 3.5,
    test: modules(
      'cli/organization-flags',
      'commands/kinds/of-resource',
      'commands/kinds/references',
      'commands/kinds/request-body',
      'commands/kinds/attachment',
      'commands/kinds/list',
      'commands/plan/sync',
      'commands/resources/license-code',
      'commands/resources/license-filter-flags',
      'app/connect',
      'core/table/rows',
      'core/table/xlsx/sheet-limits',
      'client/transport/authorization',
    ),
  },
  // By commands that send requests over the network.
  {
    name: 'network',
    priority: 3,
    test: new RegExp(`${modules('client/transport/network', 'client/transport/proxy-rules').source}|undici:requests`),
  },
  // By reconciling and the bundled service, which need all endpoints.
  { name: 'contract', priority: 3, test: modules('contract/index') },
  // By commands that write.
  {
    name: 'write',
    priority: 3,
    test: modules(
      'commands/kinds/write',
      'commands/kinds/dry-run',
      'client/create/send-write',
      'client/create/find-by-key',
      'client/errors/how-to-check',
    ),
  },
  // By commands with --offline.
  { name: 'offline', priority: 2, test: modules('client/transport/local', 'service/state') },
  { name: 'table', priority: 2, test: modules('output/table/table') },
];
