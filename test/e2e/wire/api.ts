/** Requests of `edu api`: any path below the base URL. */
import { LESSON, page, says, sends, sendsForm, sendsJson, type WireCases } from './case.js';

const DONE = { '*': says({ done: true }) };

export const api: WireCases = {
  'api PATH is a GET': { argv: ['api', '/v1/account'], answers: DONE, sent: [sends('GET /v1/account')] },
  'api takes a path without its first slash': {
    argv: ['api', 'v1/account'],
    answers: DONE,
    sent: [sends('GET /v1/account')],
  },
  'api leaves a path as it is': {
    argv: ['api', '/v1/books/a%2Fb/editor?language=EN'],
    answers: DONE,
    sent: [sends('GET /v1/books/a%2Fb/editor', { language: 'EN' })],
  },
  'api -X GET -f puts fields into the query': {
    argv: ['api', '/v1/books', '-X', 'GET', '-f', 'organization=a+b&c', '-f', 'type=School'],
    answers: DONE,
    sent: [sends('GET /v1/books', { organization: 'a+b&c', type: 'School' })],
  },
  'api -f posts text': {
    argv: ['api', '/v1/schools', '-f', 'name=007', '-f', 'city=true'],
    answers: DONE,
    sent: [sendsJson('POST /v1/schools', { name: '007', city: 'true' })],
  },
  'api -F posts typed values, nested names and lists': {
    argv: [
      ...['api', '/v1/licenses', '-F', 'maximumActivations=30', '-F', 'active=true', '-F', 'category=null'],
      ...['-F', 'code=007', '-F', 'expiration[type]=Days', '-F', 'books[]=b1', '-F', 'books[]=b2'],
    ],
    answers: DONE,
    sent: [
      sendsJson('POST /v1/licenses', {
        maximumActivations: 30,
        active: true,
        category: null,
        code: '007',
        expiration: { type: 'Days' },
        books: ['b1', 'b2'],
      }),
    ],
  },
  "api -F k=@file sends the file's text": {
    argv: ['api', '/v1/x', '-F', 'body=@FOLDER/lesson.pdf'],
    answers: DONE,
    sent: [sendsJson('POST /v1/x', { body: '%PDF-1.4 a lesson' })],
  },
  'api -F k=@- sends the text of stdin': {
    argv: ['api', '/v1/x', '-F', 'body=@-'],
    input: 'from stdin\n',
    answers: DONE,
    sent: [sendsJson('POST /v1/x', { body: 'from stdin\n' })],
  },
  'api --form sends text and files as multipart/form-data': {
    argv: ['api', '/v1/files', '--form', 'fileType=Document', '--form', 'file=@FOLDER/lesson.pdf'],
    answers: DONE,
    sent: [sendsForm('POST /v1/files', { fileType: 'Document', file: LESSON })],
  },
  'api --form --dry-run sends nothing': {
    argv: ['api', '/v1/files', '--form', 'file=@FOLDER/lesson.pdf', '--dry-run'],
    sent: [],
  },
  'api -X PUT --input sends a file as the body': {
    argv: ['api', '/v1/publishers/1', '-X', 'PUT', '--input', 'FOLDER/body.json'],
    answers: DONE,
    sent: [sendsJson('PUT /v1/publishers/1', { name: 'From a file' })],
  },
  'api --paginate follows the cursors': {
    argv: ['api', '/v1/schools', '--paginate'],
    answers: {
      'GET /v1/schools': ({ query }) =>
        query.cursor === undefined ? page('schools', [{ id: '1' }], 'c/2') : page('schools', [{ id: '2' }]),
    },
    sent: [sends('GET /v1/schools', { limit: '100' }), sends('GET /v1/schools', { limit: '100', cursor: 'c/2' })],
  },
  'api --dry-run sends nothing': {
    argv: ['api', '/v1/schools', '-f', 'name=X', '--dry-run'],
    sent: [],
  },
};
