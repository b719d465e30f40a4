/** The folders of src in import order, with the npm packages that belong to each. */

/**
 * A folder imports itself and the folders below it.
 * @type {Readonly<Record<string, { readonly about: string, readonly packages?: readonly string[] }>>}
 */
export const FOLDERS = {
  app: { about: 'entry, process, main, the context of a command' },
  commands: {
    about: 'what each command does; kinds/ holds what lists, items and writes share',
    packages: ['@modelcontextprotocol/server', 'zod'],
  },
  cli: { about: 'command model, parser, help, completion', packages: ['commander'] },
  plan: { about: 'wanted state, plans, their application' },
  bulk: { about: 'rows, jobs, journal, results' },
  export: { about: 'exports and their differences' },
  auth: { about: 'login, credentials' },
  settings: { about: 'profiles, settings, folders', packages: ['conf'] },
  output: {
    about: 'formats, tables, progress, terminal',
    packages: ['@jmespath-community/jmespath', 'cli-table3', 'fflate', 'hyparquet-writer', 'inquirer', 'open', 'ora'],
  },
  client: { about: 'requests, lists, exactly-once creates, errors', packages: ['undici'] },
  service: {
    about: 'the bundled service',
    packages: ['@fastify/busboy', 'libsql', 'node:sqlite'],
  },
  contract: { about: "the service's interface: one row for each endpoint" },
  core: { about: 'errors, http, io, files, locks, the table reader', packages: ['papaparse', 'saxen', 'yauzl'] },
};

/** The tree of src in docs/architecture.md. */
export const folderTree = () =>
  Object.entries(FOLDERS)
    .map(([name, { about, packages = [] }]) =>
      `  ${`${name}/`.padEnd(12)}${about}${packages.length > 0 ? ` (${packages.join(', ')})` : ''}`.trimEnd(),
    )
    .join('\n');
