/** The endpoints of items that plans change, and the fields of items that steps compare. */
import { books } from '../contract/books.js';
import { classes } from '../contract/classes.js';
import { licenses } from '../contract/licenses.js';
import { publishers } from '../contract/publishers.js';
import { readers } from '../contract/readers.js';
import { schools } from '../contract/schools.js';
import { users } from '../contract/users.js';
import type { ActualLicense, ActualPublication, ActualUser } from './actual.js';
import type { Fields } from './steps.js';

export const ENDPOINTS = { publishers, schools, users, classes, licenses, books, readers };

export function userFields({ firstName, lastName, organization, roles }: ActualUser): Fields {
  return { firstName, lastName, organization, roles };
}

export const expirationField = ({ type, days, date }: Fields): Fields =>
  type === 'Days' ? { type, days } : { type, date };

export const licenseFields = ({ name, maximumActivations, type, books: opens, expiration }: ActualLicense): Fields => ({
  name,
  maximumActivations,
  type,
  ...(type === 'Books'
    ? { books: opens.map(({ id }) => id), expiration: expiration === null ? null : expirationField(expiration) }
    : {}),
});

/** The fields of a book; the EAN of a reader cannot be sent. */
export function publicationFields(kind: 'books' | 'readers', one: ActualPublication): Fields {
  const { ean, title, subjectId, settings, year, level, series, typeName, pdfDownloadable } = one;
  const shared = { title, subject: subjectId, ...(settings === undefined ? {} : { settings }) };
  return kind === 'books'
    ? { ean, ...shared, year, stream: level, series, type: typeName }
    : { ...shared, pdfDownloadable };
}
