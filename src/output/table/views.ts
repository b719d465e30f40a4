/** Which columns the tables of each resource have, as plain data by the name of the contract's shape. No code. */
import type { Saying } from './people.js';

export interface ViewColumn {
  readonly title: string;
  /** The field that it shows, or the fields that `as` makes it from. */
  readonly from: string | readonly string[];
  /** What it says instead of the field's value. */
  readonly as?: Saying;
  /** Only how many there are. */
  readonly count?: true;
  /** 0 is never left out; on a narrow terminal the highest rank goes first. */
  readonly rank: number;
  /** Cells that it keeps when others need room. */
  readonly least?: number;
  /** Left out sooner than cut: it ends in an id. */
  readonly rigid?: true;
  /** Shown on request (`--wide`, `--fields`) and for a single item only. */
  readonly wide?: true;
}

const ORGANIZATION: ViewColumn = { title: 'Organization', from: 'organization', rank: 8, rigid: true };
const USED: ViewColumn = {
  title: 'Used',
  from: ['numberOfActivations', 'maximumActivations'],
  as: 'used',
  rank: 2,
};

const PUBLICATION: readonly ViewColumn[] = [
  { title: 'ID', from: 'id', rank: 0 },
  { title: 'EAN', from: 'ean', rank: 3 },
  { title: 'Title', from: 'title', rank: 1, least: 20 },
  { title: 'Year', from: 'year', rank: 5 },
  { title: 'Level', from: 'level', rank: 6, least: 8 },
  { title: 'Subject', from: 'subject', rank: 2, least: 10 },
  { title: 'Type', from: 'type', rank: 4, least: 10 },
  { title: 'Series', from: 'series', rank: 7, least: 8 },
  { title: 'Active', from: 'active', rank: 3 },
  { title: 'Download', from: 'pdfDownloadable', rank: 5 },
  ORGANIZATION,
  { title: 'Cover', from: 'coverUrl', rank: 9, wide: true },
  { title: 'PDF', from: 'pdfUrl', rank: 9, wide: true },
  { title: 'Pages', from: 'settings', rank: 9, wide: true },
  { title: 'Contents', from: 'tableOfContents', rank: 9, wide: true },
];

const PERSON: readonly ViewColumn[] = [
  { title: 'ID', from: 'id', rank: 0 },
  { title: 'Name', from: ['firstName', 'lastName'], as: 'person', rank: 1, least: 16 },
  { title: 'E-mail', from: 'email', rank: 2, least: 20 },
  { title: 'Language', from: 'language', rank: 5 },
  { title: 'Roles', from: 'roles', rank: 3, least: 10 },
  ORGANIZATION,
  { title: 'Permissions', from: 'permissions', rank: 9, wide: true },
  { title: 'Avatar', from: 'avatar', rank: 9, wide: true },
  { title: 'Avatar', from: 'avatarUrl', rank: 9, wide: true },
];

const INSTITUTION: readonly ViewColumn[] = [
  { title: 'ID', from: 'id', rank: 0 },
  { title: 'Name', from: 'name', rank: 1, least: 20 },
  { title: 'City', from: 'city', rank: 2, least: 10 },
  { title: 'Country', from: 'country', rank: 3 },
  { title: 'Roles', from: 'roles', rank: 4, least: 10 },
];

export const VIEWS: Readonly<Record<string, readonly ViewColumn[]>> = {
  Account: PERSON,
  Book: PUBLICATION,
  BookType: [
    { title: 'Type', from: 'type', rank: 0 },
    { title: 'Name', from: 'translatedName', rank: 1 },
  ],
  Class: [
    { title: 'ID', from: 'classId', rank: 0 },
    { title: 'Name', from: 'className', rank: 1, least: 16 },
    { title: 'Code', from: 'classCode', rank: 3 },
    { title: 'Users', from: 'usersInClass', count: true, rank: 2 },
    { title: 'Subject', from: 'subjectId', rank: 4 },
    { title: 'School', from: 'schoolId', rank: 5 },
    { title: 'Created', from: 'creationDate', rank: 7 },
    { title: 'Deactivated', from: 'deactivationDate', rank: 6 },
  ],
  EndUser: PERSON,
  Licence: [
    { title: 'ID', from: 'id', rank: 0 },
    { title: 'Name', from: 'name', rank: 1, least: 18 },
    { title: 'Code', from: 'code', rank: 3 },
    { title: 'Type', from: 'type', rank: 5 },
    { title: 'Books', from: 'books', rank: 4, least: 14 },
    USED,
    { title: 'Expires', from: 'expiration', as: 'expiry', rank: 2 },
    { title: 'Users', from: 'endUsers', count: true, rank: 6 },
    { title: 'Category', from: 'licenseCategory', rank: 7, least: 8 },
    ORGANIZATION,
  ],
  LicenceActivation: [
    { title: 'User', from: 'user', rank: 0 },
    { title: 'Activated', from: 'creationDate', rank: 1 },
    { title: 'Expires', from: 'expirationDate', rank: 1 },
  ],
  Publisher: INSTITUTION,
  Reader: PUBLICATION,
  Role: [
    { title: 'ID', from: 'id', rank: 0 },
    { title: 'Name', from: 'name', rank: 1, least: 12 },
    { title: 'Permissions', from: 'permissions', rank: 2, least: 16 },
  ],
  School: INSTITUTION,
  Subject: [
    { title: 'ID', from: 'id', rank: 0 },
    { title: 'Name', from: 'translatedName', rank: 1 },
  ],
  Subscription: [
    { title: 'ID', from: 'id', rank: 0 },
    { title: 'Code', from: 'code', rank: 1 },
    USED,
    { title: 'Expires', from: 'expirationDate', rank: 2 },
    ORGANIZATION,
  ],
  User: PERSON,
};
