/** The columns of tables: title, fields and importance. */

export interface Column {
  readonly title: string;
  /** The field that it shows, or the fields that `as` makes it from. */
  readonly from: string | readonly string[];
  /** What it says instead of the field's value: a person's name, `3/10` activations, a licence's end, a bar. */
  readonly as?: 'used' | 'expiry' | 'person' | 'bar';
  /** Only how many there are. */
  readonly count?: true;
  /** 0 is never left out; on a narrow terminal the highest rank goes first. */
  readonly rank: number;
  /** Terminal cells that it keeps when others need room. */
  readonly minWidth?: number;
  /** Left out sooner than cut: it ends in an id. */
  readonly rigid?: true;
  /** Shown on request (`--wide`, `--fields`) and for a single item only. */
  readonly wide?: true;
}

export const ID: Column = { title: 'ID', from: 'id', rank: 0 };

export const ORGANIZATION: Column = { title: 'Organization', from: 'organization', rank: 8, rigid: true };

/** Of licences and subscriptions. */
export const USED: Column = {
  title: 'Used',
  from: ['numberOfActivations', 'maximumActivations'],
  as: 'used',
  rank: 2,
};

/** Of books and readers. */
export const PUBLICATION: readonly Column[] = [
  ID,
  { title: 'EAN', from: 'ean', rank: 3 },
  { title: 'Title', from: 'title', rank: 1, minWidth: 20 },
  { title: 'Year', from: 'year', rank: 5 },
  { title: 'Level', from: 'level', rank: 6, minWidth: 8 },
  { title: 'Subject', from: 'subject', rank: 2, minWidth: 10 },
  { title: 'Type', from: 'type', rank: 4, minWidth: 10 },
  { title: 'Series', from: 'series', rank: 7, minWidth: 8 },
  { title: 'Active', from: 'active', rank: 3 },
  { title: 'Download', from: 'pdfDownloadable', rank: 5 },
  ORGANIZATION,
  { title: 'Cover', from: 'coverUrl', rank: 9, wide: true },
  { title: 'PDF', from: 'pdfUrl', rank: 9, wide: true },
  { title: 'Pages', from: 'settings', rank: 9, wide: true },
  { title: 'Contents', from: 'tableOfContents', rank: 9, wide: true },
];

/** Of the account, users and end users. */
export const PERSON: readonly Column[] = [
  ID,
  { title: 'Name', from: ['firstName', 'lastName'], as: 'person', rank: 1, minWidth: 16 },
  { title: 'E-mail', from: 'email', rank: 2, minWidth: 20 },
  { title: 'Language', from: 'language', rank: 5 },
  { title: 'Roles', from: 'roles', rank: 3, minWidth: 10 },
  ORGANIZATION,
  { title: 'Permissions', from: 'permissions', rank: 9, wide: true },
  { title: 'Avatar', from: 'avatar', rank: 9, wide: true },
  { title: 'Avatar', from: 'avatarUrl', rank: 9, wide: true },
];

/** Of publishers and schools. */
export const INSTITUTION: readonly Column[] = [
  ID,
  { title: 'Name', from: 'name', rank: 1, minWidth: 20 },
  { title: 'City', from: 'city', rank: 2, minWidth: 10 },
  { title: 'Country', from: 'country', rank: 3 },
  { title: 'Roles', from: 'roles', rank: 4, minWidth: 10 },
];
