/**
 * Which modules share a file of the bundle. Every file costs some 0.2 ms to find, read and compile on Node 20, as much
 * as 7 kB of code, so what every command loads is one file, and what a kind of command loads is another.
 */

const any = (...paths) => new RegExp(`[\\\\/]src[\\\\/](${paths.join('|').replaceAll('/', '[\\\\/]')})\\.ts$`);

/** @type {import('rolldown').OutputOptions['codeSplitting'] extends infer S ? Exclude<S, boolean | undefined>['groups'] : never} */
export const CHUNKS = [
  // Every command that is run: parser, settings, client, printer. With all that they import.
  {
    name: 'run',
    priority: 3,
    test: any(
      'process',
      'commands/(parser|build|flags|organization|references|update)',
      'commands/actions/(list|item)',
      'auth/credentials',
      'connect',
      'transport/authorization',
      'output/printer',
      'output/writers/(tsv|json|ids)',
    ),
  },
  // Every command that goes over the network.
  {
    name: 'network',
    priority: 2,
    test: new RegExp(`${any('transport/(network|proxy-rules)').source}|undici:requests`),
  },
  // Every command with --offline.
  { name: 'offline', priority: 1, test: any('transport/local', 'service/offline', 'contract/index') },
  { name: 'table', priority: 1, test: any('output/table/table') },
];
