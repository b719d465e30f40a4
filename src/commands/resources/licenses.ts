/** `edu licenses …` */
import { type Argument, type Flag, type Group, isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { asOptional, flagsFor, type Overrides } from '../../cli/flags-from-fields.js';
import { ORGANIZATION_FLAGS, type OrganizationBody, organizationBody } from '../../cli/organization-flags.js';
import { problemsError } from '../../cli/parser.js';
import {
  activation,
  LISTED_TYPES,
  Licence,
  LicenceActivation,
  LicenceDetail,
  license,
  licenses,
  WrittenLicence,
} from '../../contract/licenses.js';
import { personNames } from '../../contract/shared.js';
import { shape } from '../../contract/vocabulary.js';
import { getPath } from '../../core/json.js';
import { whenKnown } from '../../core/when-known.js';
import { itemCommand, listCommand, writeCommand } from '../kinds/define.js';
import { eachOf, forEachUser, NO_ORGANIZATION, type Reference } from '../kinds/of-resource.js';
import { fetchLicence, licenceId } from '../kinds/references.js';
import { changedList, filled, idsOf, notReturned, planUpdate } from '../kinds/request-body.js';
import type { Write } from '../kinds/spec.js';
import { licensesSync } from '../plan/sync.js';
import { summary } from '../summary/index.js';
import { decideCategory, noteDefaultCategory, RESET_CATEGORY, undecidedCategory } from './license-category.js';
import { newLicenceCode } from './license-code.js';
import {
  EXPIRATION,
  EXPIRATION_TYPE,
  expirationFrom,
  expirationProblems,
  pastEnd,
  presentExpiration,
} from './license-expiration.js';
import { FILTER_DETAILS, LICENCE_FILTERS, licenceFilter } from './license-filter-flags.js';

const opensBooks = (values: Values): boolean => values.type === 'Books';

const OVERRIDES: Overrides = {
  code: { kind: 'code', description: 'code of lowercase letters and digits', note: 'default: generated' },
  books: { name: 'book', aliases: ['books'], needed: opensBooks, description: 'ID of a book that the licence opens' },
  'expiration.type': false,
  'expiration.days': {
    name: 'days',
    value: 'N',
    description: 'validity in days from activation',
    needed: (values) => opensBooks(values) && values.until === undefined,
    instead: 'until',
  },
  'expiration.date': { name: 'until', description: 'last day of validity, instead of --days' },
  type: { value: 'TYPE' },
  ...NO_ORGANIZATION,
};

const CREATE_FLAGS: readonly Flag[] = [...flagsFor('body', licenses.create.body, OVERRIDES), ...ORGANIZATION_FLAGS];

/** Without those of the expiration, which are one value. */
const PLAIN_CREATE_FLAGS = CREATE_FLAGS.filter(({ target }) => target?.startsWith('body.expiration') !== true);

const bookChange = (name: string, description: string): Flag => {
  return { name, value: 'ID', kind: 'text', many: true, refersTo: 'book', description };
};
const BOOK_CHANGES: readonly Flag[] = [
  bookChange('add-book', 'ID of a book to add'),
  bookChange('remove-book', 'ID of a book to remove'),
];

const UPDATE_FLAGS: readonly Flag[] = [
  ...asOptional(flagsFor('body', licenses.update.body, OVERRIDES), LicenceDetail).map(({ needed, ...flag }) => flag),
  ...BOOK_CHANGES,
];

const UPDATE_LINE_FLAGS: readonly Flag[] = [...UPDATE_FLAGS, RESET_CATEGORY];

const NAMED_ACTIVATION = shape(
  'LicenceActivation',
  'an activation of a licence, with the name of the user',
  { ...LicenceActivation.fields, ...personNames },
  {
    prints: 'user',
    columns: [
      { title: 'User', from: 'user', rank: 0 },
      { title: 'Name', from: ['firstName', 'lastName'], as: 'person', rank: 1, minWidth: 16 },
      { title: 'Activated', from: 'creationDate', rank: 1 },
      { title: 'Expires', from: 'expirationDate', rank: 2 },
      { title: 'E-mail', from: 'email', rank: 3, minWidth: 20 },
    ],
  },
);

const LICENCE: Argument = { name: 'licence', description: 'ID of the licence, or code:CODE', refersTo: 'licence' };
const BY_CODE: Reference = { argument: LICENCE, resolve: licenceId };
const reference = (values: Values): string => textOf(values, 'licence') ?? '';

/** A promise only if it must ask or look up an organization. */
function planCreate(values: Values, context: Context): readonly Write[] | Promise<readonly Write[]> {
  return whenKnown(organizationBody(values, context), (organization) =>
    whenKnown(pastEnd(values, context), (warnings) => [newLicence(values, context, organization, warnings)]),
  );
}

function newLicence(
  values: Values,
  context: Context,
  organization: OrganizationBody,
  warnings: readonly string[],
): Write {
  const expiration = expirationFrom(values);
  // A generated code lets `edu` find the licence if the response to the request is lost.
  const code = textOf(values, 'code') ?? newLicenceCode(context.randomBytes);
  const body = filled('body', PLAIN_CREATE_FLAGS, values);
  body.code = code;
  if (expiration !== undefined) body.expiration = expiration;
  Object.assign(body, organization);
  const isDefault = textOf(values, 'license-category') === undefined;
  return {
    endpoint: licenses.create,
    input: { body },
    what: `licence ${code}`,
    hasOwnKey: values.code === undefined,
    warnings,
    ...(isDefault ? { inspect: (answer: unknown) => noteDefaultCategory(answer, context) } : {}),
  };
}

async function planLicenceUpdate(values: Values, context: Context): Promise<readonly Write[]> {
  const merging = UPDATE_FLAGS.filter(({ name }) => !['book', 'license-category', 'days', 'until'].includes(name));
  const read = () => fetchLicence(reference(values), context);
  const { body, present } = await planUpdate(
    { flags: UPDATE_FLAGS, merging, endpoint: licenses.update, values, read },
    context,
  );
  const expiration = expirationFrom(values) ?? presentExpiration(present);
  const presentBooks = idsOf(getPath(present, 'books') ?? undefined);
  const books = changedList(
    presentBooks ?? [],
    values.book === undefined ? undefined : textsOf(values, 'book'),
    textsOf(values, 'add-book'),
    textsOf(values, 'remove-book'),
  );
  if (body.type === 'Books') {
    const problems = [
      ...(presentBooks === undefined && values.book === undefined ? [notReturned('book', 'IDs of all its books')] : []),
      ...(expiration === undefined ? [notReturned('days', 'validity in days from activation')] : []),
    ];
    if (problems.length > 0) throw problemsError(problems, context.path);
  }
  const id = String(getPath(present, 'id') ?? reference(values));
  const { category, warnings } = await decideCategory(values, present, `licence ${id}`, context);
  const whole = {
    ...body,
    ...(books.length > 0 || body.type === 'Books' ? { books } : {}),
    ...(expiration === undefined ? {} : { expiration }),
    ...(category === undefined ? {} : { licenseCategory: category }),
  };
  return [
    {
      endpoint: licenses.update,
      input: { params: { id }, body: whole },
      what: `licence ${id}`,
      warnings: [...(await pastEnd(values, context)), ...warnings],
    },
  ];
}

export const licensesGroup: Group = {
  name: 'licenses',
  details: 'Give a licence by its ID, or by its code as code:CODE.',
  commands: [
    listCommand({
      name: 'list',
      noun: 'licences',
      summary: "List your organization's licences.",
      flags: [
        ...flagsFor('query', licenses.list.query, { type: { required: false, value: 'TYPE', note: 'default: both' } }),
        ...LICENCE_FILTERS,
      ],
      details: FILTER_DETAILS,
      examples: {
        'List all licences:': 'edu licenses list',
        'List those that end within two months:': 'edu licenses list --expires-after yesterday --expires-before +2m',
        'List the licences of a user:': 'edu licenses list --user school@example.org',
        'List up to 20 licences for books as JSON:': 'edu licenses list --type BOOKS --limit 20 --json',
        'Write codes and activations to a spreadsheet:': 'edu licenses list -o csv --fields code,numberOfActivations',
      },
      shape: Licence,
      search: license.search,
      filter: licenceFilter,
      sources: async (values) =>
        (textOf(values, 'type') === undefined ? LISTED_TYPES : [textOf(values, 'type')]).map((type) => ({
          endpoint: licenses.list,
          input: { query: { type } },
        })),
    }),
    itemCommand({
      name: 'get',
      summary: 'Show a licence.',
      arguments: [LICENCE],
      examples: {
        'Show a licence by ID:': 'edu licenses get 00000001',
        'Show it by code, as JSON:': 'edu licenses get code:welcome1 --json',
      },
      shape: LicenceDetail,
      fetch: (values, context) => fetchLicence(reference(values), context),
    }),
    listCommand({
      name: 'activations',
      noun: 'activations',
      summary: 'List the activations of a licence: users and dates.',
      details: 'The service also returns 403 (forbidden) for a licence without activations.',
      arguments: [LICENCE],
      examples: {
        'List the activations of a licence:': 'edu licenses activations 00000001',
        'Print the IDs of the users only:': 'edu licenses activations code:welcome1 --fields user',
      },
      shape: LicenceActivation,
      named: { field: 'user', shape: NAMED_ACTIVATION },
      search: [...activation.search, 'firstName', 'lastName', 'email'],
      sources: async (values, context) => [
        { endpoint: licenses.activations, input: { params: { id: await licenceId(reference(values), context) } } },
      ],
    }),
    writeCommand({
      name: 'create',
      done: 'Created',
      summary: 'Create a licence.',
      details:
        'A licence of type Books needs --book and either --days or --until; one of type Teacher does not. With --code, running ' +
        'the command again cannot create a second licence, because a code is unique in the service.',
      flags: CREATE_FLAGS,
      key: 'code',
      countable: true,
      alternatives: EXPIRATION,
      columns: [EXPIRATION_TYPE],
      check: expirationProblems,
      examples: {
        'Create a licence for two books and 30 users, valid for a year after activation:':
          'edu licenses create --name Autumn --type Books --book B1,B2 --days 365 --maximum-activations 30',
        'Create a licence for teachers with your own code:':
          'edu licenses create --name Staff --type Teacher --code staff2027 --maximum-activations 5',
        'Show the request without sending it:':
          'edu licenses create --name Trial --type Books --book B1 --until 2030-07-31 --maximum-activations 1 --dry-run',
      },
      shape: WrittenLicence,
      plan: planCreate,
    }),
    writeCommand({
      name: 'update',
      done: 'Updated',
      summary: 'Change a licence. Other fields are kept, except its category.',
      details:
        'An update may reset the category, because the API does not return it in a form that can be sent back. For a licence ' +
        'with a category, give --license-category or --reset-license-category. The type cannot be changed; the books ' +
        'can be changed until the first activation.',
      arguments: [LICENCE],
      flags: UPDATE_LINE_FLAGS,
      oneAtLeast: true,
      alternatives: EXPIRATION,
      columns: [EXPIRATION_TYPE],
      check: expirationProblems,
      examples: {
        'Allow more activations:': 'edu licenses update 00000002 --maximum-activations 60 --license-category 01',
        'Add a book:': 'edu licenses update code:0012345 --add-book B3 --reset-license-category',
      },
      shape: WrittenLicence,
      plan: planLicenceUpdate,
      reset: {
        flag: RESET_CATEGORY.name,
        what: 'licence category',
        find: async (values, context) => {
          if (isOn(values, RESET_CATEGORY.name) || textOf(values, 'license-category') !== undefined) return undefined;
          return undecidedCategory(values, await fetchLicence(reference(values), context), context);
        },
      },
    }),
    writeCommand({
      name: 'assign',
      done: 'Assigned',
      summary: 'Assign a licence to users.',
      arguments: [
        LICENCE,
        { name: 'user', description: 'IDs or e-mail addresses of users', many: true, refersTo: 'user' },
      ],
      examples: {
        'Assign a licence to a user:': 'edu licenses assign 00000002 0000000155',
        'Assign a licence by code to two users, one by e-mail address:':
          'edu licenses assign code:0012345 school@example.org 0000000155',
      },
      shape: licenses.assign.returns,
      plan: forEachUser(licenses.assign, BY_CODE, 'licenseId', (user, licence) => `licence ${licence} to ${user}`),
    }),
    eachOf(
      license,
      'cancel',
      {
        done: 'Cancelled',
        act: 'Cancel',
        shape: LicenceDetail,
        summary: 'Cancel licences. Asks for confirmation.',
        examples: {
          'Show the request without sending it:': 'edu licenses cancel 00000002 --dry-run',
          'Cancel two licences without confirmation, for scripts:': 'edu licenses cancel 00000003 code:12e5 --yes',
        },
      },
      BY_CODE,
    ),
    eachOf(
      license,
      'delete',
      {
        done: 'Deleted',
        act: 'Delete',
        shape: LicenceDetail,
        summary: 'Delete licences without activations. Asks for confirmation.',
        examples: {
          'Delete a licence:': 'edu licenses delete 00000006 --yes',
          'Send nothing yet:': 'edu licenses delete 00000006 code:autumn --dry-run',
        },
      },
      BY_CODE,
    ),
    licensesSync,
    summary,
  ],
};
