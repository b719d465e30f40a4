/** `edu books …` */
import type { Group } from '../../cli/command.js';
import type { Overrides } from '../../cli/flags-from-fields.js';
import { book, books, bookType, subject } from '../../contract/books.js';
import { license } from '../../contract/licenses.js';
import { createOf, getOf, listOf, listUnder, updateOf } from '../kinds/of-resource.js';
import { editOf } from './editor.js';
import { FILTERS_OF_BOOK, licenceFilter } from './license-filter-flags.js';
import { whyInactive } from './why-inactive.js';

const OVERRIDES: Overrides = {
  stream: { name: 'level', aliases: ['stream'] },
  language: { name: 'content-language', value: 'LL' },
  pdfFile: { name: 'pdf', kind: 'pdf' },
  coverFile: { name: 'cover', kind: 'image' },
};

export const group: Group = {
  name: 'books',
  commands: [
    listOf(book, {
      examples: {
        'List the books of your organization, with German subject names:': 'edu books list --language DE',
        'List the books of a publisher that you own, as JSON:': 'edu books list --organization p1 --json',
      },
    }),
    getOf(book, {
      note: whyInactive('book'),
      examples: {
        'Show a book:': 'edu books get B1',
      },
    }),
    editOf(book, 'B1'),
    listUnder(book, license, books.licenses, {
      name: 'licenses',
      aliases: ['licences'],
      summary: "List your organization's licences for a book.",
      flags: FILTERS_OF_BOOK,
      examples: {
        'List the licences of a book:': 'edu books licenses B1',
        'Count the licences of a book:': 'edu books licenses B1 --query "length(@)"',
      },
      filter: licenceFilter,
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
      name: 'types',
      examples: {
        'List the types:': 'edu books types',
        'List them in Dutch, as JSON:': 'edu books types --language NL --json',
      },
    }),
    createOf(book, {
      summary: 'Create a book, optionally with PDF and cover.',
      overrides: OVERRIDES,
      details: '--content-language is the language of the book, --language that of names in the result.',
      examples: {
        'Create a book without files:':
          'edu books create --ean 9783000000017 --title "Algebra 7" --year 7 --subject 0001 --type Coursebook --content-language DE',
      },
    }),
    updateOf(book, {
      summary: 'Change a book. Other fields are kept, except its second subject.',
      details:
        'The API returns neither the language nor the second subject of a book: --content-language is always required, ' +
        'and an update without --second-subject may clear the second subject.',
      overrides: OVERRIDES,
      examples: {
        'Change the title of a book:': 'edu books update B1 --title "Algebra 7 (revised)" --content-language DE',
      },
    }),
  ],
};
