/**
 * The tables: each collection is a table with the record as a JSON document, and generated columns for indexes. To add a
 * collection, add a row to `TABLES`.
 */
import type * as records from './records.js';

/** The indexes of a collection, in addition to the unique one of `id`. */
export interface Table<R> {
  /** The fields that queries may filter by; each becomes a column. */
  readonly columns: readonly (keyof R & string)[];
  /** Columns that ignore case (ASCII only). */
  readonly caseless?: readonly (keyof R & string)[];
  readonly indexes: readonly (readonly (keyof R & string)[])[];
  readonly unique?: readonly (readonly (keyof R & string)[])[];
}

const table = <R>() => ({
  of: <const T extends Table<R>>(definition: T): T & { readonly record?: R } => definition,
});

/** Indexes need no column for the order of insertion: SQLite appends the row's number to each. */
export const TABLES = {
  organizations: table<records.Organization>().of({
    columns: ['type', 'ownerId', 'name'],
    indexes: [
      ['ownerId', 'type'],
      ['type', 'name'],
    ],
  }),
  roles: table<records.Role>().of({ columns: ['organizationId'], indexes: [['organizationId']] }),
  users: table<records.User>().of({
    columns: ['organizationId', 'email', 'unlisted'],
    caseless: ['email'],
    indexes: [['organizationId'], ['organizationId', 'unlisted']],
    unique: [['email']],
  }),
  books: table<records.Book>().of({ columns: ['organizationId'], indexes: [['organizationId']] }),
  readers: table<records.Reader>().of({ columns: ['creatorId'], indexes: [['creatorId']] }),
  files: table<records.StoredFile>().of({ columns: [], indexes: [] }),
  licences: table<records.Licence>().of({
    columns: ['code', 'creatorId', 'type'],
    indexes: [['creatorId', 'type']],
    unique: [['code']],
  }),
  activations: table<records.Activation>().of({
    columns: ['licenceId', 'userId'],
    indexes: [['userId'], ['licenceId', 'userId']],
  }),
  subscriptions: table<records.Subscription>().of({
    columns: ['organizationId', 'code'],
    indexes: [['organizationId'], ['code']],
  }),
  subscriptionUses: table<records.SubscriptionUse>().of({
    columns: ['subscriptionId', 'userId'],
    indexes: [['userId']],
    unique: [['subscriptionId', 'userId']],
  }),
  classes: table<records.Class>().of({
    columns: ['schoolId', 'code'],
    indexes: [['schoolId'], ['code']],
  }),
  classMembers: table<records.ClassMember>().of({
    columns: ['classId', 'userId'],
    indexes: [['userId']],
    unique: [['classId', 'userId']],
  }),
  modifications: table<records.Modification>().of({
    columns: ['userId', 'creatorId', 'day'],
    indexes: [
      ['userId', 'day'],
      ['creatorId', 'day'],
    ],
  }),
  logins: table<records.Login>().of({ columns: ['userId'], indexes: [['userId']] }),
  accessTokens: table<records.AccessToken>().of({ columns: ['userId'], indexes: [['userId']] }),
  oauthClients: table<records.OAuthClient>().of({ columns: [], indexes: [] }),
  authorizationCodes: table<records.AuthorizationCode>().of({ columns: [], indexes: [] }),
  editorTokens: table<records.EditorToken>().of({ columns: [], indexes: [] }),
  personas: table<records.PersonaRecord>().of({ columns: [], indexes: [] }),
} as const;

export type TableName = keyof typeof TABLES;

type RecordIn<T> = T extends { readonly record?: infer R } ? NonNullable<R> : never;
export type RecordOf<N extends TableName> = RecordIn<(typeof TABLES)[N]>;
export type ColumnOf<N extends TableName> = (typeof TABLES)[N]['columns'][number];

/** Identifies the database file as one of edu: "eduo" as a number. */
export const APPLICATION_ID = 0x6564756f;
/** Increase it with every change of the tables or the records. */
export const SCHEMA_VERSION = 3;

function createTable(name: string, { columns, caseless = [], indexes, unique = [] }: Table<never>): string {
  const generated = ['id', ...columns].map(
    (column) =>
      `${column} TEXT ${caseless.includes(column as never) ? 'COLLATE NOCASE ' : ''}` +
      `GENERATED ALWAYS AS (doc ->> '${column}') VIRTUAL`,
  );
  const index = (kind: string) => (fields: readonly string[]) =>
    `CREATE ${kind} ${name}_${fields.join('_')} ON ${name} (${fields.join(', ')});`;
  return [
    `CREATE TABLE ${name} (seq INTEGER PRIMARY KEY, doc TEXT NOT NULL, ${generated.join(', ')}) STRICT;`,
    ...[['id'], ...unique].map(index('UNIQUE INDEX')),
    ...indexes.map(index('INDEX')),
  ].join('\n');
}

/** Rows of `licencesOfBooks` for a row of `licences`. */
const booksOf = (row: 'old' | 'new'): string =>
  `SELECT DISTINCT value, ${row}.doc ->> 'ownerId', ${row}.seq FROM json_each(${row}.doc, '$.bookIds')`;
const NOTE_BOOKS = `INSERT INTO licencesOfBooks ${booksOf('new')};`;
const FORGET_BOOKS = `DELETE FROM licencesOfBooks WHERE (bookId, ownerId, seq) IN (${booksOf('old')});`;

export const SCHEMA = [
  ...Object.entries(TABLES).map(([name, definition]) => createTable(name, definition as unknown as Table<never>)),
  // The index from books to licences, so that the licences of a book can be paged.
  'CREATE TABLE licencesOfBooks (bookId TEXT, ownerId TEXT, seq INTEGER, PRIMARY KEY (bookId, ownerId, seq)) STRICT, WITHOUT ROWID;',
  `CREATE TRIGGER insertedLicence AFTER INSERT ON licences BEGIN ${NOTE_BOOKS} END;`,
  `CREATE TRIGGER deletedLicence AFTER DELETE ON licences BEGIN ${FORGET_BOOKS} END;`,
  "CREATE TRIGGER updatedLicence AFTER UPDATE ON licences WHEN old.doc ->> 'bookIds' <> new.doc ->> 'bookIds' " +
    `BEGIN ${FORGET_BOOKS} ${NOTE_BOOKS} END;`,
  // Number of removals from each collection: a cursor is valid only while it is unchanged.
  'CREATE TABLE removals (name TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;',
  // Secrets and settings of the state, by name.
  'CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;',
  `PRAGMA application_id = ${APPLICATION_ID};`,
  `PRAGMA user_version = ${SCHEMA_VERSION};`,
].join('\n');
