/** `edu mcp`: lets assistants use edu through the Model Context Protocol. */
import { type Command, type Flag, flag, type Group } from '../../cli/command.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { integer, object, text } from '../../contract/vocabulary.js';
import { plainCommand } from '../kinds/define.js';
import clients from './clients.json' with { type: 'json' };

const ENTRY = object(
  {
    time: text('time of the request (UTC)'),
    session: text('ID of the session'),
    tool: text('tool, resource or prompt'),
    asked: text('command line or words asked for'),
    outcome: text('done, refused, or the kind of the error'),
    milliseconds: integer('duration'),
  },
  'a request of an assistant',
);

const SERVER_FLAGS: readonly Flag[] = [
  flag('--allow-apply', 'let a person confirm plans in the assistant, which are then carried out'),
  flag('--redact', 'replace names and e-mail addresses of people by pseudonyms'),
  flag('--organization ID', 'only lists and wanted states of this organization, by ID or name', {
    refersTo: 'organization',
    notEmpty: true,
  }),
  flag('--resources NAMES', 'only commands of these groups, such as licenses,books', { many: true, notEmpty: true }),
];

const serve: Command = plainCommand({
  name: 'serve',
  summary: 'Serve the Model Context Protocol on stdin and stdout, for assistants.',
  details:
    'Assistants start `edu mcp`, which is short for this command. They can search commands, read, and plan changes; ' +
    'service, account and all flags of this line stay fixed. Changes need --allow-apply, a plan made since the start, and a ' +
    'person who confirms it. Requests are logged: see edu mcp log.',
  flags: SERVER_FLAGS,
  examples: {
    'Let an assistant read and plan:': 'edu mcp --profile school',
    'Rehearse with the bundled service, changes included:': 'edu mcp --offline --allow-apply',
    'Show no personal data, and only licences and books:': 'edu mcp serve --redact --resources licenses,books',
  },
  prints: 'nothing',
  traits: ['service'],
  run: async (values, context, commands) => (await import('./mcp-server.js')).serveMcp(values, context, commands),
});

const install: Command = plainCommand({
  name: 'install',
  summary: 'Print the configuration with which an assistant starts edu mcp.',
  details:
    'The assistant starts `edu mcp` with the other flags of this line, and with the profile or service that the folder or ' +
    'the environment chooses. --write adds it to the configuration file of the assistant, and keeps what the file contains.',
  flags: [
    flag('--client NAME', 'program that the assistant runs in', {
      kind: 'choice',
      choices: Object.keys(clients),
      required: true,
    }),
    flag('--write', 'write it to the configuration file of the client'),
    ...SERVER_FLAGS,
  ],
  examples: {
    'Print it for Cursor:': 'edu mcp install --client cursor --profile default',
    'Let a client rehearse with the bundled service:':
      'edu mcp install --client claude-desktop --offline --allow-apply --write',
  },
  prints: 'nothing',
  run: async (values, context) => (await import('./client-config.js')).installMcp(SERVER_FLAGS, values, context),
});

const log: Command = plainCommand({
  name: 'log',
  summary: 'List the requests of assistants on this machine, oldest first.',
  examples: {
    'Show all requests:': 'edu mcp log',
    'Show refused requests:': 'edu mcp log --query "[?outcome!=\'done\']"',
  },
  shape: ENTRY,
  prints: 'list',
  traits: LOCAL_LIST,
  run: async (_, context) => {
    const { readLog } = await import('./audit-log.js');
    await (await context.printer()).list(readLog(context.env), { shape: ENTRY, noun: 'requests' });
  },
});

export const group: Group = {
  name: 'mcp',
  alone: 'serve',
  details: '`edu mcp` alone serves an assistant: edu mcp serve.',
  commands: [serve, install, log],
};
