/**
 * The service's interface, copied by hand from the API document a second time, one row per endpoint. It must not import
 * the contract: only then does agreement of the two show that both match the document.
 */
import {
  ACCOUNT,
  BOOK,
  CLASS,
  CLASS_ONLY_IN_SOME,
  END_USER,
  FOUND_LICENCE,
  FULL_CLASS,
  LISTED_LICENCE,
  LISTED_READER,
  PUBLISHER,
  READER,
  REFERENCE,
  ROLE,
  SCHOOL,
  SUBSCRIPTION,
  USER,
  under,
  WRITTEN_BOOK,
  WRITTEN_LICENCE,
} from './documented-shapes.js';

/** `name` required, `name?` optional, `name if …` required under that condition. Nested names are dotted. */
export type DocumentedField = string;

/** The documented facts of one endpoint. Missing and empty lists mean "none". */
export interface DocumentedEndpoint {
  /** Its heading under "Endpoints" (or "Authentication"). */
  readonly section: string;
  /** With `{name}` for each `:name`. */
  readonly route: string;
  readonly query?: readonly DocumentedField[];
  /** JSON if left out. */
  readonly encoding?: 'multipart';
  readonly body?: readonly DocumentedField[];
  /**
   * Names of the leaves of the response, dotted, `[]` for a list. `none`: no body is promised. `open`: the shape is not
   * documented.
   */
  readonly answer: readonly string[] | 'none' | 'open';
  /** Leaves that this response may have or not. */
  readonly maybe?: readonly string[];
  /** The name of the collection, if the response is a pagination envelope. */
  readonly page?: string;
  /** The documented success status; 200 by default. */
  readonly status?: 200 | 204;
  /** The error statuses listed at the endpoint itself. */
  readonly errors: readonly (400 | 403 | 404)[];
}

const listOf = (name: string, leaves: readonly string[]): string[] => under(`${name}[]`, leaves);
const pageOf = (name: string, leaves: readonly string[]) => ({
  answer: [...listOf(name, leaves), 'paging.nextCursor'],
  page: name,
});
const PAGING = ['limit?', 'cursor?'];
const ORGANIZATION_IF_NOT_OWN = ['organization.id?', 'organization.type?'];
const SETTINGS_IN = ['settings.pageNumberOffset?', 'settings.indexPageNumber?'];
const EXPIRATION_IN = [
  'expiration if type is Books',
  'expiration.type if type is Books',
  'expiration.days if expiration.type is Days',
  'expiration.date if expiration.type is Date',
];
const BOOK_IN = ['ean', 'title', 'year', 'stream?', 'series?', 'subject', 'secondSubject?', 'type', 'language'];

