/** Creates test data through the API only, so that it works with any implementation. */
import type { Actor } from './actor.js';
import type { FileGiven } from './multipart.js';

let count = 0;
const run = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;

/** A name that no other test and no earlier run has used: lowercase letters and digits. */
export const unique = (prefix = 'x'): string => `${prefix}${run}${(count++).toString(36)}`;

export interface Organization {
  readonly id: string;
  readonly type: string;
}

/** The organization of an actor: the account does not contain it, the user does. */
export async function organizationOf(actor: Actor): Promise<Organization> {
  const account = await actor.ok('GET /v1/account');
  const user = await actor.ok('GET /v1/users/{id}', { params: { id: account.id } });
  return user.organization;
}

/** The bytes of a small, valid PDF. */
export const PDF: FileGiven = {
  filename: 'sample.pdf',
  contentType: 'application/pdf',
  bytes: Buffer.from(
    [
      '%PDF-1.4',
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj',
      'trailer<</Root 1 0 R>>',
      '%%EOF\n',
    ].join('\n'),
  ),
};

/** A PNG of one pixel. */
export const PNG: FileGiven = {
  filename: 'cover.png',
  contentType: 'image/png',
  bytes: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

export const EN = { language: 'EN' } as const;

/** Ids of the service's subjects. */
export async function subjectIds(actor: Actor): Promise<string[]> {
  const { subjects } = await actor.ok('GET /v1/books/subjects', { query: EN });
  return subjects.map((subject) => subject.id);
}

export async function subjectId(actor: Actor): Promise<string> {
  const [first] = await subjectIds(actor);
  if (first === undefined) throw new Error('the service has no subject');
  return first;
}

/** The form of a book with the required fields and the given ones. */
export async function bookForm(actor: Actor, more: Readonly<Record<string, string>> = {}) {
  return {
    ean: unique('978'),
    title: unique('Book '),
    year: '2026',
    subject: await subjectId(actor),
    type: 'Coursebook',
    language: 'EN',
    ...more,
  };
}

export async function newBook(actor: Actor, more: Readonly<Record<string, string>> = {}) {
  return actor.ok('POST /v1/books', { query: EN, form: await bookForm(actor, more) });
}

export async function newReader(actor: Actor, more: Readonly<Record<string, string>> = {}) {
  return actor.ok('POST /v1/readers', {
    query: EN,
    form: {
      title: unique('Reader '),
      subject: await subjectId(actor),
      language: 'EN',
      ...more,
      pdfFile: PDF,
    },
  });
}

/** The body of a teacher licence, which needs no books. */
export const teacherLicence = (more: object = {}) => ({
  name: unique('Licence '),
  maximumActivations: 5,
  type: 'Teacher',
  ...more,
});

/** The body of a licence for books. */
export const bookLicence = (books: readonly string[], more: object = {}) => ({
  name: unique('Licence '),
  maximumActivations: 5,
  type: 'Books',
  books,
  expiration: { type: 'Days', days: 365 },
  ...more,
});

export const newLicence = (actor: Actor, body: object = teacherLicence()) =>
  actor.ok('POST /v1/licenses', { json: body });

export const newPublisher = (actor: Actor) => actor.ok('POST /v1/publishers', { json: { name: unique('Publisher ') } });

export const newSchool = (actor: Actor) =>
  actor.ok('POST /v1/schools', { json: { name: unique('School '), country: 'NL', city: 'Utrecht' } });

export const newClass = async (actor: Actor, schoolId: string) =>
  actor.ok('POST /v1/classes', { json: { subjectId: await subjectId(actor), schoolId, name: unique('Class ') } });

export const userBody = (organization: Organization, more: object = {}) => ({
  firstName: 'Ada',
  lastName: unique('User'),
  email: `${unique('u')}@example.com`,
  language: 'EN',
  organization: { id: organization.id, type: organization.type },
  roles: [] as string[],
  ...more,
});

export const newUser = (actor: Actor, organization: Organization, more: object = {}) =>
  actor.ok('POST /v1/users', { json: userBody(organization, more) });

export const newEndUser = (actor: Actor) =>
  actor.ok('POST /v1/users/enduser', {
    json: { firstName: 'Eve', lastName: unique('End'), email: `${unique('e')}@example.com`, language: 'NL' },
  });

/** The date a number of days from another, as yyyy-MM-dd in UTC. */
export const dayFrom = (start: Date, days: number): string =>
  new Date(start.getTime() + days * 86_400_000).toISOString().slice(0, 10);
