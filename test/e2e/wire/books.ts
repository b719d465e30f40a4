/** Requests of `edu books …` (service-api-v1.md, "Books"). */
import { splitWords } from '../../../src/core/shell.js';
import {
  CALLER,
  FINDS_CALLER,
  HOSTILE_ID,
  HOSTILE_SENT,
  LESSON,
  PNG_BYTES,
  page,
  says,
  sends,
  sendsForm,
  sendsJson,
  type WireCases,
} from './case.js';

const BOOK = {
  id: '0007',
  ean: '0000000000123',
  title: 'Algebra 7',
  year: 7,
  level: 'HAVO',
  series: 'Algebra',
  subject: { id: 's1', translatedName: 'Mathematics' },
  organization: { id: '0201', type: 'Publisher' },
  coverUrl: null,
  pdfUrl: null,
  type: { name: 'Coursebook', translatedName: 'Course book' },
  active: false,
  settings: { indexPageNumber: 3, pageNumberOffset: 5 },
};
const WRITTEN = { ...BOOK, secondSubject: null };

const NEW_BOOK = splitWords(
  "books create --ean 0000000000123 --title 'Algebra 7' --year 7 --subject s1 --type Coursebook --content-language DE",
);
const NEW_BOOK_FORM = {
  ean: '0000000000123',
  title: 'Algebra 7',
  year: '7',
  subject: 's1',
  type: 'Coursebook',
  language: 'DE',
};

const OF_PUBLISHER = { organization: '0201', type: 'Publisher', language: 'EN', limit: '100' };
const READS = { 'GET /v1/books/0007': says(BOOK), 'PUT /v1/books/0007': says(WRITTEN) };
const KEPT = {
  ean: '0000000000123',
  title: 'Algebra 7',
  year: 7,
  stream: 'HAVO',
  series: 'Algebra',
  subject: 's1',
  type: 'Coursebook',
  settings: { indexPageNumber: 3, pageNumberOffset: 5 },
};