/** The endpoints in the document's order. */
export const DOCUMENTED: readonly DocumentedEndpoint[] = [
  { section: 'Account', route: 'GET /v1/account', answer: ACCOUNT, errors: [] },

  {
    section: 'Books',
    route: 'GET /v1/books',
    query: ['organization', 'type', 'language', ...PAGING],
    ...pageOf('books', BOOK),
    errors: [400, 403],
  },
  { section: 'Books', route: 'GET /v1/books/{id}', query: ['language'], answer: BOOK, errors: [403, 404] },
  { section: 'Books', route: 'GET /v1/books/{id}/editor', query: ['language'], answer: ['url'], errors: [403, 404] },
  {
    section: 'Books',
    route: 'GET /v1/books/{id}/licenses',
    query: PAGING,
    ...pageOf('licenses', LISTED_LICENCE),
    errors: [403, 404],
  },
  {
    section: 'Books',
    route: 'GET /v1/books/subjects',
    query: ['language'],
    answer: listOf('subjects', ['id', 'translatedName']),
    errors: [],
  },
  {
    section: 'Books',
    route: 'GET /v1/books/types',
    query: ['language'],
    answer: listOf('types', ['type', 'translatedName']),
    errors: [],
  },
  {
    section: 'Books',
    route: 'POST /v1/books',
    query: ['language?'],
    encoding: 'multipart',
    body: [...BOOK_IN, ...SETTINGS_IN, 'pdfFile?', 'coverFile?', ...ORGANIZATION_IF_NOT_OWN, 'layoutType?'],
    answer: WRITTEN_BOOK,
    errors: [400, 403],
  },
  {
    section: 'Books',
    route: 'PUT /v1/books/{id}',
    query: ['language?'],
    body: [...BOOK_IN, ...SETTINGS_IN],
    answer: WRITTEN_BOOK,
    errors: [400, 403, 404],
  },

  {
    section: 'Classes',
    route: 'GET /v1/classes/{id}',
    answer: CLASS,
    maybe: CLASS_ONLY_IN_SOME,
    errors: [400],
  },
  {
    section: 'Classes',
    route: 'GET /v1/classes/classesForUser/{id}',
    answer: listOf('classes', CLASS),
    maybe: listOf('classes', CLASS_ONLY_IN_SOME),
    errors: [400],
  },
  {
    section: 'Classes',
    route: 'POST /v1/classes',
    body: ['subjectId', 'schoolId', 'name'],
    answer: CLASS,
    maybe: CLASS_ONLY_IN_SOME,
    errors: [400],
  },
  {
    section: 'Classes',
    route: 'PUT /v1/classes/{id}',
    body: ['subjectId', 'name'],
    answer: FULL_CLASS,
    errors: [400],
  },
  {
    section: 'Classes',
    route: 'PUT /v1/classes/delete/{id}',
    answer: [...CLASS, 'deactivationDate'],
    maybe: ['schoolId', 'creationDate'],
    errors: [400],
  },
  {
    section: 'Classes',
    route: 'PUT /v1/assignClass/assignClassToUser',
    body: ['userId', 'classId'],
    answer: CLASS,
    maybe: CLASS_ONLY_IN_SOME,
    errors: [400],
  },
  {
    section: 'Classes',
    route: 'PUT /v1/unAssignClass/unAssignClassFromUser',
    body: ['userId', 'classId'],
    answer: CLASS,
    maybe: CLASS_ONLY_IN_SOME,
    errors: [400],
  },
  {
    section: 'Classes',
    route: 'GET /v1/schools/{id}/classes',
    answer: under('[]', FULL_CLASS),
    errors: [403, 404],
  },

  {
    section: 'Files',
    route: 'POST /v1/files',
    encoding: 'multipart',
    body: ['file', 'fileType'],
    answer: ['type', 'id', 'url'],
    errors: [400, 403],
  },

  {
    section: 'Licences',
    route: 'GET /v1/licenses',
    query: ['type', ...PAGING],
    ...pageOf('licenses', LISTED_LICENCE),
    errors: [],
  },
  {
    section: 'Licences',
    route: 'GET /v1/licenses/{id}',
    answer: FOUND_LICENCE,
    maybe: ['books[].title', 'books[].name'],
    errors: [403, 404],
  },
  {
    section: 'Licences',
    route: 'GET /v1/licenses/code/{code}',
    answer: FOUND_LICENCE,
    maybe: ['books[].title', 'books[].name'],
    errors: [403, 404],
  },
  {
    section: 'Licences',
    route: 'GET /v1/licenses/{id}/activations',
    answer: listOf('activations', ['creationDate', 'expirationDate', 'user']),
    errors: [403, 404],
  },
  {
    section: 'Licences',
    route: 'POST /v1/licenses',
    body: [
      'name',
      'code?',
      'maximumActivations',
      'type',
      'books if type is Books',
      ...EXPIRATION_IN,
      ...ORGANIZATION_IF_NOT_OWN,
      'licenseCategory?',
    ],
    answer: WRITTEN_LICENCE,
    errors: [400],
  },
  {
    section: 'Licences',
    route: 'PUT /v1/licenses/{id}',
    body: ['name', 'maximumActivations', 'type', 'books if type is Books', ...EXPIRATION_IN, 'licenseCategory?'],
    answer: WRITTEN_LICENCE,
    errors: [400],
  },
  { section: 'Licences', route: 'PUT /v1/licenses/{id}/cancel', answer: 'none', errors: [403, 404] },
  { section: 'Licences', route: 'DELETE /v1/licenses/{id}', answer: 'none', status: 204, errors: [400, 403, 404] },
  {
    section: 'Licences',
    route: 'PUT /v1/licenses/assignLicense',
    body: ['userId', 'licenseId'],
    answer: [...under('user', END_USER), 'activatedLicensesIds[]'],
    errors: [400],
  },

  {
    section: 'Publishers',
    route: 'GET /v1/publishers',
    query: PAGING,
    ...pageOf('publishers', PUBLISHER),
    errors: [],
  },
  { section: 'Publishers', route: 'GET /v1/publishers/{id}', answer: PUBLISHER, errors: [403, 404] },
  {
    section: 'Publishers',
    route: 'POST /v1/publishers',
    body: ['name'],
    answer: PUBLISHER,
    errors: [400],
  },
  {
    section: 'Publishers',
    route: 'PUT /v1/publishers/{id}',
    body: ['name'],
    answer: PUBLISHER,
    errors: [400, 403, 404],
  },

  {
    section: 'Readers',
    route: 'GET /v1/readers',
    query: ['language', ...PAGING],
    ...pageOf('readers', LISTED_READER),
    errors: [400, 403],
  },
  { section: 'Readers', route: 'GET /v1/readers/{id}', query: ['language'], answer: READER, errors: [403, 404] },
  {
    section: 'Readers',
    route: 'GET /v1/readers/{id}/editor',
    query: ['language'],
    answer: ['url'],
    errors: [403, 404],
  },
  {
    section: 'Readers',
    route: 'POST /v1/readers',
    query: ['language?'],
    encoding: 'multipart',
    body: ['title', 'subject', 'pdfFile', 'language', 'pdfDownloadable?', ...SETTINGS_IN, ...ORGANIZATION_IF_NOT_OWN],
    answer: READER,
    errors: [400, 403],
  },
  {
    section: 'Readers',
    route: 'PUT /v1/readers',
    query: ['language?'],
    body: ['title', 'subject', 'fileId', 'language', 'pdfDownloadable?', ...SETTINGS_IN],
    answer: READER,
    errors: [400, 403],
  },
  {
    section: 'Readers',
    route: 'PUT /v1/readers/{id}',
    query: ['language?'],
    body: ['title', 'subject', 'fileId?', 'language', 'pdfDownloadable?', ...SETTINGS_IN],
    answer: READER,
    errors: [400, 403],
  },

  {
    section: 'Roles',
    route: 'GET /v1/roles',
    query: ['organization', 'type'],
    answer: listOf('roles', ROLE),
    errors: [400, 403],
  },

  { section: 'Schools', route: 'GET /v1/schools', query: PAGING, ...pageOf('schools', SCHOOL), errors: [] },
  { section: 'Schools', route: 'GET /v1/schools/{id}', answer: SCHOOL, errors: [403, 404] },
  {
    section: 'Schools',
    route: 'POST /v1/schools',
    body: ['name', 'country', 'city'],
    answer: SCHOOL,
    errors: [400],
  },
  {
    section: 'Schools',
    route: 'PUT /v1/schools/{id}',
    body: ['name', 'country', 'city'],
    answer: SCHOOL,
    errors: [400, 403, 404],
  },

  {
    section: 'Subscriptions',
    route: 'GET /v1/subscriptions',
    query: PAGING,
    ...pageOf('subscriptions', SUBSCRIPTION),
    errors: [403],
  },
  { section: 'Subscriptions', route: 'GET /v1/subscriptions/{id}', answer: SUBSCRIPTION, errors: [403, 404] },
  {
    section: 'Subscriptions',
    route: 'POST /v1/subscriptions',
    body: ['maximumActivations', 'expirationDate', ...ORGANIZATION_IF_NOT_OWN],
    answer: [...SUBSCRIPTION, ...under('organization', REFERENCE)],
    errors: [400, 403],
  },
  {
    section: 'Subscriptions',
    route: 'PUT /v1/subscriptions/{id}',
    body: ['maximumActivations'],
    answer: SUBSCRIPTION,
    errors: [400, 403, 404],
  },
  {
    section: 'Subscriptions',
    route: 'PUT /v1/subscriptions/assignSubscription',
    body: ['userId', 'subscriptionId'],
    answer: [...under('user', END_USER), 'activatedSubscriptionIds[]'],
    status: 200,
    errors: [400],
  },

  {
    section: 'Users',
    route: 'GET /v1/users',
    query: ['organization', 'type', ...PAGING],
    ...pageOf('users', USER),
    errors: [400, 403],
  },
  { section: 'Users', route: 'GET /v1/users/{id}', answer: USER, errors: [403, 404] },
  { section: 'Users', route: 'GET /v1/users/userId/{email}', answer: 'open', errors: [404] },
  {
    section: 'Users',
    route: 'POST /v1/users',
    body: ['firstName', 'lastName', 'email', 'language', 'organization.id', 'organization.type', 'roles'],
    answer: USER,
    errors: [400, 403],
  },
  {
    section: 'Users',
    route: 'POST /v1/users/enduser',
    body: ['firstName', 'lastName', 'email', 'language'],
    answer: END_USER,
    errors: [400],
  },
  {
    section: 'Users',
    route: 'PUT /v1/users/{id}',
    body: ['firstName', 'lastName', 'organization.id', 'organization.type', 'roles'],
    answer: USER,
    errors: [400, 403, 404],
  },
  {
    section: 'Users',
    route: 'PUT /v1/users/enduser/{id}',
    body: ['firstName', 'lastName', 'email?'],
    answer: [...END_USER, 'avatarUrl'],
    errors: [403, 404],
  },
  { section: 'Users', route: 'PUT /v1/users/{id}/anonymize', answer: 'none', errors: [403, 404] },
  { section: 'Users', route: 'GET /v1/users/checkModified', query: ['dateToCheck?'], answer: 'open', errors: [] },
  {
    section: 'Users',
    route: 'GET /v1/users/{id}/modifications',
    query: ['dateToCheck?'],
    answer: 'open',
    errors: [],
  },
  { section: 'Users', route: 'GET /v1/users/{id}/lastlogin', answer: 'open', errors: [] },
];

/** The two of "Authentication", outside `/v1`. */
export const DOCUMENTED_OAUTH: readonly DocumentedEndpoint[] = [
  {
    section: 'Authentication',
    route: 'GET /login/oauth/authorize',
    query: ['client_id', 'redirect_uri?', 'state?'],
    answer: 'none',
    errors: [],
  },
  {
    section: 'Authentication',
    route: 'POST /login/oauth/access_token',
    body: ['client_id', 'client_secret', 'code', 'state?'],
    answer: ['access_token', 'scope', 'token_type'],
    errors: [],
  },
];
