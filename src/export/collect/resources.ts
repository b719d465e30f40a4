/**
 * What can be exported: name, shape, and by which key items are put in order and compared. It knows neither files nor
 * how the items are fetched.
 */
import { Account } from '../../contract/account.js';
import { Book, BookType, Subject } from '../../contract/books.js';
import { ClassDetail } from '../../contract/classes.js';
import { Licence, LicenceActivation } from '../../contract/licenses.js';
import { Publisher } from '../../contract/publishers.js';
import { ReaderEntry } from '../../contract/readers.js';
import { Role } from '../../contract/roles.js';
import { School } from '../../contract/schools.js';
import { LANGUAGES } from '../../contract/shared.js';
import { Subscription } from '../../contract/subscriptions.js';
import { User } from '../../contract/users.js';
import { choice, type Field, shape, text } from '../../contract/vocabulary.js';

/** In the order of manifests and summaries. */
export const RESOURCES = [
  'account',
  'subjects',
  'types',
  'publishers',
  'schools',
  'roles',
  'users',
  'classes',
  'books',
  'readers',
  'licenses',
  'activations',
  'subscriptions',
] as const;
export type Resource = (typeof RESOURCES)[number];

export const isResource = (name: string): name is Resource => (RESOURCES as readonly string[]).includes(name);

/** Left out unless asked for: they cost a request for each licence. */
export const ON_REQUEST: ReadonlySet<Resource> = new Set(['activations']);

export interface Exported {
  /** The items as they are written. */
  readonly shape: Field;
  /** The fields that tell items apart, in the order in which they sort. */
  readonly key: readonly string[];
  /** The field by which people know an item, where it has one. */
  readonly natural?: string;
  /** A field that only exports of several languages have. */
  readonly addition?: string;
  /** Equal items are several, not one that was met twice. */
  readonly repeats?: true;
}

/** In several languages each name comes with its own: an addition of the export, behind the API's fields. */
const named = (answer: { readonly fields: NonNullable<Field['fields']>; readonly about: string }, name: string) =>
  shape(name, answer.about, {
    ...answer.fields,
    language: choice(LANGUAGES, 'language of the name; only in an export of several languages'),
  });

export const EXPORTED: Readonly<Record<Resource, Exported>> = {
  account: { shape: Account, key: ['id'], natural: 'email' },
  subjects: { shape: named(Subject, 'Subject'), key: ['id', 'language'], addition: 'language' },
  types: { shape: named(BookType, 'BookType'), key: ['type', 'language'], addition: 'language' },
  publishers: { shape: Publisher, key: ['id'], natural: 'name' },
  schools: { shape: School, key: ['id'], natural: 'name' },
  roles: { shape: Role, key: ['id'] },
  users: { shape: User, key: ['id'], natural: 'email' },
  classes: { shape: ClassDetail, key: ['classId'], natural: 'classCode' },
  books: { shape: Book, key: ['id'], natural: 'ean' },
  readers: { shape: ReaderEntry, key: ['id'], natural: 'ean' },
  licenses: { shape: Licence, key: ['id'], natural: 'code' },
  activations: {
    // The answer does not say which licence it is about: an addition of the export.
    shape: shape('LicenceActivation', LicenceActivation.about, {
      ...LicenceActivation.fields,
      licenseId: text('licence id'),
    }),
    key: ['licenseId', 'creationDate', 'user'],
    repeats: true,
  },
  subscriptions: { shape: Subscription, key: ['id'], natural: 'code' },
};

/** Separates the parts of a key; ids have no control characters, and order is right if they do not. */
const SEPARATOR = '\u0000';

/** An object as its JSON: one with a member called `toString` could not be asked for a text of its own. */
function part(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A function that gives the key of an item as one text; empty for an item without one. */
export function keyReader({ key }: Exported): (item: unknown) => string {
  const [first = 'id', ...others] = key;
  return (item) => {
    if (typeof item !== 'object' || item === null) return part(item);
    const fields = item as Readonly<Record<string, unknown>>;
    let text = part(fields[first]);
    let blanks = '';
    for (const name of others) {
      const more = part(fields[name]);
      blanks += SEPARATOR;
      // Blank parts at the end are left out: a csv has an empty cell where the item has nothing.
      if (more === '') continue;
      text += blanks + more;
      blanks = '';
    }
    return text;
  };
}

/** A key as people read it. */
export const shownKey = (key: string): string => key.replaceAll(SEPARATOR, ' ');
