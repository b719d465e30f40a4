/**
 * Which modules share a file of the bundle. Every file costs some 0.2 ms to find, read and compile on Node 20, as much
 * as 7 kB of code, so what every command loads is one file, and what a kind of command loads is another.
 */

/** @param {...string} paths patterns of paths below src/, without `.ts` */
const modules = (...paths) => new RegExp(`[\\\\/]src[\\\\/](${paths.join('|').replaceAll('/', '[\\\\/]')})\\.ts$`);

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
      'app/(process|report-error)',
      'core/v8-flags',
      'cli/(parser|flags-from-fields)',
      'commands/kinds/(define|prompt-missing)',
      'auth/credentials/credentials',
      'output/printer',
      'output/writers/(tsv|json|ids)',
    ),
  },
  // Every command that asks the service, bundled or not.
  {
    name: 'request',
    priority: 3.5,
    test: modules(
      'cli/organization-flags',
      'commands/kinds/(references|update|uploads|list|item)',
      'commands/resources/license-code',
      'app/(own-organization|connect)',
      'client/transport/authorization',
    ),
  },
  // Every command that goes over the network.
  {
    name: 'network',
    priority: 3,
    test: new RegExp(`${modules('client/transport/(network|proxy-rules)').source}|undici:requests`),
  },
  // What needs all endpoints at once: reconciling, and the bundled service.
  { name: 'contract', priority: 3, test: modules('contract/index') },
  // Every command that writes.
  {
    name: 'write',
    priority: 3,
    test: modules(
      'commands/kinds/(write|dry-run)',
      'client/create/(send-write|find-by-key)',
      'client/errors/where-to-look',
    ),
  },
  // Every command with --offline.
  { name: 'offline', priority: 2, test: modules('client/transport/local', 'service/state') },
  { name: 'table', priority: 2, test: modules('output/table/table') },
];
