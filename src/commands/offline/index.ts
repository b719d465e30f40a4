/** `edu offline …`: the bundled service's data, and serving it over HTTP. */
import type { Command, Group } from '../../cli/command.js';
import { integer, object, text } from '../../contract/vocabulary.js';
import { itemCommand } from '../kinds/define.js';

const SEEDS = ['demo', 'empty', 'large'] as const;

const seedFlag = {
  name: 'seed',
  value: 'NAME',
  kind: 'choice',
  choices: SEEDS,
  about: 'which data to start with',
  note: 'default demo',
} as const;

const info: Command = itemCommand({
  name: 'info',
  summary: 'Show where the bundled service keeps its data and what it holds.',
  examples: [
    { about: 'Where is the data?', line: 'edu offline info' },
    { about: 'Just the folder:', line: 'edu offline info --query folder' },
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
  summary: 'Throw the data of the bundled service away and start afresh.',
  flags: [seedFlag],
  examples: [
    { about: 'Start afresh with the sample data:', line: 'edu offline reset' },
    { about: 'Start with nothing but the organizations and their users:', line: 'edu offline reset --seed empty' },
  ],
  prints: 'nothing',
  // It asks nothing, and scripts that answer every question with --yes may reset with it.
  traits: ['question'],
  run: async (values, context) => (await import('./run-offline.js')).reset(values, context),
};

const serve: Command = {
  name: 'serve',
  summary: 'Answer over HTTP, on this machine only, until Ctrl-C.',
  details:
    'Prints one line when it is ready: base URL, client id, client secret and callback URL for edu auth login. ' +
    'Requests are logged on stderr, never with a token.',
  flags: [
    { name: 'port', value: 'N', kind: 'whole', least: 0, about: 'port to listen on', note: 'default 4010; 0 for any' },
    { name: 'memory', kind: 'switch', about: 'keep nothing: start with fresh data, forget it at the end' },
    {
      name: 'seed',
      value: 'NAME|PATH',
      kind: 'text',
      about: 'data to start with: demo, empty, large, an export or a JSON file',
      note: 'default demo; needs --memory',
    },
    { name: 'base-path', value: 'PATH', kind: 'text', about: 'answer below this path, such as /content' },
    {
      name: 'callback-url',
      value: 'URL',
      kind: 'text',
      about: 'callback URL that is registered',
      note: 'default: the one that edu auth login uses',
    },
    {
      name: 'host',
      value: 'HOST',
      kind: 'text',
      repeat: true,
      about: 'address to listen on, or further name to answer to',
      note: 'default 127.0.0.1',
    },
    { name: 'ipv6', kind: 'switch', about: 'listen on ::1 as well' },
    { name: 'tls-cert', value: 'FILE', kind: 'text', about: 'serve HTTPS with this certificate (PEM)' },
    { name: 'tls-key', value: 'FILE', kind: 'text', about: 'private key of the certificate (PEM)' },
    {
      name: 'variant',
      value: 'NAME=VALUE',
      kind: 'text',
      repeat: true,
      about: 'another choice where the API document leaves one, such as created-status=201',
    },
    { name: 'strange', value: 'SEED', kind: 'whole', least: 0, about: 'a mix of such choices, the same for each seed' },
    { name: 'client', value: 'ID=CALLBACK', kind: 'text', repeat: true, about: 'register another application' },
    { name: 'token-for', value: 'USER', kind: 'text', repeat: true, about: 'print an access token of this user' },
    { name: 'now', value: 'TIME', kind: 'text', about: 'start the clock at this time (ISO 8601)' },
    { name: 'random-seed', value: 'N', kind: 'whole', least: 0, about: 'the same ids, codes and tokens in each run' },
    { name: 'latency', value: '20ms', kind: 'text', about: 'answer this much later' },
    {
      name: 'fault',
      value: 'RULE',
      kind: 'text',
      repeat: true,
      about: 'misbehave as the rule says, such as "503 every=5"',
    },
    { name: 'cors', value: 'ORIGIN', kind: 'text', repeat: true, about: 'let pages of this origin read the answers' },
  ],
  examples: [
    { about: 'Serve the data that --offline uses:', line: 'edu offline serve' },
    {
      about: 'For a test suite: a free port, fresh data, the facts as JSON:',
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
  summary: 'Load an export into the bundled service, in the place of its data.',
  details:
    'To rehearse a job on a copy of real data: export, import, run it with EDU_OFFLINE=1, look at edu diff, run it for ' +
    'real. What an export does not hold is not there: passwords, logins, PDFs, which licences are cancelled.',
  arguments: [{ name: 'dir', about: 'folder of the export' }],
  examples: [
    { about: 'Load a copy of the real data:', line: 'edu offline import yesterday' },
    {
      about: 'Rehearse on it:',
      line: 'edu offline import yesterday && EDU_OFFLINE=1 edu licenses list --limit 3',
    },
  ],
  prints: 'nothing',
  traits: [],
  endsItself: true,
  run: async (values, context) => (await import('./import.js')).importExport(values, context),
};

export const offlineGroup: Group = { name: 'offline', commands: [info, reset, load, serve] };
