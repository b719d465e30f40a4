/** Describes the formats of rosters as data: their tables, and the columns of each field. */

interface KindFields {
  school: 'id' | 'name' | 'type' | 'status';
  term: 'id' | 'end' | 'status';
  /** A person's role in an organization. */
  role: 'id' | 'person' | 'role' | 'school' | 'primary' | 'begin' | 'end' | 'status';
  /** `schools` is a list of IDs. */
  person: 'id' | 'firstName' | 'lastName' | 'email' | 'username' | 'identifier' | 'role' | PersonState;
  /** `terms` is a list of IDs; `teachers` has a column for each teacher. */
  class: 'id' | 'title' | 'school' | 'subject' | 'terms' | 'end' | 'status' | 'teachers';
  membership: 'id' | 'class' | 'person' | 'begin' | 'end' | 'status';
}
type PersonState = 'school' | 'schools' | 'enabled' | 'status';

export type TableKind = keyof KindFields;

/** Headers of a field: the first one with a value counts. A required field needs the last one. */
type Headers = string | readonly string[];

interface TableOf<K extends TableKind> {
  /** Name of the file without `.csv`, in lower case. */
  readonly file: string;
  readonly kind: K;
  /** The table must have these columns. */
  readonly required: Readonly<Partial<Record<KindFields[K], Headers>>>;
  readonly optional?: Readonly<Partial<Record<KindFields[K], Headers>>>;
  /** A roster without the table is not complete, so it is refused. */
  readonly isNeeded?: true;
  /** IDs of people in this table are unique only among people of this role, which becomes part of them. */
  readonly role?: string;
  /** A person has a row for each school. */
  readonly isPerSchool?: true;
  /** A user name with a domain is the person's address, as in Microsoft Entra ID. */
  readonly hasUpn?: true;
}
export type RosterTable = { [K in TableKind]: TableOf<K> }[TableKind];

export interface RosterFormat {
  readonly name: string;
  /** Files, or columns of files, by any of which it is recognized: `sections` or `classes orgSourcedId`. */
  readonly marks: readonly string[];
  /** In the order in which they are read. */
  readonly tables: readonly RosterTable[];
  /** Types of organizations that are schools, in lower case; all are, if the format has no types. */
  readonly schoolTypes?: readonly string[];
  /** Format of dates that are not ISO 8601, unless `--date-format` gives another one. */
  readonly dates?: string;
  /** A table of OneRoster that says which others are complete. */
  readonly hasManifest?: true;
}
