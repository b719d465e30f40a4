/** Readers: teacher or school material made from a PDF (service-api-v1.md, "Readers"). */
import { PUBLICATION } from './columns.js';
import { resource } from './resource.js';
import {
  answerLanguage,
  editorAddress,
  LANGUAGES,
  namesLanguage,
  optionalOrganization,
  organizationReference,
  pageSettings,
  translatedSubject,
  translatedType,
} from './shared.js';
import { any, boolean, choice, endpoint, file, shape, text, variant } from './vocabulary.js';

const fields = {
  id: text('reader ID'),
  ean: text('EAN, made by the service'),
  title: text('title'),
  subject: translatedSubject,
  organization: organizationReference,
  coverUrl: text('storage path of the cover', { nullable: true }),
  pdfUrl: text('storage path of the PDF', { nullable: true }),
  type: translatedType,
  active: boolean('enabled, uploads available and encrypted PDF ready'),
  tableOfContents: any('table of contents; null in all known answers'),
  pdfDownloadable: boolean('users may download the PDF'),
} as const;

/** In lists a reader has no settings. */
export const ReaderEntry = shape('Reader', 'a reader in a list', fields, { columns: PUBLICATION });
export const Reader = variant(ReaderEntry, 'a reader', { ...fields, settings: pageSettings });

const readerBody = {
  title: text('title', { required: true }),
  subject: text('subject ID', { required: true, refersTo: 'subject', readAs: 'subject.id' }),
  language: choice(LANGUAGES, 'language of the reader itself', { required: true }),
  pdfDownloadable: boolean('let users download the PDF'),
  settings: pageSettings,
} as const;

const id = { id: text('reader ID', { required: true, refersTo: 'reader' }) } as const;

export const readers = {
  list: endpoint({
    method: 'GET',
    path: '/v1/readers',
    description: "List the readers that the caller's organization created.",
    query: { language: namesLanguage },
    list: { key: 'readers', of: ReaderEntry, paged: true },
    repeat: 'safe',
    errors: [400, 403],
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/readers/{id}',
    description: 'Show one reader.',
    params: id,
    query: { language: namesLanguage },
    returns: Reader,
    repeat: 'safe',
    errors: [403, 404],
  }),
  editor: endpoint({
    method: 'GET',
    path: '/v1/readers/{id}/editor',
    description: 'Get the one-time address at which a reader is edited.',
    params: id,
    query: { language: namesLanguage },
    returns: editorAddress,
    repeat: 'safe',
    errors: [403, 404],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/readers',
    description: 'Create a reader and upload its PDF in the same call.',
    query: { language: answerLanguage },
    encoding: 'multipart',
    body: {
      ...readerBody,
      pdfFile: file('the PDF, at most 150 MB', { required: true }),
      organization: optionalOrganization,
    },
    returns: Reader,
    repeat: 'unkeyed',
    errors: [400, 403],
  }),
  /** PUT, and yet it creates: sending it twice makes two readers. */
  createFromFile: endpoint({
    method: 'PUT',
    path: '/v1/readers',
    description: 'Create a reader from an uploaded file.',
    query: { language: answerLanguage },
    body: {
      ...readerBody,
      fileId: text('ID of the uploaded PDF', { required: true, refersTo: 'file' }),
    },
    returns: Reader,
    repeat: 'unkeyed',
    errors: [400, 403],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/readers/{id}',
    description: 'Replace the data of a reader, and its PDF if one is given.',
    params: id,
    query: { language: answerLanguage },
    body: {
      ...readerBody,
      fileId: text('ID of the uploaded PDF', { refersTo: 'file' }),
    },
    returns: Reader,
    repeat: 'safe',
    errors: [400, 403],
  }),
};

export const reader = resource({
  name: 'readers',
  noun: ['reader', 'readers'],
  refersTo: 'reader',
  endpoints: readers,
  shape: ReaderEntry,
  label: '{title}',
  search: ['title', 'ean'],
  natural: 'ean',
  written: [
    { field: 'ean', noun: 'EAN', prefix: 'ean:', form: /^\d{8,14}$/ },
    { field: 'title', noun: 'title' },
  ],
  recognised: { by: 'equality', fields: ['title', 'subject'] },
});
