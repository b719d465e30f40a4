/** `edu offline …`: shows, resets, imports and serves the data of the bundled service. */
import { type Command, flag, type Group, textOf } from '../../cli/command.js';
import { type Field, integer, object, text } from '../../contract/vocabulary.js';
import type { VisibleName } from '../../service/store/schema.js';
import { itemCommand, plainCommand } from '../kinds/define.js';

const seedFlag = (note: string) =>
  flag('--seed NAME|PATH', 'initial data: demo, empty, large, the folder of an export or a JSON file', {
    notEmpty: true,
    note,
  });

const COUNTS: Readonly<Record<VisibleName, Field>> = {
  organizations: integer('number of organizations'),
  roles: integer('number of roles'),
  users: integer('number of users'),
  books: integer('number of books'),
  readers: integer('number of readers'),
  files: integer('number of files'),
  licences: integer('number of licences'),
  activations: integer('number of activations'),
  subscriptions: integer('number of subscriptions'),
  subscriptionUses: integer('number of users of subscriptions'),
  classes: integer('number of classes'),
  classMembers: integer('number of members of classes'),
  modifications: integer('number of changes of users'),
  logins: integer('number of logins'),
};

const info: Command = itemCommand({
  name: 'info',
  summary: 'Show the data folder of the bundled service and its contents.',
  examples: {
    'Show the folder and the number of items:': 'edu offline info',
    'Print the folder only:': 'edu offline info --query folder',
  },
  shape: object(
    {
      folder: text('folder of the data'),
      seed: text('what it was started with'),
      bytes: integer('size on disk'),
      ...COUNTS,
    },
    'the bundled service',
  ),
  traits: ['result'],
  fetch: async (_, context) => (await import('./run-offline.js')).info(context),
});

const reset: Command = {
  name: 'reset',
  summary: 'Reset the data of the bundled service.',
  flags: [seedFlag('default demo')],
  examples: {
    'Reset to the sample data:': 'edu offline reset',
    'Keep only the organizations and their users:': 'edu offline reset --seed empty',
    'Start from an export:': 'edu offline reset --seed ./yesterday',
  },
  prints: 'nothing',
  run: async (values, context) => (await import('./run-offline.js')).reset(values, context),
};

const serve: Command = {
  name: 'serve',
  summary: 'Serve the bundled service over HTTP on this machine.',
  details:
    'Runs until Ctrl-C. When ready, prints one line with base URL, client ID, client secret and callback URL for ' +
    '`edu auth login`. Logs requests to stderr, never with a token.',
  flags: [
    flag('--port N', 'port to listen on (default 4010; 0 for any)', { kind: 'whole', minimum: 0 }),
    flag('--memory', 'keep all data in memory only'),
    seedFlag('default demo; needs --memory'),
    flag('--import DIR', 'start with the data of this export, in memory', { notEmpty: true }),
    flag('--export-on-exit DIR', 'export the data to this folder at the end', {
      notEmpty: true,
      note: 'with the same --import, it may be missing at the first start',
    }),
    flag('--base-path PATH', 'path of the base URL, such as /content'),
    flag('--callback-url URL', 'registered callback URL (default: that of `edu auth login`)'),
    flag('--host HOST', 'address to listen on, or additional host name to accept (default 127.0.0.1)', {
      repeat: true,
    }),
    flag('--tls-cert FILE', 'serve HTTPS with this certificate (PEM)'),
    flag('--tls-key FILE', 'private key of the certificate (PEM)'),
    flag('--variant NAME=VALUE', 'choose a behaviour that the API document leaves open, such as created-status=201', {
      repeat: true,
    }),
    flag('--strange SEED', 'choose all such behaviours at random, the same for each seed', {
      kind: 'whole',
      minimum: 0,
    }),
    flag('--strict-input', 'reject fields and parameters that the API document does not show'),
    flag('--client ID=CALLBACK', 'register another application', { repeat: true }),
    flag('--token-for USER', 'print an access token for this user; USER=1h, USER=expired and USER=revoked limit it', {
      repeat: true,
    }),
    flag('--verify USER', 'verify the address of this end user', { repeat: true }),
    flag('--now TIME', 'start the clock at this time (ISO 8601)'),
    flag('--random-seed N', 'seed for IDs, codes and tokens, the same in each run', { kind: 'whole', minimum: 0 }),
    flag('--latency 20ms', 'delay of each response'),
    flag('--fault RULE', 'fault to inject, such as "503 every=5"', { repeat: true, notEmpty: true }),
    flag('--cors ORIGIN', 'allow requests from web pages of this origin', { repeat: true }),
  ],
  examples: {
    'Serve the data that --offline uses:': 'edu offline serve',
    'For a test suite: a free port, data in memory, connection details as JSON:':
      'edu offline serve --port 0 --memory --json',
    'Keep the data of a test environment in a folder:': 'edu offline serve --import data --export-on-exit data',
  },
  prints: 'nothing',
  endsItself: true,
  run: async (values, context) => (await import('./run-offline.js')).serve(values, context),
};

const load: Command = plainCommand({
  name: 'import',
  summary: 'Replace the data of the bundled service with an export.',
  details:
    'To test a job on a copy of your data: export, import, run the job with EDU_OFFLINE=1, check the result with ' +
    '`edu diff`, then run the job. Exports contain no passwords, logins, PDFs or cancellations of licences.',
  arguments: [{ name: 'path', description: 'folder of the export, or a JSON file', names: 'file' }],
  examples: {
    'Load an export:': 'edu offline import yesterday',
    'Test a change on it:': 'edu offline import yesterday && EDU_OFFLINE=1 edu licenses list --limit 3',
  },
  prints: 'nothing',
  endsItself: true,
  run: async (values, context) => (await import('./run-offline.js')).load(textOf(values, 'path') ?? '', context),
});

export const group: Group = { name: 'offline', commands: [info, reset, load, serve] };
