/**
 * The leaves of every response, copied by hand from "Resources and their fields" of the API document, with the variants
 * in the paragraphs of the endpoints. It must not import the contract. `[]` marks a list.
 */

/** Prefixes names with their parent. */
export const under = (prefix: string, names: readonly string[]): string[] => names.map((name) => `${prefix}.${name}`);

export const REFERENCE = ['id', 'type'];
const ROLES = ['roles[].id', 'roles[].name'];
const SETTINGS = ['settings.indexPageNumber', 'settings.pageNumberOffset'];

export const ACCOUNT = [
  'id',
  'email',
  'firstName',
  'lastName',
  'avatar',
  ...ROLES,
  'permissions[].resource',
  'permissions[].operation',
];
export const BOOK = [
  'id',
  'ean',
  'title',
  'year',
  'level',
  'series',
  'subject.id',
  'subject.translatedName',
  ...under('organization', REFERENCE),
  'coverUrl',
  'pdfUrl',
  'type.name',
  'type.translatedName',
  'active',
  ...SETTINGS,
];
export const WRITTEN_BOOK = [...BOOK, 'secondSubject.id', 'secondSubject.translatedName'];
export const LISTED_READER = [
  'id',
  'ean',
  'title',
  'subject.id',
  'subject.translatedName',
  ...under('organization', REFERENCE),
  'coverUrl',
  'pdfUrl',
  'type.name',
  'type.translatedName',
  'active',
  'tableOfContents',
  'pdfDownloadable',
];
export const READER = [...LISTED_READER, ...SETTINGS];
const LICENCE_BASE = [
  'id',
  'name',
  'code',
  'type',
  'books[].id',
  'books[].ean',
  'expiration.type',
  'expiration.days',
  'expiration.date',
  'maximumActivations',
  'numberOfActivations',
  ...under('organization', REFERENCE),
  'licenseCategory',
  'endUsers[].id',
  'endUsers[].email',
  'endUsers[].firstName',
  'endUsers[].lastName',
];
export const LISTED_LICENCE = [...LICENCE_BASE, 'books[].title', 'endUsers[].language'];
/** By ID and by code: no language; `{id, ean, title}` is documented only for list entries. */
export const FOUND_LICENCE = LICENCE_BASE;
export const WRITTEN_LICENCE = [...LICENCE_BASE, 'books[].name', 'endUsers[].language'];
export const SUBSCRIPTION = ['id', 'code', 'maximumActivations', 'numberOfActivations', 'expirationDate'];
const CLASS_BASE = ['classId', 'className', 'classCode', 'subjectId', 'usersInClass[]'];
/** "in update responses and in the school's class list": whether other responses have them is not documented. */
export const CLASS_ONLY_IN_SOME = ['schoolId', 'creationDate', 'deactivationDate'];
export const CLASS = CLASS_BASE;
export const FULL_CLASS = [...CLASS_BASE, ...CLASS_ONLY_IN_SOME];
export const PUBLISHER = ['id', 'name', ...ROLES];
export const SCHOOL = ['id', 'name', 'country', 'city', ...ROLES];
export const ROLE = ['id', 'name', 'permissions[].resource', 'permissions[].operation'];
export const USER = [
  'id',
  'email',
  'firstName',
  'lastName',
  'language',
  'avatarUrl',
  ...under('organization', REFERENCE),
  ...ROLES,
];
export const END_USER = ['id', 'email', 'firstName', 'lastName', 'language'];

/** Leaves that the document calls "or null", "may be null" or "null until …", by shape. */
export const NULLABLE: readonly (readonly [route: string, leaf: string])[] = [
  ['GET /v1/account', 'avatar'],
  ...['GET /v1/books/{id}', 'POST /v1/books', 'PUT /v1/books/{id}'].flatMap((route) =>
    ['series', 'coverUrl', 'pdfUrl', 'subject.translatedName'].map((leaf) => [route, leaf] as const),
  ),
  ...['GET /v1/readers/{id}', 'POST /v1/readers', 'PUT /v1/readers/{id}'].flatMap((route) =>
    ['coverUrl', 'pdfUrl', 'subject.translatedName'].map((leaf) => [route, leaf] as const),
  ),
  ['GET /v1/licenses/{id}', 'expiration.days'],
  ['POST /v1/licenses', 'expiration.days'],
  ['GET /v1/classes/{id}', 'usersInClass'],
  ['PUT /v1/classes/{id}', 'deactivationDate'],
  ['GET /v1/users/{id}', 'avatarUrl'],
  ['POST /v1/users/enduser', 'email'],
  ['PUT /v1/users/enduser/{id}', 'email'],
  ['PUT /v1/users/enduser/{id}', 'avatarUrl'],
];

/** The formats of dates in responses: four in all, with the general one. */
export const DATE_FORMS: readonly (readonly [route: string, leaf: string, format: string])[] = [
  ['GET /v1/licenses/{id}', 'expiration.date', 'yyyy-MM-dd'],
  ['GET /v1/licenses/{id}/activations', 'activations[].creationDate', 'yyyy-MM-dd HH:mm:ss'],
  ['GET /v1/licenses/{id}/activations', 'activations[].expirationDate', 'yyyy-MM-dd HH:mm:ss'],
  ['GET /v1/subscriptions/{id}', 'expirationDate', 'yyyy-MM-dd'],
  ['PUT /v1/classes/{id}', 'creationDate', "yyyy-MM-dd'T'HH:mm:ss.SSS"],
  ['GET /v1/schools/{id}/classes', '[].creationDate', "yyyy-MM-dd'T'HH:mm:ss.SSS"],
];
