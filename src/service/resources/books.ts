/** Books (service-api-v1.md, "Books"). */
import type { Contract } from '../../contract/index.js';
import type { Language } from '../../contract/shared.js';
import { findOwn, organizationOfQuery, organizationToCreateFor, requireInSight } from '../access.js';
import { badField, requireFound } from '../error-answer.js';
import type { Call, Handlers } from '../handler-types.js';
import { newId } from '../identifiers.js';
import { asShown } from '../import-overrides.js';
import { nameIn, type PartialNames, valueAt, vocabularyOf } from '../names/vocabulary.js';
import type { ServiceContext } from '../service-context.js';
import type { Book } from '../store/records.js';
import { licencesAnswer } from './license-answers.js';
import {
  DEFAULT_LANGUAGE,
  editorAddress,
  type MaterialContext,
  materialAnswer,
  requireImage,
  requirePdf,
  requireSubject,
  settingsOf,
  storeFile,
  translatedSubject,
  unencrypted,
} from './materials.js';
import { only } from './person-answers.js';

/** Without the second subject and imported values. */
function plainAnswers(core: MaterialContext, books: readonly Book[], language: Language) {
  const organizations = core.store.organizations.many(books.map(({ organizationId }) => organizationId));
  const { types } = vocabularyOf(core.store);
  return books.map((book) => {
    const type = { name: book.type, translatedName: nameIn(valueAt(types, book.type), language) ?? book.type };
    const { level, series, settings } = book;
    // Null only in an import; the contract's type does not allow for it.
    const year = book.year as number;
    const { id, ean, title, ...rest } = materialAnswer(core, book, organizations, language, type);
    return { id, ean, title, year, level, series, ...rest, settings };
  });
}

export const booksAnswer = (core: MaterialContext, books: readonly Book[], language: Language) =>
  plainAnswers(core, books, language).map((answer, index) => asShown(answer, books[index]?.shown));

/** "`secondSubject`: present in create and update responses." */
function writtenBookAnswer(core: ServiceContext, book: Book, language: Language = DEFAULT_LANGUAGE) {
  const id = book.secondSubjectId;
  const secondSubject = id === null ? null : translatedSubject(core, id, language);
  return asShown({ ...only(plainAnswers(core, [book], language)), secondSubject }, book.shown);
}

/** The fields that create and update share. Omitted ones become blank, because PUT replaces. */
function bookData(core: ServiceContext, body: Call<Contract['books']['update']>['body']) {
  requireSubject(core, body.subject, 'subject');
  requireSubject(core, body.secondSubject, 'secondSubject');
  if (!Object.hasOwn(vocabularyOf(core.store).types, body.type))
    throw badField('type', `is unknown: there is no book type ${body.type}`);
  return {
    ean: body.ean,
    title: body.title,
    year: body.year,
    level: body.stream ?? null,
    series: body.series ?? null,
    subjectId: body.subject,
    secondSubjectId: body.secondSubject ?? null,
    type: body.type,
    language: body.language,
    settings: settingsOf(body.settings),
  };
}

const named = (all: Readonly<Record<string, PartialNames>>, language: Language): [string, string][] =>
  Object.entries(all).map(([id, names]) => [id, nameIn(names, language) ?? '']);

export const books: Handlers<'books'> = {
  list: {
    run({ core, caller, query, page }) {
      const organization = organizationOfQuery(core, caller, query);
      const found = core.store.books.page({ organizationId: organization.id }, page.after, page.limit);
      return { ...found, items: booksAnswer(core, found.items, query.language) };
    },
  },
  get: {
    run({ core, caller, params, query }) {
      const book = findOwn(core.store.books, caller, 'book', params.id);
      return only(booksAnswer(core, [book], query.language));
    },
  },
  editor: { writes: true, needs: ['Book', 'Update'], run: (call) => editorAddress(call, 'book') },
  licenses: {
    // The API document does not say when this is "not allowed"; the rule for lists is used: own or owned organizations.
    run({ core, caller, params, page }) {
      const book = requireFound(core.store.books.get(params.id), 'book', params.id);
      requireInSight(core, caller, 'book', book);
      const found = core.store.licencesOfBook(book.id, caller.organization.id, page.after, page.limit);
      return { ...found, items: licencesAnswer(core, found.items) };
    },
  },
  subjects: {
    run({ core, query }) {
      const { subjects, listed } = vocabularyOf(core.store);
      const all = named(subjects, query.language).map(([id, translatedName]) => ({ id, translatedName }));
      return { subjects: listed?.subjects?.[query.language] ?? all };
    },
  },
  types: {
    run({ core, query }) {
      const { types, listed } = vocabularyOf(core.store);
      const all = named(types, query.language).map(([type, translatedName]) => ({ type, translatedName }));
      return { types: listed?.types?.[query.language] ?? all };
    },
  },
  create: {
    needs: ['Book', 'Create'],
    run({ core, caller, query, body }) {
      const organization = organizationToCreateFor(core, caller, body.organization);
      const data = bookData(core, body);
      requirePdf(body.pdfFile, 'pdfFile');
      requireImage(body.coverFile, 'coverFile');
      const pdfFileId =
        body.pdfFile === undefined ? null : storeFile(core, organization.id, 'Document', body.pdfFile).id;
      const book: Book = {
        id: newId(core.random),
        ...data,
        organizationId: organization.id,
        creatorId: caller.organization.id,
        coverFileId: body.coverFile === undefined ? null : storeFile(core, organization.id, 'Image', body.coverFile).id,
        enabled: true,
        ...unencrypted(core, pdfFileId),
        layoutType: body.layoutType ?? 'SPREADS',
      };
      core.store.books.insert(book);
      return writtenBookAnswer(core, book, query.language);
    },
  },
  update: {
    needs: ['Book', 'Update'],
    run({ core, caller, params, query, body }) {
      const book = findOwn(core.store.books, caller, 'book', params.id);
      const updated: Book = { ...book, ...bookData(core, body) };
      core.store.books.update(updated);
      return writtenBookAnswer(core, updated, query.language);
    },
  },
};
