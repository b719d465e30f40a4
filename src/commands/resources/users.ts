/** `edu users …` */
import { exclusive, type Flag, flag, type Group, isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { flagsFor, type Overrides } from '../../cli/flags-from-fields.js';
import { ALL_ORGANIZATIONS, ORGANIZATION_FLAGS, organizationFor } from '../../cli/organization-flags.js';
import { problemsError } from '../../cli/parser.js';
import { shown } from '../../cli/read-value.js';
import { idsOf } from '../../client/references/id-in.js';
import { organizationIn } from '../../client/references/item-index.js';
import { account } from '../../contract/account.js';
import { license } from '../../contract/licenses.js';
import { duplicateFields, user, users } from '../../contract/users.js';
import { object, text } from '../../contract/vocabulary.js';
import { dayOf, readDay } from '../../core/day.js';
import { usageError } from '../../core/errors.js';
import { asId, getPath } from '../../core/json.js';
import { getOrSet } from '../../core/maps.js';
import { ofWhole } from '../../output/select/item-pages.js';
import { itemCommand, listCommand } from '../kinds/define.js';
import { createOf, eachOf, getOf, listOf, listUnder, NO_ORGANIZATION, updateOf } from '../kinds/of-resource.js';
import { argumentFor, callFor, USERS } from '../kinds/references.js';
import { filled, notReturned } from '../kinds/request-body.js';
import type { Amendment, Arranged, Call, Draft } from '../kinds/spec.js';

const OVERRIDES: Overrides = {
  // The user's language is that of the command: --language, environment, profile, or EN.
  language: false,
  roles: {
    name: 'role',
    aliases: ['roles'],
    required: false,
    offered: true,
    description: "role in the user's organization, by ID or name",
  },
  ...NO_ORGANIZATION,
};

/** The organization is prompted for first, because it determines the roles to choose from. */
const CREATE_FLAGS: readonly Flag[] = [
  ...ORGANIZATION_FLAGS.map((flag) => (flag.name === 'organization' ? { ...flag, offered: true } : flag)),
  ...flagsFor('body', users.create.body, OVERRIDES),
];

const MOVE_FLAGS: readonly Flag[] = ORGANIZATION_FLAGS.map((flag) =>
  flag.name === 'organization'
    ? { ...flag, description: 'organization to move the user to, by ID or name', note: '', readAs: 'organization.id' }
    : { ...flag, note: '', readAs: 'organization.type' },
);

const DATE: Flag = flag('--date DATE', 'day of the modifications (yyyy-MM-dd, today or -2w; default: yesterday)', {
  aliases: ['date-to-check'],
  kind: 'date',
  target: 'query.dateToCheck',
});

const SINCE: Flag = flag('--since DATE', 'every day from this one to today (yyyy-MM-dd, -1w, -1m)', {
  kind: 'date',
});

const ROLE: Flag = flag('--role ROLE', 'only users with one of these roles, by ID or name', {
  many: true,
  refersTo: 'role',
  group: 'Filter',
});

const DUPLICATES: Flag = flag('--duplicates', 'only users who may be the same person, in groups', { group: 'Filter' });

const DUPLICATE_GROUPS: Arranged = {
  shape: ({ columns = [], ...shape }) => ({
    ...shape,
    fields: { ...duplicateFields, ...shape.fields },
    columns: [{ title: 'Group', from: 'group', rank: 1 }, { title: 'Same', from: 'same', rank: 2 }, ...columns],
  }),
  async *pages(pages) {
    yield* ofWhole(pages, (await import('./duplicate-users.js')).groupDuplicates);
  },
};

/** The API document says only that the items are IDs. */
const MODIFIED = object({ id: text('user ID') }, 'a modified user');

/**
 * The day of a list of modifications, behind its noun. The service does not say in which time zone it counts.
 * @throws EduError `usage` for a day in the future
 */
async function onDay(values: Values, context: Context): Promise<string> {
  const since = textOf(values, 'since');
  const day = textOf(values, 'date');
  if ((since ?? day ?? '') > dayOf(context.now()))
    throw usageError(`${since === undefined ? `--date ${day}` : `--since ${since}`} is in the future.`);
  if (since !== undefined) return `since ${since}`;
  return day === undefined
    ? `on ${readDay('yesterday', context.now())} (UTC yesterday); --date looks at another day`
    : `on ${day}`;
}

/** @param now milliseconds since the epoch */
function modifiedSources(values: Values, now: number): readonly Call[] {
  const since = textOf(values, 'since');
  const endpoint = users.checkModified;
  if (since === undefined) return [{ endpoint, input: { query: filled('query', [DATE], values) } }];
  const calls: Call[] = [];
  const today = dayOf(now);
  for (let day = since; day <= today; day = readDay('tomorrow', Date.parse(`${day}T00:00:00Z`)) ?? '~')
    calls.push({ endpoint, input: { query: { dateToCheck: day } } });
  return calls;
}

/**
 * The organization of an updated user: PUT replaces it, so the present one is sent unless another is given.
 * @throws EduError `usage` if roles of the present one would be sent with another ("Roles and permissions")
 */
async function organizationAfter({ values, present, what }: Draft, context: Context): Promise<Amendment> {
  const before = organizationIn(present);
  const type = textOf(values, 'organization-type') ?? before?.type;
  const isMoved = values.organization !== undefined;
  // The configured organization is that of lists and creates: no update moves a user to it.
  if (!isMoved && type !== before?.type) throw usageError(`--organization-type ${type} needs --organization as well.`);
  const organization = isMoved ? await organizationFor(values, context) : before;
  if (organization === undefined) throw problemsError([notReturned('organization')], context.path);
  const roles = values.role === undefined && before?.id !== organization.id ? idsOf(getPath(present, 'roles')) : [];
  if (before === undefined || roles === undefined || roles.length === 0) return { body: { organization } };
  throw usageError(
    `--role is missing: the roles of ${what} belong to organization ${before.id}.`,
    `Pass roles of organization ${organization.id}, or --role "" for none.`,
  );
}

const ownIds = new WeakMap<Context, Promise<string | undefined>>();

/** The caller's own ID, read once per run. */
const ownId = (context: Context): Promise<string | undefined> =>
  getOrSet(ownIds, context, async () => {
    const { call } = await context.client();
    return asId((await call(account.show, {}, { signal: context.signal })).id);
  });

export const group: Group = {
  name: 'users',
  details: 'Give a user by ID, e-mail address or name; --in ORGANIZATION looks up names in another organization.',
  commands: [
    listOf(user, {
      flags: [ROLE, DUPLICATES],
      details:
        '--duplicates prints groups of users who may be the same person: the same address but for case and dots before ' +
        'the @, or the same name but for case and accents in one organization.',
      // Each organization has its own roles.
      check: exclusive(ALL_ORGANIZATIONS.name, ROLE.name),
      arranged: (values) => (isOn(values, DUPLICATES.name) ? DUPLICATE_GROUPS : undefined),
      filter: async (values) => {
        const wanted = textsOf(values, ROLE.name);
        if (wanted.length === 0) return undefined;
        const { allOf, checkFilters, notShown } = await import('../kinds/list-filter.js');
        const hasRole = (item: unknown) =>
          idsOf(getPath(item, 'roles'))?.some((id) => wanted.includes(id)) ?? notShown('roles');
        return allOf(checkFilters([hasRole], user.noun));
      },
      examples: {
        'List the users of your organization:': 'edu users list',
        'Find a person in your organization and all that it owns:': 'edu users list --all-organizations --search rossi',
        'List the e-mail addresses of the users of a school:': 'edu users list --organization s1 --fields email',
      },
    }),
    getOf(user, {
      examples: {
        'Show a user by e-mail address:': 'edu users get school@example.org',
      },
    }),
    listOf(license, {
      name: 'licenses',
      aliases: ['licences'],
      summary: "List your organization's licences that a user holds.",
      details: 'All licences are read; their activations too where a licence does not name all its users.',
      arguments: [argumentFor(user)],
      examples: {
        'List the licences of a user:': 'edu users licenses school@example.org',
        'Print their codes, for a script:': 'edu users licenses 0000000155 --fields code',
      },
      filter: async (values, context) => {
        const { holderFilter } = await import('./license-filters.js');
        return holderFilter(textOf(values, 'user') ?? '', context);
      },
    }),
    itemCommand({
      name: 'find',
      summary: 'Find the ID of a user by e-mail address.',
      arguments: [{ name: 'email', description: 'e-mail address' }],
      examples: {
        'Find a user:': 'edu users find school@example.org',
      },
      shape: object({ id: text('user ID') }, 'a user'),
      // A text without @ would be taken for an ID, and printed without asking the service.
      check: (values) => {
        const email = textOf(values, 'email');
        if (email === undefined || email.includes('@')) return [];
        return [{ where: 'EMAIL', message: `must be an e-mail address, not ${shown(email)}` }];
      },
      fetch: async (values, context) => {
        const { idFound } = await import('../../client/references/get-item.js');
        const email = (textOf(values, 'email') ?? '').trim();
        return { id: idFound(await callFor(users.findByEmail, email, context), users.findByEmail, 'user', email) };
      },
    }),
    createOf(user, {
      summary: 'Create a user. The service sends the user a password by e-mail.',
      flags: CREATE_FLAGS,
      examples: {
        'Create a user in your organization:':
          'edu users create --first-name Mia --last-name Brandt --email mia@press.example --language DE',
        'Create a user with a role in a school that you own:':
          'edu users create --first-name Noor --last-name Visser --email noor@school.example --organization s1 --role s1-teacher --dry-run',
      },
      overrides: OVERRIDES,
      amend: ({ values }) => (values.role === undefined ? { body: { roles: [] } } : {}),
    }),
    updateOf(user, {
      summary: 'Change the names, the roles or the organization of a user.',
      details:
        'Other fields are kept. --role replaces all roles; a user who moves to another organization needs its roles.',
      overrides: OVERRIDES,
      flags: MOVE_FLAGS,
      examples: {
        'Correct a name:': 'edu users update 0000000155 --last-name Jansen',
        'Remove a role:': 'edu users update school@example.org --remove-role s1-teacher',
      },
      amend: organizationAfter,
    }),
    eachOf(user, 'anonymize', {
      aliases: ['anonymise'],
      done: 'Anonymized',
      forGood: true,
      summary: 'Anonymize users. This cannot be undone. Asks for confirmation.',
      details: 'You cannot anonymize your own account.',
      arguments: [USERS],
      examples: {
        'Anonymize a user without confirmation:': 'edu users anonymize 0000000158 --yes',
      },
      checkEach: async (id, given, context) => {
        if (id === (await ownId(context)))
          throw usageError(`Refusing to anonymize user ${given}: this is the account you are logged in as.`);
      },
    }),
    listCommand({
      name: 'modified',
      noun: 'users',
      summary: 'List the users that were changed on a day, or since a day.',
      details: 'Only for users that your organization created.',
      flags: [DATE, SINCE],
      check: exclusive('date', 'since'),
      examples: {
        'List the users modified yesterday:': 'edu users modified',
        'List the users modified in the last week, by name:': 'edu users modified --since -1w --with-names',
      },
      shape: MODIFIED,
      named: 'id',
      search: [...user.search, 'id'],
      filter: async () => ({ keep: (await import('../kinds/list-filter.js')).distinct() }),
      scope: onDay,
      sources: async (values, context) => modifiedSources(values, context.now()),
    }),
    listUnder(user, { noun: ['modification', 'modifications'] }, users.modifications, {
      name: 'modifications',
      summary: 'List the modifications of a user on a day.',
      flags: [DATE],
      scope: onDay,
      examples: {
        'List the modifications of yesterday:': 'edu users modifications 0000000155',
        'List those of another day, as JSON:': 'edu users modifications school@example.org --date 2026-09-01 --json',
      },
    }),
    itemCommand({
      name: 'last-login',
      aliases: ['lastlogin'],
      summary: 'Show when a user last logged in: iPad, web and overall.',
      details: 'Only for users that your organization created.',
      arguments: [argumentFor(user)],
      examples: {
        'Show the last login of a user:': 'edu users last-login school@example.org',
      },
      shape: users.lastLogin.returns,
      fetch: async (values, context) => callFor(users.lastLogin, textOf(values, 'user') ?? '', context),
    }),
  ],
};
