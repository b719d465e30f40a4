/** All commands and groups, in the order of the main help page. Each is loaded when it is needed. */
import { type Command, type Commands, type Entry, type Group, isGroup } from '../cli/command.js';

const CONTENT = 'Content';
const LICENSING = 'Licensing';
const PEOPLE = 'People and organizations';
const SETUP = 'Login and settings';
const MORE = 'More';

export const ENTRIES: Commands = [
  {
    name: 'books',
    aliases: ['book'],
    section: CONTENT,
    summary: 'Books, their subjects and types',
    load: async () => (await import('./resources/books.js')).booksGroup,
  },
  {
    name: 'readers',
    aliases: ['reader'],
    section: CONTENT,
    summary: 'Readers: teaching material made from PDFs',
    load: async () => (await import('./resources/readers.js')).readersGroup,
  },
  {
    name: 'files',
    aliases: ['file'],
    section: CONTENT,
    summary: 'Upload and download files',
    load: async () => (await import('./resources/files.js')).filesGroup,
  },
  {
    name: 'licenses',
    aliases: ['licences', 'license', 'licence'],
    section: LICENSING,
    summary: 'Licences, their activations and users',
    load: async () => (await import('./resources/licenses.js')).licensesGroup,
  },
  {
    name: 'subscriptions',
    aliases: ['subscription'],
    section: LICENSING,
    summary: 'Subscriptions and their users',
    load: async () => (await import('./resources/subscriptions.js')).subscriptionsGroup,
  },
  {
    name: 'users',
    aliases: ['user'],
    section: PEOPLE,
    summary: 'Users of organizations',
    load: async () => (await import('./resources/users.js')).usersGroup,
  },
  {
    name: 'end-users',
    aliases: ['end-user', 'endusers', 'enduser'],
    section: PEOPLE,
    summary: 'End users, who do not belong to an organization',
    load: async () => (await import('./resources/end-users.js')).endUsersGroup,
  },
  {
    name: 'classes',
    aliases: ['class'],
    section: PEOPLE,
    summary: 'Classes and their members',
    load: async () => (await import('./resources/classes.js')).classesGroup,
  },
  {
    name: 'schools',
    aliases: ['school'],
    section: PEOPLE,
    summary: 'Schools owned by your organization',
    load: async () => (await import('./resources/schools.js')).schoolsGroup,
  },
  {
    name: 'publishers',
    aliases: ['publisher'],
    section: PEOPLE,
    summary: 'Publishers owned by your organization',
    load: async () => (await import('./resources/publishers.js')).publishersGroup,
  },
  {
    name: 'roles',
    aliases: ['role'],
    section: PEOPLE,
    summary: 'Roles and their permissions',
    load: async () => (await import('./resources/roles.js')).rolesGroup,
  },
  {
    name: 'account',
    aliases: ['accounts'],
    section: PEOPLE,
    summary: 'Your account, organization and permissions',
    load: async () => (await import('./resources/account.js')).accountGroup,
  },
  {
    name: 'whoami',
    section: SETUP,
    summary: 'Short for `edu account show`',
    load: async () => (await import('./resources/account.js')).whoami,
  },
  {
    name: 'auth',
    section: SETUP,
    summary: 'Log in, log out and check the login',
    load: async () => (await import('./auth/index.js')).authGroup,
  },
  {
    name: 'login',
    section: SETUP,
    summary: 'Short for `edu auth login`',
    load: async () => (await import('./auth/index.js')).login,
  },
  {
    name: 'logout',
    section: SETUP,
    summary: 'Short for `edu auth logout`',
    load: async () => (await import('./auth/index.js')).logout,
  },
  {
    name: 'config',
    section: SETUP,
    summary: 'View and change settings',
    load: async () => (await import('./config/index.js')).configGroup,
  },
  {
    name: 'profiles',
    aliases: ['profile'],
    section: SETUP,
    summary: 'Named sets of settings, each with its own login',
    load: async () => (await import('./profiles/index.js')).profilesGroup,
  },
  {
    name: 'alias',
    section: SETUP,
    summary: 'Short names for command lines',
    load: async () => (await import('./alias/index.js')).aliasGroup,
  },
  {
    name: 'jobs',
    aliases: ['job'],
    section: MORE,
    summary: 'View, resume and retry bulk jobs',
    load: async () => (await import('./jobs/index.js')).jobsGroup,
  },
  {
    name: 'offline',
    section: MORE,
    summary: 'The bundled service for use without a network',
    load: async () => (await import('./offline/index.js')).offlineGroup,
  },
  {
    name: 'api',
    section: MORE,
    summary: 'Send a request to any endpoint',
    load: async () => (await import('./api/index.js')).api,
  },
  {
    name: 'doctor',
    section: SETUP,
    summary: 'Diagnose problems',
    load: async () => (await import('./doctor/index.js')).doctor,
  },
  {
    name: 'export',
    section: MORE,
    summary: 'Write all your data to files',
    load: async () => (await import('./export/index.js')).exportCommand,
  },
  {
    name: 'roster',
    section: MORE,
    summary: "Rosters: class lists from a school's own system",
    load: async () => (await import('./roster/index.js')).rosterGroup,
  },
  {
    name: 'diff',
    section: MORE,
    summary: 'Compare two exports',
    load: async () => (await import('./diff/index.js')).diffCommand,
  },
  {
    name: 'plan',
    section: MORE,
    summary: 'Plan the changes to a wanted state',
    load: async () => (await import('./plan/index.js')).planCommand,
  },
  {
    name: 'apply',
    section: MORE,
    summary: 'Carry out a plan',
    load: async () => (await import('./plan/apply.js')).applyCommand,
  },
  {
    name: 'undo',
    section: MORE,
    summary: 'Plan the reversal of an applied plan',
    load: async () => (await import('./plan/undo.js')).undoCommand,
  },
  {
    name: 'completion',
    section: MORE,
    summary: 'Print completion scripts for shells',
    load: async () => (await import('./completion/index.js')).completionGroup,
  },
  {
    name: 'version',
    section: MORE,
    summary: 'Show the version',
    load: async () => (await import('./version/index.js')).version,
  },
  {
    name: 'help',
    section: MORE,
    summary: 'Show help for a command or a topic',
    load: async () => (await import('./help/index.js')).help,
  },
];

/** A command or group with its words, for help pages, references and completion. */
export interface Node {
  readonly path: string;
  readonly entry: Entry;
  readonly loaded: Group | Command;
}

/** Every group and command, loaded. */
export async function* everyNode(): AsyncGenerator<Node> {
  for (const entry of ENTRIES) {
    const loaded = await entry.load();
    yield { path: entry.name, entry, loaded };
    if (!isGroup(loaded)) continue;
    for (const command of loaded.commands) yield { path: `${entry.name} ${command.name}`, entry, loaded: command };
  }
}
