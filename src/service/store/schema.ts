/** The tables: each row of `TABLES` is a collection, with the record as JSON and generated columns for indexes. */
import type * as records from './records.js';

/** The indexes of a collection, in addition to the unique one of `id`. Queries may filter by the fields in them. */
interface Table<R> {
  readonly indexes: readonly (readonly (keyof R & string)[])[];
  readonly unique?: readonly (readonly (keyof R & string)[])[];
  /** The fields whose values are the same in all items of a list. An array puts the record into a list for each value. */
  readonly lists?: readonly (readonly (keyof R & string)[])[];
  /** Contains secrets or their digests, so that no one is shown its records. */
  readonly secret?: true;
}

const table =
  <R>() =>
  <const T extends Table<R>>(definition: T): T & { readonly record?: R } =>
    definition;

/** Indexes need no column for the order of insertion: SQLite appends the row's number to each. */
export const TABLES = {
  organizations: table<records.Organization>()({
    indexes: [
      ['ownerId', 'type'],
      ['type', 'name'],
    ],
    lists: [['ownerId', 'type']],
  }),
  roles: table<records.Role>()({ indexes: [['organizationId']] }),
  users: table<records.User>()({
    indexes: [['organizationId'], ['organizationId', 'unlisted'], ['email']],
    lists: [['organizationId']],
  }),
  books: table<records.Book>()({ indexes: [['organizationId']], lists: [['organizationId']] }),
  readers: table<records.Reader>()({ indexes: [['creatorId']], lists: [['creatorId']] }),
  files: table<records.StoredFile>()({ indexes: [] }),
  licences: table<records.Licence>()({
    indexes: [['creatorId', 'type']],
    unique: [['code']],
    lists: [
      ['creatorId', 'type'],
      ['ownerId', 'bookIds'],
    ],
  }),
  activations: table<records.Activation>()({ indexes: [['userId'], ['licenceId', 'userId']] }),
  subscriptions: table<records.Subscription>()({
    indexes: [['organizationId'], ['code']],
    lists: [['organizationId']],
  }),
  subscriptionUses: table<records.SubscriptionUse>()({ indexes: [['userId']], unique: [['subscriptionId', 'userId']] }),
  classes: table<records.Class>()({ indexes: [['schoolId'], ['code']] }),
  classMembers: table<records.ClassMember>()({ indexes: [['userId']], unique: [['classId', 'userId']] }),
  modifications: table<records.Modification>()({
    indexes: [
      ['userId', 'day'],
      ['creatorId', 'day'],
    ],
  }),
  logins: table<records.Login>()({ indexes: [['userId']] }),
  emails: table<records.Email>()({ indexes: [], secret: true }),
  accessTokens: table<records.AccessToken>()({ indexes: [['userId']], secret: true }),
  oauthClients: table<records.OAuthClient>()({ indexes: [], secret: true }),
  authorizationCodes: table<records.AuthorizationCode>()({ indexes: [], secret: true }),
  editorTokens: table<records.EditorToken>()({ indexes: [], secret: true }),
  personas: table<records.PersonaRecord>()({ indexes: [], secret: true }),
} as const;

export type TableName = keyof typeof TABLES;
export type VisibleName = {
  [N in TableName]: (typeof TABLES)[N] extends { readonly secret: true } ? never : N;
}[TableName];

/** The collections whose records may be shown. */
export const VISIBLE = Object.entries(TABLES).flatMap(([name, table]) =>
  'secret' in table ? [] : [name as VisibleName],
);

type RecordIn<T> = T extends { readonly record?: infer R } ? NonNullable<R> : never;
export type RecordOf<N extends TableName> = RecordIn<(typeof TABLES)[N]>;

type FieldsIn<L> = L extends readonly (readonly (infer F extends string)[])[] ? F : never;
type ColumnIn<T> = T extends { readonly [K in 'indexes' | 'unique']?: infer L } ? FieldsIn<L> : never;
export type ColumnOf<N extends TableName> = ColumnIn<(typeof TABLES)[N]>;

/** The lists of a collection that contain a record, or the one that all matching records are in. */
export function listsOf(name: TableName, record: object): string[] {
  const { lists = [] } = TABLES[name] as Table<Readonly<Record<string, unknown>>>;
  const values = new Map<string, unknown>(Object.entries(record));
  return lists
    .filter((fields) => fields.every((field) => values.has(field)))
    .flatMap((fields) =>
      fields.reduce<string[]>(
        (keys, field) => [values.get(field)].flat().flatMap((value) => keys.map((key) => `${key} ${field}=${value}`)),
        [name],
      ),
    );
}

/** Identifies the database file as one of edu: "eduo" as a number. */
export const APPLICATION_ID = 0x6564756f;
/** Increase it with every change of the tables or the records. */
export const SCHEMA_VERSION = 7;

function createTable(name: string, { indexes, unique = [] }: Table<{ readonly [field: string]: unknown }>): string {
  const generated = [...new Set(['id', ...indexes.flat(), ...unique.flat()])].map(
    (column) =>
      // Addresses are found without regard to case (ASCII only).
      `${column} TEXT ${column === 'email' ? 'COLLATE NOCASE ' : ''}GENERATED ALWAYS AS (doc ->> '${column}') VIRTUAL`,
  );
  const index = (kind: string) => (fields: readonly string[]) =>
    `CREATE ${kind} ${name}_${fields.join('_')} ON ${name} (${fields.join(', ')});`;
  return [
    `CREATE TABLE ${name} (seq INTEGER PRIMARY KEY, doc TEXT NOT NULL, ${generated.join(', ')}) STRICT;`,
    ...[['id'], ...unique].map(index('UNIQUE INDEX')),
    ...indexes.map(index('INDEX')),
  ].join('\n');
}

export const SCHEMA = [
  ...Object.entries(TABLES).map(([name, definition]) => createTable(name, definition)),
  // Number of removals from each list: a cursor is valid only while it is unchanged.
  'CREATE TABLE removals (name TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;',
  // Secrets and settings of the state, by name.
  'CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;',
  `PRAGMA application_id = ${APPLICATION_ID};`,
  `PRAGMA user_version = ${SCHEMA_VERSION};`,
].join('\n');
