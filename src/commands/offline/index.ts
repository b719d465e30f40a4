/** `edu offline …`: shows, resets, imports and serves the data of the bundled service. */
import type { Command, Group } from '../../cli/command.js';
import { integer, object, text } from '../../contract/vocabulary.js';
import { itemCommand } from '../kinds/define.js';

const seedFlag = (note: string) =>
  ({
    name: 'seed',
    value: 'NAME|PATH',
    kind: 'text',
    notEmpty: true,
    description: 'initial data: demo, empty, large, the folder of an export or a JSON file',
    note,
  }) as const;

const info: Command = itemCommand({
  name: 'info',
  summary: 'Show the data folder of the bundled service and its contents.',
  examples: [
    { description: 'Show the folder and the number of items:', line: 'edu offline info' },
    { description: 'Print the folder only:', line: 'edu offline info --query folder' },
  ],
  shape: object(
    {
      folder: text('folder of the data'),
      seed: text('what it was started with'),
      bytes: integer('size on disk'),
      organizations: integer('number of organizations'),
      users: integer('number of users'),
      books: integer('number of books'),
      readers: integer('number of readers'),
      licences: integer('number of licences'),
      subscriptions: integer('number of subscriptions'),
      classes: integer('number of classes'),
      files: integer('number of files'),
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
  examples: [
    { description: 'Reset to the sample data:', line: 'edu offline reset' },
    { description: 'Keep only the organizations and their users:', line: 'edu offline reset --seed empty' },
    { description: 'Start from an export:', line: 'edu offline reset --seed ./yesterday' },
  ],
  prints: 'nothing',
  // Accepts --yes, although it asks nothing, for scripts that pass it to every command.
  traits: ['question'],
  run: async (values, context) => (await import('./run-offline.js')).reset(values, context),
};

const serve: Command = {
  name: 'serve',
  summary: 'Serve the bundled service over HTTP on this machine.',
  details:
    'Runs until Ctrl-C. When ready, prints one line with base URL, client ID, client secret and callback URL for ' +
    '`edu auth login`. Logs requests to stderr, never with a token.',
  flags: [
    {
      name: 'port',
      value: 'N',
      kind: 'whole',
      minimum: 0,
      description: 'port to listen on',
      note: 'default 4010; 0 for any',
    },
    { name: 'memory', kind: 'switch', description: 'keep all data in memory only' },
    seedFlag('default demo; needs --memory'),
    { name: 'base-path', value: 'PATH', kind: 'text', description: 'path of the base URL, such as /content' },
    {
      name: 'callback-url',
      value: 'URL',
      kind: 'text',
      description: 'registered callback URL',
      note: 'default: that of `edu auth login`',
    },
    {
      name: 'host',
      value: 'HOST',
      kind: 'text',
      repeat: true,
      description: 'address to listen on, or additional host name to accept',
      note: 'default 127.0.0.1',
    },
    { name: 'ipv6', kind: 'switch', description: 'listen on ::1 as well' },
    { name: 'tls-cert', value: 'FILE', kind: 'text', description: 'serve HTTPS with this certificate (PEM)' },
    { name: 'tls-key', value: 'FILE', kind: 'text', description: 'private key of the certificate (PEM)' },
    {
      name: 'variant',
      value: 'NAME=VALUE',
      kind: 'text',
      repeat: true,
      description: 'choose a behaviour that the API document leaves open, such as created-status=201',
    },
    {
      name: 'strange',
      value: 'SEED',
      kind: 'whole',
      minimum: 0,
      description: 'choose all such behaviours at random, the same for each seed',
    },
    { name: 'client', value: 'ID=CALLBACK', kind: 'text', repeat: true, description: 'register another application' },
    {
      name: 'token-for',
      value: 'USER',
      kind: 'text',
      repeat: true,
      description: 'print an access token for this user; USER=1h, USER=expired and USER=revoked limit it',
    },
    { name: 'verify', value: 'USER', kind: 'text', repeat: true, description: 'verify the address of this end user' },
    { name: 'now', value: 'TIME', kind: 'text', description: 'start the clock at this time (ISO 8601)' },
    {
      name: 'random-seed',
      value: 'N',
      kind: 'whole',
      minimum: 0,
      description: 'seed for IDs, codes and tokens, the same in each run',
    },
    { name: 'latency', value: '20ms', kind: 'text', description: 'delay of each response' },
    {
      name: 'fault',
      value: 'RULE',
      kind: 'text',
      repeat: true,
      description: 'fault to inject, such as "503 every=5"',
    },
    {
      name: 'cors',
      value: 'ORIGIN',
      kind: 'text',
      repeat: true,
      description: 'allow requests from web pages of this origin',
    },
  ],
  examples: [
    { description: 'Serve the data that --offline uses:', line: 'edu offline serve' },
    {
      description: 'For a test suite: a free port, data in memory, connection details as JSON:',
      line: 'edu offline serve --port 0 --memory --json',
    },
  ],
  prints: 'nothing',
  traits: [],
  endsItself: true,
  run: async (values, context) => (await import('./run-offline.js')).serve(values, context),
};

const load: Command = {
  name: 'import',
  summary: 'Replace the data of the bundled service with an export.',
  details:
    'To test a job on a copy of your data: export, import, run the job with EDU_OFFLINE=1, check the result with ' +
    '`edu diff`, then run the job. Exports contain no passwords, logins, PDFs or cancellations of licences.',
  arguments: [{ name: 'path', description: 'folder of the export, or a JSON file' }],
  examples: [
    { description: 'Load an export:', line: 'edu offline import yesterday' },
    {
      description: 'Test a change on it:',
      line: 'edu offline import yesterday && EDU_OFFLINE=1 edu licenses list --limit 3',
    },
  ],
  prints: 'nothing',
  traits: [],
  endsItself: true,
  run: async (values, context) => (await import('./import.js')).importExport(values, context),
};

export const offlineGroup: Group = { name: 'offline', commands: [info, reset, load, serve] };