export const books: WireCases = {
  'books list names the organization, its type and a language': {
    argv: ['books', 'list', '--organization', '0201', '--organization-type', 'Publisher'],
    answers: { 'GET /v1/books': page('books', [BOOK]) },
    sent: [sends('GET /v1/books', OF_PUBLISHER)],
  },
  'books list takes the organization and the language from the profile': {
    argv: ['books', 'list'],
    settings: {
      profile: 'default',
      profiles: { default: { organization: '0201', 'organization-type': 'Publisher', language: 'IT' } },
    },
    answers: { 'GET /v1/books': page('books', []) },
    sent: [sends('GET /v1/books', { ...OF_PUBLISHER, language: 'IT' })],
  },
  'books list prefers the flag to the environment, and that to the profile': {
    argv: ['books', 'list', '--organization', '0201', '--organization-type', 'Publisher', '--language', 'ES'],
    env: { EDU_ORGANIZATION: '0999', EDU_ORGANIZATION_TYPE: 'School', EDU_LANGUAGE: 'FR' },
    settings: { profiles: { default: { organization: '0888', 'organization-type': 'Distributor', language: 'IT' } } },
    answers: { 'GET /v1/books': page('books', []) },
    sent: [sends('GET /v1/books', { ...OF_PUBLISHER, language: 'ES' })],
  },
  "books list falls back to the caller's own organization": {
    argv: ['books', 'list'],
    answers: { ...CALLER, 'GET /v1/books': page('books', []) },
    sent: [
      ...FINDS_CALLER,
      sends('GET /v1/books', { organization: 'd1', type: 'Distributor', language: 'EN', limit: '100' }),
    ],
  },
  'books list --page-size says how much to ask for': {
    argv: ['--page-size', '7', 'books', 'list', '--organization', '0201', '--organization-type', 'Publisher'],
    answers: { 'GET /v1/books': page('books', []) },
    sent: [sends('GET /v1/books', { ...OF_PUBLISHER, limit: '7' })],
  },
  'books list sends a hostile organization id as one query value': {
    argv: ['books', 'list', '--organization', HOSTILE_ID, '--organization-type', 'school'],
    answers: { 'GET /v1/books': page('books', []) },
    sent: [sends('GET /v1/books', { ...OF_PUBLISHER, organization: HOSTILE_ID, type: 'School' })],
  },
  'books get asks in a language': {
    argv: ['books', 'get', '0007', '--language', 'NL'],
    answers: READS,
    sent: [sends('GET /v1/books/0007', { language: 'NL' })],
  },
  'books get sends a hostile id as one path segment': {
    argv: ['book', 'get', HOSTILE_ID],
    answers: { '*': says(BOOK) },
    sent: [sends(`GET /v1/books/${HOSTILE_SENT}`, { language: 'EN' })],
  },
  'books edit asks for the address once': {
    argv: ['books', 'edit', '0007', '--print-url'],
    answers: { 'GET /v1/books/0007/editor': says({ url: 'https://editor.example/x?token=1' }) },
    sent: [sends('GET /v1/books/0007/editor', { language: 'EN' })],
  },
  'books licenses is a list of pages': {
    argv: ['books', 'licenses', HOSTILE_ID],
    answers: { '*': page('licenses', []) },
    sent: [sends(`GET /v1/books/${HOSTILE_SENT}/licenses`, { limit: '100' })],
  },
  'books subjects asks in a language': {
    argv: ['books', 'subjects', '--language', 'RU'],
    answers: { 'GET /v1/books/subjects': says({ subjects: [{ id: 's1', translatedName: 'Математика' }] }) },
    sent: [sends('GET /v1/books/subjects', { language: 'RU' })],
  },
  'books types asks in a language': {
    argv: ['books', 'types'],
    answers: { 'GET /v1/books/types': says({ types: [{ type: 'Guide', translatedName: 'Guide' }] }) },
    sent: [sends('GET /v1/books/types', { language: 'EN' })],
  },
  'books create sends everything there is': {
    argv: [
      ...NEW_BOOK,
      ...['--level', 'VWO', '--series', 'Algebra & “more”', '--second-subject', 's2'],
      ...['--page-number-offset', '5', '--index-page-number', '3', '--layout-type', 'PAGES'],
      ...['--pdf', 'FOLDER/lesson.pdf', '--cover', 'FOLDER/cover.png'],
      ...['--organization', '0201', '--organization-type', 'Publisher', '--language', 'PT'],
    ],
    answers: { 'POST /v1/books': says(WRITTEN) },
    sent: [
      sendsForm(
        'POST /v1/books',
        {
          ...NEW_BOOK_FORM,
          stream: 'VWO',
          series: 'Algebra & “more”',
          secondSubject: 's2',
          'settings.pageNumberOffset': '5',
          'settings.indexPageNumber': '3',
          layoutType: 'PAGES',
          'organization.id': '0201',
          'organization.type': 'Publisher',
          pdfFile: LESSON,
          coverFile: { filename: 'cover.png', type: 'image/png', bytes: PNG_BYTES },
        },
        { language: 'PT' },
      ),
    ],
  },
  'books create knows --stream, --level by its name in the API': {
    argv: [...NEW_BOOK, '--stream', 'VMBO'],
    answers: { 'POST /v1/books': says(WRITTEN) },
    sent: [sendsForm('POST /v1/books', { ...NEW_BOOK_FORM, stream: 'VMBO' }, { language: 'EN' })],
  },
  'books create passes on an unknown type': {
    argv: NEW_BOOK.map((word) => (word === 'Coursebook' ? 'Podcast' : word)),
    answers: { 'POST /v1/books': says(WRITTEN) },
    sent: [sendsForm('POST /v1/books', { ...NEW_BOOK_FORM, type: 'Podcast' }, { language: 'EN' })],
  },
  'books update sends what it read, under the names of a request': {
    argv: ['books', 'update', '0007', '--title', 'Algebra 7, revised', '--content-language', 'DE'],
    answers: READS,
    sent: [
      sends('GET /v1/books/0007', { language: 'EN' }),
      sendsJson('PUT /v1/books/0007', { ...KEPT, title: 'Algebra 7, revised', language: 'DE' }, { language: 'EN' }),
    ],
  },
  'books update changes everything': {
    argv: [
      ...['books', 'update', '0007', '--ean', '0000000000456', '--title', 'Atlas', '--year', '5', '--level', 'MAVO'],
      ...['--series', 'Maps', '--subject', 's3', '--second-subject', 's4', '--type', 'Guide'],
      ...['--content-language', 'EN', '--page-number-offset', '1', '--index-page-number', '2'],
    ],
    answers: READS,
    sent: [
      sends('GET /v1/books/0007', { language: 'EN' }),
      sendsJson(
        'PUT /v1/books/0007',
        {
          ean: '0000000000456',
          title: 'Atlas',
          year: 5,
          stream: 'MAVO',
          series: 'Maps',
          subject: 's3',
          secondSubject: 's4',
          type: 'Guide',
          language: 'EN',
          settings: { pageNumberOffset: 1, indexPageNumber: 2 },
        },
        { language: 'EN' },
      ),
    ],
  },
  'books update leaves blank fields out': {
    argv: ['books', 'update', '0007', '--year', '8', '--content-language', 'DE'],
    answers: {
      'GET /v1/books/0007': says({ ...BOOK, level: null, series: null, settings: null }),
      'PUT /v1/books/0007': says(WRITTEN),
    },
    sent: [
      sends('GET /v1/books/0007', { language: 'EN' }),
      sendsJson(
        'PUT /v1/books/0007',
        { ean: '0000000000123', title: 'Algebra 7', year: 8, subject: 's1', type: 'Coursebook', language: 'DE' },
        { language: 'EN' },
      ),
    ],
  },
};
