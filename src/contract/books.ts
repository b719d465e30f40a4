/** Books, their subjects and types (service-api-v1.md, "Books"). */
import { ID, PUBLICATION } from './columns.js';
import { Licence } from './licenses.js';
import { resource } from './resource.js';
import {
  answerLanguage,
  editorAddress,
  LANGUAGES,
  namesLanguage,
  optionalOrganization,
  organizationQuery,
  pageSettings,
  publicationFields,
  translatedSubject,
} from './shared.js';
import { choice, file, get, number, post, put, shape, text, variant } from './vocabulary.js';

export const Book = shape(
  'Book',
  'a book',
  {
    id: text('book ID'),
    ean: text('EAN identifier'),
    title: text('title'),
    year: number('academic year of the education level'),
    level: text('education level; written as `stream`', { nullable: true }),
    series: text('series', { nullable: true }),
    ...publicationFields,
    settings: pageSettings,
  },
  { columns: PUBLICATION },
);

/** Only the responses of create and update include the second subject. */
export const WrittenBook = variant(Book, 'a book as returned by create and update', {
  ...Book.fields,
  secondSubject: { ...translatedSubject, nullable: true },
});

export const Subject = shape(
  'Subject',
  'a subject',
  { id: text('subject ID'), translatedName: text('name in the requested language') },
  { columns: [ID, { title: 'Name', from: 'translatedName', rank: 1 }] },
);

/** The name is called `type` here, and `type.name` in a book. */
export const BookType = shape(
  'BookType',
  'a book type',
  {
    type: text('type name, for `books create --type`'),
    translatedName: text('name in the requested language'),
  },
  {
    id: 'type',
    columns: [
      { title: 'Type', from: 'type', rank: 0 },
      { title: 'Name', from: 'translatedName', rank: 1 },
    ],
  },
);

const bookBody = {
  ean: text('EAN identifier', { required: true }),
  title: text('title', { required: true }),
  year: number('academic year of the education level', { required: true }),
  stream: text('education level', { readAs: 'level' }),
  series: text('series'),
  subject: text('subject ID', { required: true, refersTo: 'subject', readAs: 'subject.id' }),
  secondSubject: text('second subject ID', { refersTo: 'subject', readAs: 'secondSubject.id' }),
  type: text('book type, from `edu books types`', { required: true, refersTo: 'bookType', readAs: 'type.name' }),
  language: choice(LANGUAGES, 'language of the book itself', { required: true }),
  settings: pageSettings,
} as const;

const params = { id: text('book ID', { required: true, refersTo: 'book' }) } as const;
const query = { language: namesLanguage } as const;
const one = { params, query, errors: [403, 404] } as const;

export const books = {
  list: get('/v1/books', 'List the books of an organization.', {
    query: { ...organizationQuery, ...query },
    list: { key: 'books', of: Book, paged: true },
    errors: [400, 403],
  }),
  get: get('/v1/books/{id}', "Show one book of the caller's organization.", { ...one, returns: Book }),
  editor: get('/v1/books/{id}/editor', 'Get the one-time address at which a book is edited.', {
    ...one,
    returns: editorAddress,
  }),
  licenses: get('/v1/books/{id}/licenses', "List the licences of the caller's organization that use a book.", {
    params,
    list: { key: 'licenses', of: Licence, paged: true, scope: 'of your organization' },
    errors: [403, 404],
  }),
  subjects: get('/v1/books/subjects', 'List the subjects.', { query, list: { key: 'subjects', of: Subject } }),
  types: get('/v1/books/types', 'List the book types.', { query, list: { key: 'types', of: BookType } }),
  create: post('/v1/books', 'Create a book.', {
    query: { language: answerLanguage },
    encoding: 'multipart',
    body: {
      ...bookBody,
      pdfFile: file('the PDF of the book'),
      coverFile: file('the cover image, JPEG or PNG'),
      organization: optionalOrganization,
      layoutType: choice(['SPREADS', 'PAGES'], 'page layout', { default: 'SPREADS' }),
    },
    returns: WrittenBook,
    repeat: 'keyed',
    key: 'ean',
    errors: [400, 403],
  }),
  update: put('/v1/books/{id}', 'Replace the data of a book.', {
    params,
    query: { language: answerLanguage },
    body: bookBody,
    returns: WrittenBook,
    errors: [400, 403, 404],
  }),
};

const { subjects, types, ...ofBooks } = books;

export const book = resource({
  name: 'books',
  noun: ['book', 'books'],
  refersTo: 'book',
  endpoints: ofBooks,
  shape: Book,
  label: '{title}',
  search: ['title', 'ean'],
  natural: 'ean',
  written: [
    { field: 'ean', noun: 'EAN', prefix: 'ean:', key: 'number' },
    { field: 'title', noun: 'title' },
  ],
  within: { flags: {}, owned: 'Publisher' },
  recognised: { by: 'key', field: 'ean', unique: false },
});

export const subject = resource({
  name: 'subjects',
  noun: ['subject', 'subjects'],
  refersTo: 'subject',
  endpoints: { list: subjects },
  shape: Subject,
  label: '{translatedName}',
  search: ['translatedName'],
  natural: null,
  written: [{ field: 'translatedName', noun: 'name' }],
});

export const bookType = resource({
  name: 'types',
  noun: ['book type', 'book types'],
  refersTo: 'bookType',
  endpoints: { list: types },
  shape: BookType,
  label: '{translatedName}',
  search: ['type', 'translatedName'],
  natural: null,
  written: [{ field: 'translatedName', noun: 'name' }],
});

/** Book types that occur in the API document, which does not list all of them. */
export const KNOWN_BOOK_TYPES = [
  'ReferenceBook',
  'Coursebook',
  'Answers',
  'ClassroomMaterial',
  'CourseActivityBook',
  'Guide',
  'Magazine',
] as const;
