/** All commands and groups, in the order of the main help page. Each is loaded when it is needed. */
import type { Commands, Entry, Group } from '../cli/command.js';
import { nodesIn } from '../cli/find-command.js';

type Row = readonly [words: string, summary: string, load: Entry['load']];

/** The group that a module exports. */
const group = (load: () => Promise<{ readonly group: Group }>) => async (): Promise<Group> => (await load()).group;

/** By heading of the main help page: the name of each entry with its aliases, its summary and its module. */
const SECTIONS: Readonly<Record<string, readonly Row[]>> = {
  Content: [
    ['books book', 'Books, their subjects and types', group(() => import('./resources/books.js'))],
    ['readers reader', 'Readers: teaching material made from PDFs', group(() => import('./resources/readers.js'))],
    ['files file', 'Upload and download files', group(() => import('./resources/files.js'))],
  ],
  Licensing: [
    [
      'licenses licences license licence',
      'Licences, their activations and users',
      group(() => import('./resources/licenses.js')),
    ],
    [
      'subscriptions subscription',
      'Subscriptions and their users',
      group(() => import('./resources/subscriptions.js')),
    ],
  ],
  'People and organizations': [
    ['users user', 'Users of organizations', group(() => import('./resources/users.js'))],
    [
      'end-users end-user endusers enduser',
      'End users, who do not belong to an organization',
      group(() => import('./resources/end-users.js')),
    ],
    ['classes class', 'Classes and their members', group(() => import('./resources/classes.js'))],
    ['schools school', 'Schools owned by your organization', group(() => import('./resources/schools.js'))],
    ['publishers publisher', 'Publishers owned by your organization', group(() => import('./resources/publishers.js'))],
    ['roles role', 'Roles and their permissions', group(() => import('./resources/roles.js'))],
    ['account accounts', 'Your account, organization and permissions', group(() => import('./resources/account.js'))],
  ],
  'Login and settings': [
    ['whoami', 'Short for `edu account show`', async () => (await import('./resources/account.js')).whoami],
    ['auth', 'Log in, log out and check the login', group(() => import('./auth/index.js'))],
    ['login', 'Short for `edu auth login`', async () => (await import('./auth/index.js')).login],
    ['logout', 'Short for `edu auth logout`', async () => (await import('./auth/index.js')).logout],
    ['config', 'View and change settings', group(() => import('./config/index.js'))],
    ['profiles profile', 'Named sets of settings, each with its own login', group(() => import('./profiles/index.js'))],
    ['alias', 'Short names for command lines', group(() => import('./alias/index.js'))],
    ['doctor', 'Diagnose problems', async () => (await import('./doctor/index.js')).doctor],
  ],
  More: [
    ['jobs job', 'View, resume and retry bulk jobs', group(() => import('./jobs/index.js'))],
    ['offline', 'The bundled service for use without a network', group(() => import('./offline/index.js'))],
    ['api', 'Send a request to any endpoint', async () => (await import('./api/index.js')).api],
    ['export', 'Write all your data to files', async () => (await import('./export/index.js')).exportCommand],
    ['roster', "Rosters: class lists from a school's own system", group(() => import('./roster/index.js'))],
    ['diff', 'Compare two exports', async () => (await import('./diff/index.js')).diffCommand],
    ['plan', 'Plan the changes to a wanted state', async () => (await import('./plan/index.js')).planCommand],
    ['apply', 'Carry out a plan', async () => (await import('./plan/index.js')).applyCommand],
    ['undo', 'Plan the reversal of an applied plan', async () => (await import('./plan/index.js')).undoCommand],
    ['mcp', 'Let assistants read and plan', group(() => import('./mcp/index.js'))],
    ['completion', 'Print completion scripts for shells', group(() => import('./completion/index.js'))],
    ['version', 'Show the version', async () => (await import('./version/index.js')).version],
    ['help', 'Show help for a command or a topic', async () => (await import('./help/index.js')).help],
  ],
};

export const ENTRIES: Commands = Object.entries(SECTIONS).flatMap(([section, rows]) =>
  rows.map(([words, summary, load]): Entry => {
    const [name = '', ...aliases] = words.split(' ');
    return { name, ...(aliases.length === 0 ? {} : { aliases }), section, summary, load };
  }),
);

/** Every group and command, loaded. */
export const everyNode = () => nodesIn(ENTRIES);
