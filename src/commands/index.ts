/** All commands and groups, in the order of the main help page. Each is loaded when it is needed. */
import { type Command, type Commands, type Entry, type Group, isGroup } from '../cli/command.js';

/** @param names the name, and then its aliases */
function entry(section: string, names: string, summary: string, load: Entry['load']): Entry {
  const [name = '', ...aliases] = names.split(' ');
  return { name, ...(aliases.length === 0 ? {} : { aliases }), section, summary, load };
}

const content = entry.bind(undefined, 'Content');
const licensing = entry.bind(undefined, 'Licensing');
const people = entry.bind(undefined, 'People and organizations');
const setup = entry.bind(undefined, 'Login and settings');
const more = entry.bind(undefined, 'More');

export const ENTRIES: Commands = [
  content(
    'books book',
    'Books, their subjects and types',
    async () => (await import('./resources/books.js')).booksGroup,
  ),
  content(
    'readers reader',
    'Readers: teaching material made from PDFs',
    async () => (await import('./resources/readers.js')).readersGroup,
  ),
  content('files file', 'Upload and download files', async () => (await import('./resources/files.js')).filesGroup),
  licensing(
    'licenses licences license licence',
    'Licences, their activations and users',
    async () => (await import('./resources/licenses.js')).licensesGroup,
  ),
  licensing(
    'subscriptions subscription',
    'Subscriptions and their users',
    async () => (await import('./resources/subscriptions.js')).subscriptionsGroup,
  ),
  people('users user', 'Users of organizations', async () => (await import('./resources/users.js')).usersGroup),
  people(
    'end-users end-user endusers enduser',
    'End users, who do not belong to an organization',
    async () => (await import('./resources/end-users.js')).endUsersGroup,
  ),
  people(
    'classes class',
    'Classes and their members',
    async () => (await import('./resources/classes.js')).classesGroup,
  ),
  people(
    'schools school',
    'Schools owned by your organization',
    async () => (await import('./resources/schools.js')).schoolsGroup,
  ),
  people(
    'publishers publisher',
    'Publishers owned by your organization',
    async () => (await import('./resources/publishers.js')).publishersGroup,
  ),
  people('roles role', 'Roles and their permissions', async () => (await import('./resources/roles.js')).rolesGroup),
  people(
    'account accounts',
    'Your account, organization and permissions',
    async () => (await import('./resources/account.js')).accountGroup,
  ),
  setup('whoami', 'Short for `edu account show`', async () => (await import('./resources/account.js')).whoami),
  setup('auth', 'Log in, log out and check the login', async () => (await import('./auth/index.js')).authGroup),
  setup('login', 'Short for `edu auth login`', async () => (await import('./auth/index.js')).login),
  setup('logout', 'Short for `edu auth logout`', async () => (await import('./auth/index.js')).logout),
  setup('config', 'View and change settings', async () => (await import('./config/index.js')).configGroup),
  setup(
    'profiles profile',
    'Named sets of settings, each with its own login',
    async () => (await import('./profiles/index.js')).profilesGroup,
  ),
  setup('alias', 'Short names for command lines', async () => (await import('./alias/index.js')).aliasGroup),
  more('jobs job', 'View, resume and retry bulk jobs', async () => (await import('./jobs/index.js')).jobsGroup),
  more(
    'offline',
    'The bundled service for use without a network',
    async () => (await import('./offline/index.js')).offlineGroup,
  ),
  more('api', 'Send a request to any endpoint', async () => (await import('./api/index.js')).api),
  setup('doctor', 'Diagnose problems', async () => (await import('./doctor/index.js')).doctor),
  more('export', 'Write all your data to files', async () => (await import('./export/index.js')).exportCommand),
  more(
    'roster',
    "Rosters: class lists from a school's own system",
    async () => (await import('./roster/index.js')).rosterGroup,
  ),
  more('diff', 'Compare two exports', async () => (await import('./diff/index.js')).diffCommand),
  more('plan', 'Plan the changes to a wanted state', async () => (await import('./plan/index.js')).planCommand),
  more('apply', 'Carry out a plan', async () => (await import('./plan/index.js')).applyCommand),
  more('undo', 'Plan the reversal of an applied plan', async () => (await import('./plan/index.js')).undoCommand),
  more(
    'completion',
    'Print completion scripts for shells',
    async () => (await import('./completion/index.js')).completionGroup,
  ),
  more('version', 'Show the version', async () => (await import('./version/index.js')).version),
  more('help', 'Show help for a command or a topic', async () => (await import('./help/index.js')).help),
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
