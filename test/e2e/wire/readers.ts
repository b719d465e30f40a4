/** Requests of `edu readers …` and `edu files …` (service-api-v1.md, "Readers" and "Files"). */
import { HOSTILE_ID, HOSTILE_SENT, LESSON, page, says, sends, sendsForm, sendsJson, type WireCases } from './case.js';

const READER = {
  id: 'rd1',
  ean: '0000000000999',
  title: 'Fractions',
  subject: { id: 's1', translatedName: 'Mathematics' },
  organization: { id: 'd1', type: 'Distributor' },
  coverUrl: null,
  pdfUrl: null,
  type: { name: 'TeacherMaterial', translatedName: 'Teacher material' },
  active: false,
  settings: { indexPageNumber: 2, pageNumberOffset: 4 },
  tableOfContents: null,
  pdfDownloadable: true,
};
const FILE = { type: 'CloudStorage', id: 'f9', url: 'http://127.0.0.1/v1/api/file/get/f9' };
const READS = { 'GET /v1/readers/rd1': says(READER), 'PUT /v1/readers/rd1': says(READER) };
const KEPT = {
  title: 'Fractions',
  subject: 's1',
  pdfDownloadable: true,
  settings: { indexPageNumber: 2, pageNumberOffset: 4 },
};
const NEW_READER = ['readers', 'create', '--title', 'Fractions', '--subject', 's1', '--content-language', 'EN'];

export const readers: WireCases = {
  'readers list asks in a language, page by page': {
    argv: ['readers', 'list', '--language', 'ES'],
    answers: { 'GET /v1/readers': page('readers', [READER]) },
    sent: [sends('GET /v1/readers', { language: 'ES', limit: '100' })],
  },
  'readers get': {
    argv: ['reader', 'get', HOSTILE_ID],
    answers: { '*': says(READER) },
    sent: [sends(`GET /v1/readers/${HOSTILE_SENT}`, { language: 'EN' })],
  },
  'readers edit asks for the address once': {
    argv: ['readers', 'edit', 'rd1', '--print-url', '--language', 'DE'],
    answers: { 'GET /v1/readers/rd1/editor': says({ url: 'https://editor.example/r' }) },
    sent: [sends('GET /v1/readers/rd1/editor', { language: 'DE' })],
  },
  'readers create --pdf sends everything there is': {
    argv: [
      ...NEW_READER,
      ...['--pdf', 'FOLDER/lesson.pdf', '--pdf-downloadable', '--page-number-offset', '4', '--index-page-number', '2'],
      ...['--organization', '0301', '--organization-type', 'School', '--language', 'NL'],
    ],
    answers: { 'POST /v1/readers': says(READER) },
    sent: [
      sendsForm(
        'POST /v1/readers',
        {
          title: 'Fractions',
          subject: 's1',
          language: 'EN',
          pdfDownloadable: 'true',
          'settings.pageNumberOffset': '4',
          'settings.indexPageNumber': '2',
          'organization.id': '0301',
          'organization.type': 'School',
          pdfFile: LESSON,
        },
        { language: 'NL' },
      ),
    ],
  },
  'readers create --file-id is a PUT without an id': {
    argv: [...NEW_READER, '--file-id', 'f9', '--pdf-downloadable', '--index-page-number', '2'],
    answers: { 'PUT /v1/readers': says(READER) },
    sent: [
      sendsJson(
        'PUT /v1/readers',
        {
          title: 'Fractions',
          subject: 's1',
          language: 'EN',
          fileId: 'f9',
          pdfDownloadable: true,
          settings: { indexPageNumber: 2 },
        },
        { language: 'EN' },
      ),
    ],
  },
  'readers update keeps what is not given': {
    argv: ['readers', 'update', 'rd1', '--title', 'Fractions 2', '--content-language', 'EN'],
    answers: READS,
    sent: [
      sends('GET /v1/readers/rd1', { language: 'EN' }),
      sendsJson('PUT /v1/readers/rd1', { ...KEPT, title: 'Fractions 2', language: 'EN' }, { language: 'EN' }),
    ],
  },
  'readers update --file-id': {
    argv: ['readers', 'update', 'rd1', '--file-id', 'f9', '--content-language', 'FR', '--language', 'FR'],
    answers: READS,
    sent: [
      sends('GET /v1/readers/rd1', { language: 'FR' }),
      sendsJson('PUT /v1/readers/rd1', { ...KEPT, fileId: 'f9', language: 'FR' }, { language: 'FR' }),
    ],
  },
  'readers update --pdf uploads the file first': {
    argv: ['readers', 'update', 'rd1', '--pdf', 'FOLDER/lesson.pdf', '--content-language', 'EN'],
    answers: { ...READS, 'POST /v1/files': { status: 201, body: FILE } },
    sent: [
      sends('GET /v1/readers/rd1', { language: 'EN' }),
      sendsForm('POST /v1/files', { fileType: 'Document', file: LESSON }),
      sendsJson('PUT /v1/readers/rd1', { ...KEPT, fileId: 'f9', language: 'EN' }, { language: 'EN' }),
    ],
  },
  'files upload says what the file is by its name': {
    argv: ['files', 'upload', 'FOLDER/cover.png'],
    answers: { 'POST /v1/files': says(FILE) },
    sent: [
      sendsForm('POST /v1/files', {
        fileType: 'Image',
        file: { filename: 'cover.png', type: 'image/png', bytes: '\x89PNG\r\n\x1a\n a cover' },
      }),
    ],
  },
  'files upload --type': {
    argv: ['file', 'upload', 'FOLDER/lesson.pdf', '--type', 'audio'],
    answers: { 'POST /v1/files': says(FILE) },
    sent: [sendsForm('POST /v1/files', { fileType: 'Audio', file: LESSON })],
  },
  'files download by id': {
    argv: ['files', 'download', HOSTILE_ID, '--to', '-'],
    answers: { '*': { body: '%PDF-1.4', headers: { 'content-type': 'application/pdf' } } },
    sent: [sends(`GET /v1/api/file/get/${HOSTILE_SENT}`)],
  },
  'files download to a file': {
    argv: ['files', 'download', 'f9', '--to', 'FOLDER/copy.pdf'],
    answers: { '*': { body: '%PDF-1.4', headers: { 'content-type': 'application/pdf' } } },
    sent: [sends('GET /v1/api/file/get/f9')],
  },
};
