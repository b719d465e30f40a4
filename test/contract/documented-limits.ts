/**
 * Limits of inputs, copied by hand from "Limits" and from the notes of each field in the API document. An input that is
 * not listed is a string without any rule. It must not import the contract.
 */
import { DOCUMENTED } from './endpoint-table.js';

export const LANGUAGES = ['DE', 'EN', 'ES', 'FR', 'IT', 'NL', 'PT', 'RU'];
export const ORGANIZATION_TYPES = ['School', 'Publisher', 'Distributor'];
export const EXPIRATION_DAYS = [30, 90, 365, 455, 820, 1095, 1185, 1550, 3650];
export const BOOK_TYPES_SEEN = [
  'ReferenceBook',
  'Coursebook',
  'Answers',
  'ClassroomMaterial',
  'CourseActivityBook',
  'Guide',
  'Magazine',
];
/** "at most 150 MB", with the larger of the two usual units. */
export const MAX_PDF_BYTES = 150 * 1024 * 1024;

export interface DocumentedLimit {
  readonly kind?: 'number' | 'integer' | 'boolean' | 'file' | 'list';
  /** In characters. */
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly oneOf?: readonly (string | number)[];
  readonly format?: 'yyyy-MM-dd' | 'ISO 3166-1 alpha-2' | 'code' | 'email';
  /** Default when the field is omitted. */
  readonly default?: string;
}

type Place = 'query' | 'body';

/** The name of a field without the marks for optional and conditional ones. */
export const nameOf = (field: string): string => field.split(/[ ?]/)[0] ?? '';

const routesWith = (place: Place, name: string): string[] =>
  DOCUMENTED.filter((row) => row[place]?.some((field) => nameOf(field) === name)).map((row) => row.route);

const rules: readonly (readonly [place: Place, field: string, limit: DocumentedLimit, routes?: readonly string[]])[] = [
  ['query', 'language', { oneOf: LANGUAGES }],
  ['query', 'type', { oneOf: ORGANIZATION_TYPES }, ['GET /v1/books', 'GET /v1/users', 'GET /v1/roles']],
  ['query', 'type', { oneOf: ['BOOKS', 'TEACHER'] }, ['GET /v1/licenses']],
  ['query', 'dateToCheck', { format: 'yyyy-MM-dd' }],

  ['body', 'language', { oneOf: LANGUAGES }],
  ['body', 'organization.type', { oneOf: ORGANIZATION_TYPES }],
  ['body', 'firstName', { maxLength: 50 }],
  ['body', 'lastName', { maxLength: 50 }],
  // The document shows no form of addresses.
  ['body', 'email', { format: 'email' }, ['POST /v1/users', 'POST /v1/users/enduser']],
  ['body', 'email', { maxLength: 50, format: 'email' }, ['PUT /v1/users/enduser/{id}']],
  // "lowercase alphanumeric"
  ['body', 'code', { format: 'code' }, ['POST /v1/licenses']],
  ['body', 'roles', { kind: 'list' }],
  [
    'body',
    'name',
    { maxLength: 50 },
    ['POST /v1/publishers', 'PUT /v1/publishers/{id}', 'POST /v1/schools', 'PUT /v1/schools/{id}'],
  ],
  ['body', 'country', { format: 'ISO 3166-1 alpha-2' }],

  ['body', 'year', { kind: 'number' }],
  ['body', 'settings.pageNumberOffset', { kind: 'integer' }],
  ['body', 'settings.indexPageNumber', { kind: 'integer' }],
  ['body', 'pdfFile', { kind: 'file' }],
  ['body', 'coverFile', { kind: 'file' }],
  ['body', 'file', { kind: 'file' }],
  ['body', 'fileType', { oneOf: ['Audio', 'Document', 'Image', 'Video'] }],
  ['body', 'layoutType', { oneOf: ['SPREADS', 'PAGES'], default: 'SPREADS' }],
  // "the value true lets users download the PDF": a boolean in any representation.
  ['body', 'pdfDownloadable', { kind: 'boolean' }],

  ['body', 'type', { oneOf: ['Books', 'Teacher'] }, ['POST /v1/licenses', 'PUT /v1/licenses/{id}']],
  ['body', 'books', { kind: 'list' }],
  ['body', 'expiration.type', { oneOf: ['Days', 'Date'] }],
  ['body', 'expiration.days', { oneOf: EXPIRATION_DAYS }],
  ['body', 'expiration.date', { format: 'yyyy-MM-dd' }],
  // "at least the current numberOfActivations": a count, so that the documented number is whole.
  ['body', 'maximumActivations', { kind: 'integer', minimum: 0 }, ['POST /v1/licenses', 'PUT /v1/licenses/{id}']],
  ['body', 'maximumActivations', { kind: 'integer', minimum: 1 }, ['POST /v1/subscriptions']],
  // Its documented bound contradicts its sample, so there is none here.
  ['body', 'maximumActivations', { kind: 'integer' }, ['PUT /v1/subscriptions/{id}']],
  ['body', 'expirationDate', { format: 'yyyy-MM-dd' }],
];

/** `ROUTE PLACE FIELD` → its limits. */
export const DOCUMENTED_LIMITS: ReadonlyMap<string, DocumentedLimit> = new Map(
  rules.flatMap(([place, field, limit, routes = routesWith(place, field)]) =>
    routes.map((route) => [`${route} ${place} ${field}`, limit] as const),
  ),
);
