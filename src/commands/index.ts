/**
 * All words that may follow `edu`, with what is behind each, loaded only when it is needed. The order is the one of
 * the main help page.
 */
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
    summary: 'Material of teachers and schools, made from PDFs',
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
    summary: 'End users, who belong to no organization',
    load: async () => (await import('./resources/end-users.js')).endUsersGroup,
  },
  {
    name: 'classes',
    aliases: ['class'],
    section: PEOPLE,
    summary: 'Classes of schools and the users in them',
    load: async () => (await import('./resources/classes.js')).classesGroup,
  },
  {
    name: 'schools',
    aliases: ['school'],
    section: PEOPLE,
    summary: 'Schools that your organization owns',
    load: async () => (await import('./resources/schools.js')).schoolsGroup,
  },
  {
    name: 'publishers',
    aliases: ['publisher'],
    section: PEOPLE,
    summary: 'Publishers that your organization owns',
    load: async () => (await import('./resources/publishers.js')).publishersGroup,
  },
  {
    name: 'roles',
    aliases: ['role'],
    section: PEOPLE,
    summary: 'Roles and what they permit',
    load: async () => (await import('./resources/roles.js')).rolesGroup,
  },
  {
    name: 'account',
    aliases: ['accounts'],
    section: PEOPLE,
    summary: 'Who you are and what you may do',
    load: async () => (await import('./resources/account.js')).accountGroup,
  },
  {
    name: 'whoami',
    section: SETUP,
    summary: 'The same as edu account show',
    load: async () => (await import('./resources/account.js')).whoami,
  },
  {
    name: 'auth',
    section: SETUP,
    summary: 'Log in and out, and see who you are logged in as',
    load: async () => (await import('./auth/index.js')).authGroup,
  },
  {
    name: 'login',
    section: SETUP,
    summary: 'The same as edu auth login',
    load: async () => (await import('./auth/index.js')).login,
  },
  {
    name: 'logout',
    section: SETUP,
    summary: 'The same as edu auth logout',
    load: async () => (await import('./auth/index.js')).logout,
  },
  {
    name: 'config',
    section: SETUP,
    summary: 'Settings of a profile',
    load: async () => (await import('./config/index.js')).configGroup,
  },
  {
    name: 'profiles',
    aliases: ['profile'],
    section: SETUP,
    summary: 'Sets of settings, each with a login of its own',
    load: async () => (await import('./profiles/index.js')).profilesGroup,
  },
  {
    name: 'jobs',
    aliases: ['job'],
    section: MORE,
    summary: 'Bulk jobs of this machine: look, go on, try again',
    load: async () => (await import('./jobs/index.js')).jobsGroup,
  },
  {
    name: 'offline',
    section: MORE,
    summary: 'The bundled service: rehearse without a network',
    load: async () => (await import('./offline/index.js')).offlineGroup,
  },
  {
    name: 'api',
    section: MORE,
    summary: 'Send any request to the service',
    load: async () => (await import('./api/index.js')).api,
  },
  {
    name: 'doctor',
    section: SETUP,
    summary: 'Look for what keeps edu from working',
    load: async () => (await import('./doctor/index.js')).doctor,
  },
  {
    name: 'export',
    section: MORE,
    summary: 'Every list that you may see, as files',
    load: async () => (await import('./export/index.js')).exportCommand,
  },
  {
    name: 'diff',
    section: MORE,
    summary: 'What is different between two exports',
    load: async () => (await import('./diff/index.js')).diffCommand,
  },
  {
    name: 'plan',
    section: MORE,
    summary: 'What it takes to make the service like a folder of files',
    load: async () => (await import('./plan/index.js')).planCommand,
  },
  {
    name: 'completion',
    section: MORE,
    summary: 'Tab completion for your shell',
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
    summary: 'Help for a command, or for a topic',
    load: async () => (await import('./help/index.js')).help,
  },
];

/** A command or group with its words, as help pages, references and completion walk them. */
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
