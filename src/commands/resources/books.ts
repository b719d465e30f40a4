/** `edu books …` */
import type { Flag, Group, Values } from '../../cli/command.js';
import { textOf } from '../../cli/command.js';
import { asOptional, flagsFor, type Overrides } from '../../cli/flags-from-fields.js';
import { ORGANIZATION_FLAGS, organizationBody } from '../../cli/organization-flags.js';
import { book, books, bookType, subject, WrittenBook } from '../../contract/books.js';
import { Licence, license } from '../../contract/licenses.js';
import { idArgument, listCommand, writeCommand } from '../kinds/define.js';
import { fetchOne, getOf, listOf, NO_ORGANIZATION } from '../kinds/of-resource.js';
import { filled } from '../kinds/request-body.js';
import { planUpdate } from '../kinds/update.js';
import { uploads } from '../kinds/uploads.js';
import { editCommand } from './editor.js';
import { FILTERS_OF_BOOK, licenceFilter } from './license-filter-flags.js';

const OVERRIDES: Overrides = {
  stream: { name: 'level', aliases: ['stream'] },
  type: { value: 'TYPE' },
  language: { name: 'content-language', value: 'LL' },
  ...NO_ORGANIZATION,
  pdfFile: { name: 'pdf', kind: 'pdf' },
  coverFile: { name: 'cover', kind: 'image' },
};

const CREATE_FLAGS: readonly Flag[] = [...flagsFor('body', books.create.body, OVERRIDES), ...ORGANIZATION_FLAGS];

const UPDATE_FLAGS: readonly Flag[] = asOptional(flagsFor('body', books.update.body, OVERRIDES)).map((flag) =>
  flag.name === 'content-language' ? { ...flag, required: true } : flag,
);

/** Only responses to writes contain the second subject, so an update cannot read and keep it. */
const secondSubjectWarning = (id: string, values: Values, present: unknown): readonly string[] =>
  textOf(values, 'second-subject') !== undefined || hasSecondSubject(present)
    ? []
    : [
        `The service does not show the second subject of book ${id}, so this update may clear it. Pass --second-subject to keep it.`,
      ];

const hasSecondSubject = (book: unknown): boolean =>
  typeof book === 'object' && book !== null && 'secondSubject' in book;

const ID = idArgument('ID of the book', 'book');

export const booksGroup: Group = {
  name: 'books',
  commands: [
    listOf(book, {
      summary: 'List the books of your organization, or of one that it owns.',
      examples: {
        'List the books of your organization, with German subject names:': 'edu books list --language DE',
        'List the books of a publisher that you own, as JSON:':
          'edu books list --organization p1 --organization-type Publisher --json',
      },
    }),
    getOf(book, {
      summary: 'Show a book of your organization.',
      examples: {
        'Show a book:': 'edu books get B1',
        'Print the title only:': 'edu books get B1 --query title',
      },
    }),
    editCommand({
      thing: 'book',
      endpoint: books.editor,
      argument: ID,
      examples: {
        'Open the editor in your browser:': 'edu books edit B1',
        'Print the address instead of opening it:': 'edu books edit B1 --print-url',
      },
    }),
    listCommand({
      name: 'licenses',
      aliases: ['licences'],
      noun: 'licences',
      summary: "List your organization's licences for a book.",
      arguments: [ID],
      flags: FILTERS_OF_BOOK,
      examples: {
        'List the licences of a book:': 'edu books licenses B1',
        'Count the licences of a book:': 'edu books licenses B1 --query "length(@)"',
      },
      shape: Licence,
      search: license.search,
      filter: licenceFilter,
      sources: async (values) => [{ endpoint: books.licenses, input: { params: { id: textOf(values, 'id') ?? '' } } }],
    }),
    listOf(subject, {
      summary: 'List the subjects of books and classes.',
      name: 'subjects',
      examples: {
        'List the subjects in French:': 'edu books subjects --language FR',
        'Find the ID of a subject:': `edu books subjects --query "[?translatedName=='Mathematics'].id"`,
      },
    }),
    listOf(bookType, {
      summary: 'List the types of books.',
      name: 'types',
      examples: {
        'List the types:': 'edu books types',
        'List them in Dutch, as JSON:': 'edu books types --language NL --json',
      },
    }),
    writeCommand({
      name: 'create',
      done: 'Created',
      summary: 'Create a book, optionally with PDF and cover.',
      flags: CREATE_FLAGS,
      key: 'ean',
      details: '--content-language is the language of the book, --language that of names in the result.',
      examples: {
        'Create a book without files:':
          'edu books create --ean 9783000000017 --title "Algebra 7" --year 7 --subject 0001 --type Coursebook --content-language DE',
        'Show the request without sending it:':
          'edu books create --ean 0000000000123 --title Atlas --year 5 --subject 0005 --type Guide --content-language EN --dry-run',
      },
      shape: WrittenBook,
      plan: async (values, context) => {
        const body = {
          ...filled('body', CREATE_FLAGS, values),
          ...uploads(
            [
              { flag: 'pdf', field: 'pdfFile', expected: 'pdf' },
              { flag: 'cover', field: 'coverFile', expected: 'image' },
            ],
            values,
            context,
          ),
          ...(await organizationBody(values, context)),
        };
        return [
          {
            endpoint: books.create,
            input: { query: { language: context.language() }, body },
            what: `book ${textOf(values, 'ean')}`,
          },
        ];
      },
    }),
    writeCommand({
      name: 'update',
      done: 'Updated',
      summary: 'Change a book. Other fields are kept, except its second subject.',
      details:
        'The API returns neither the language nor the second subject of a book: --content-language is always required, ' +
        'and an update without --second-subject may clear the second subject.',
      arguments: [ID],
      flags: UPDATE_FLAGS,
      oneAtLeast: true,
      examples: {
        'Change the title of a book:': 'edu books update B1 --title "Algebra 7 (revised)" --content-language DE',
        'Show the request without sending it:': 'edu books update B1 --year 8 --content-language DE --dry-run',
      },
      shape: WrittenBook,
      plan: async (values, context) => {
        const id = textOf(values, 'id') ?? '';
        const { body, present } = await planUpdate(
          { flags: UPDATE_FLAGS, endpoint: books.update, values, read: () => fetchOne(book, id, context) },
          context,
        );
        return [
          {
            endpoint: books.update,
            input: { params: { id }, query: { language: context.language() }, body },
            what: `book ${id}`,
            warnings: secondSubjectWarning(id, values, present),
          },
        ];
      },
    }),
  ],
};
