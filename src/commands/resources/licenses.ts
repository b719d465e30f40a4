/** `edu licenses …` */
import { type Group, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { flagsFor, type Overrides } from '../../cli/flags-from-fields.js';
import { activation, license, licenses } from '../../contract/licenses.js';
import { dayOf } from '../../core/day.js';
import { usageError } from '../../core/errors.js';
import { getPath } from '../../core/json.js';
import { plural } from '../../core/plural.js';
import { type Assignment, assignOf } from '../kinds/assign.js';
import { createOf, eachOf, getOf, listOf, listUnder, updateOf } from '../kinds/of-resource.js';
import { fetchItem } from '../kinds/references.js';
import type { Amendment, Draft } from '../kinds/spec.js';
import { licensesSync } from '../plan/sync.js';
import { summary } from '../summary/index.js';
import { CATEGORY_RESET, decideCategory, noteDefaultCategory, RESET_CATEGORY } from './license-category.js';
import { newLicenceCode } from './license-code.js';
import { EXPIRATION, EXPIRATION_TYPE, EXTEND, expirationFrom, expirationProblems } from './license-expiration.js';
import { FILTER_DETAILS, LICENCE_FILTERS, licenceFilter } from './license-filter-flags.js';

const opensBooks = (values: Values): boolean => values.type === 'Books';

const OVERRIDES: Overrides = {
  code: { description: 'code of lowercase letters and digits', note: 'default: generated' },
  books: {
    name: 'book',
    aliases: ['books'],
    needed: opensBooks,
    description: 'book that the licence opens, by ID, EAN or title',
  },
  'expiration.type': false,
  'expiration.days': {
    name: 'days',
    value: 'N',
    description: 'validity in days from activation',
    needed: opensBooks,
    instead: 'until',
  },
  'expiration.date': { name: 'until', description: 'last day of validity, instead of --days' },
  type: { value: 'TYPE' },
};

async function amendCreate(draft: Draft, context: Context): Promise<Amendment> {
  const { values } = draft;
  // A generated code lets `edu` find the licence if the response to the request is lost.
  const code = textOf(values, 'code') ?? newLicenceCode(context.randomBytes);
  const expiration = expirationFrom(values);
  // Loaded only if needed: an import for each row of a job takes as long as its plan.
  const end = values.until === undefined ? undefined : await import('../kinds/past-end.js');
  return {
    body: expiration === undefined ? { code } : { code, expiration },
    write: {
      what: `licence ${code}`,
      hasOwnKey: values.code === undefined,
      inspect: values['license-category'] === undefined ? (answer) => noteDefaultCategory(answer, context) : undefined,
      ...(end && (await end.pastEnd('licence', 'until', draft, context))),
    },
  };
}

async function amendUpdate({ values, present, what }: Draft, context: Context): Promise<Amendment> {
  const { changedExpiration, earlierEnd, extendAgain, presentExpiration } = await import('./license-end.js');
  const changed = changedExpiration(values, present, what);
  const expiration = changed ?? presentExpiration(present);
  const risk = earlierEnd(changed, present, what, dayOf(context.now()));
  const decision = await decideCategory(values, present, what, context);
  const category = textOf(decision.answers ?? {}, CATEGORY_RESET.keep);
  return {
    body: {
      ...(expiration === undefined ? {} : { expiration }),
      ...(category === undefined ? {} : { licenseCategory: category }),
    },
    write: {
      ...decision,
      ...(risk === undefined ? {} : { risk }),
      ...(values[EXTEND.name] === undefined ? {} : { retryHint: extendAgain(changed) }),
    },
  };
}

const ASSIGN: Assignment = {
  resource: license,
  endpoint: licenses.assign,
  done: 'Assigned',
  what: (licence, user) => `licence ${licence} to ${user}`,
  unchanged: (licence, user) => `${user} has licence ${licence} already.`,
};

export const group: Group = {
  name: 'licenses',
  details: 'Give a licence by ID, code or name; code:CODE is always a code.',
  commands: [
    listOf(license, {
      flags: [
        ...flagsFor('query', licenses.list.query, { type: { required: false, value: 'TYPE', note: 'default: both' } }),
        ...LICENCE_FILTERS,
      ],
      details: FILTER_DETAILS,
      examples: {
        'List all licences:': 'edu licenses list',
        'List those that end within two months:': 'edu licenses list --expires-after yesterday --expires-before +2m',
        'List the licences of a user:': 'edu licenses list --user school@example.org',
        'Write codes and activations to a spreadsheet:': 'edu licenses list -o csv --fields code,numberOfActivations',
      },
      filter: licenceFilter,
      needs: ({ query }, { type }) => type === undefined || query?.type === type,
    }),
    getOf(license, {
      examples: {
        'Show a licence by ID:': 'edu licenses get 00000001',
        'Show it by code, as JSON:': 'edu licenses get code:welcome1 --json',
      },
    }),
    listUnder(license, activation, licenses.activations, {
      name: 'activations',
      summary: 'List the activations of a licence: users and dates.',
      details: 'The service also returns 403 (forbidden) for a licence without activations.',
      examples: {
        'List the activations of a licence:': 'edu licenses activations 00000001',
        'Print the IDs of the users only:': 'edu licenses activations code:welcome1 --fields user',
      },
      named: 'user',
      people: async (values, context) => (await fetchItem(license, textOf(values, 'licence') ?? '', context)).endUsers,
      search: [...activation.search, 'firstName', 'lastName', 'email'],
    }),
    createOf(license, {
      details:
        'A licence of type Books needs --book and either --days or --until; one of type Teacher does not. With --code, running ' +
        'the command again cannot create a second licence, because a code is unique in the service.',
      overrides: OVERRIDES,
      countable: true,
      alternatives: EXPIRATION,
      risky: ['until'],
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
      amend: amendCreate,
    }),
    updateOf(license, {
      summary: 'Change a licence. Other fields are kept, except its category.',
      details:
        'An update may reset the category, because the API does not return it in a form that can be sent back. For a licence ' +
        'with a category, give --license-category or --reset-license-category. The type cannot be changed; the books ' +
        'can be changed until the first activation. --extend counts from the end of each licence; --until +1y counts from ' +
        'today. An end that moves earlier, or into the past, needs confirmation.',
      overrides: OVERRIDES,
      flags: [EXTEND, RESET_CATEGORY],
      several: true,
      alternatives: EXPIRATION,
      columns: [EXPIRATION_TYPE],
      check: expirationProblems,
      examples: {
        'Allow more activations:': 'edu licenses update 00000002 --maximum-activations 60 --license-category 01',
        'Extend two licences by a year, each from its own end:':
          'edu licenses update 00000006 code:t4mqgban --extend 1y --reset-license-category',
        'Add a book:': 'edu licenses update code:0012345 --add-book B3 --reset-license-category',
      },
      amend: amendUpdate,
      pin: async (values, context) => {
        if (values[EXTEND.name] === undefined) return undefined;
        const [given = '', second] = textsOf(values, 'licence');
        if (second !== undefined) throw usageError('a row with an extension names one licence only');
        const { changedExpiration } = await import('./license-end.js');
        const present = await fetchItem(license, given, context, true);
        return { until: textOf(changedExpiration(values, present, `licence ${given}`) as Values, 'date') };
      },
      reset: CATEGORY_RESET,
    }),
    assignOf(ASSIGN, {
      name: 'assign',
      summary: 'Assign a licence to users.',
      examples: {
        'Assign a licence to a user:': 'edu licenses assign 00000002 0000000155',
        'Assign a licence to the members of a class:': 'edu licenses assign code:0012345 --class 5a --school s1',
      },
    }),
    eachOf(license, 'cancel', {
      done: 'Cancelled',
      loss: {
        countsOf: (item) =>
          ['numberOfActivations', 'maximumActivations'].map((name) => Number(getPath(item, name)) || 0),
        say: ([used = 0, seats = 0]) =>
          `${used} of ${plural(seats, 'seat is', 'seats are')} in use. This cannot be undone; \`edu licenses delete\` only removes unused ones.`,
      },
      summary: 'Cancel licences. Asks for confirmation.',
      examples: {
        'Show the request without sending it:': 'edu licenses cancel 00000002 --dry-run',
        'Cancel two licences without confirmation, for scripts:': 'edu licenses cancel 00000003 code:12e5 --yes',
      },
    }),
    eachOf(license, 'delete', {
      done: 'Deleted',
      summary: 'Delete licences without activations. Asks for confirmation.',
      examples: {
        'Delete a licence:': 'edu licenses delete 00000006 --yes',
      },
    }),
    licensesSync,
    summary,
  ],
};
