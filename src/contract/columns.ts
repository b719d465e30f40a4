/** Declares the columns of tables. */

export interface Column {
  readonly title: string;
  /** The displayed field, or the fields that `as` combines. */
  readonly from: string | readonly string[];
  /** How the value is displayed: as used activations (`3/10`), as a licence's expiry, as a person's name or as a bar. */
  readonly as?: 'used' | 'expiry' | 'person' | 'bar';
  /** The field that `--sort` with the heading sorts by, if it is not `from`. */
  readonly sortBy?: string;
  readonly count?: true;
  /** On a narrow terminal, the column with the highest rank is left out first. Rank 0 is never left out. */
  readonly rank: number;
  readonly minWidth?: number;
  /** Never truncated, because it is copied or ends with an ID: it is left out instead. */
  readonly rigid?: true;
  /** Displayed only with `--wide` or `--fields`, and for a single item. */
  readonly wide?: true;
}

export const ID: Column = { title: 'ID', from: 'id', rank: 0 };

export const ORGANIZATION: Column = { title: 'Organization', from: 'organization', rank: 8, rigid: true };

export const USED: Column = {
  title: 'Used',
  from: ['numberOfActivations', 'maximumActivations'],
  as: 'used',
  rank: 2,
};

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

export const PERSON: readonly Column[] = [
  ID,
  { title: 'Name', from: ['firstName', 'lastName'], as: 'person', rank: 2, minWidth: 8 },
  { title: 'E-mail', from: 'email', rank: 1, rigid: true },
  { title: 'Language', from: 'language', rank: 5 },
  { title: 'Roles', from: 'roles', rank: 3, minWidth: 10 },
  ORGANIZATION,
  { title: 'Permissions', from: 'permissions', rank: 9, wide: true },
  { title: 'Avatar', from: 'avatar', rank: 9, wide: true },
  { title: 'Avatar', from: 'avatarUrl', rank: 9, wide: true },
];

export const INSTITUTION: readonly Column[] = [
  ID,
  { title: 'Name', from: 'name', rank: 1, minWidth: 20 },
  { title: 'City', from: 'city', rank: 2, minWidth: 10 },
  { title: 'Country', from: 'country', rank: 3 },
  { title: 'Roles', from: 'roles', rank: 4, minWidth: 10 },
];
