/**
 * Items of an export as records of the store. What an export does not hold gets the plainest value. Knows one item at a
 * time; what belongs together is put together in `import.ts`.
 */
import { FILE_PATH } from '../../contract/files.js';
import { LANGUAGES, type Language, ORGANIZATION_TYPES, type OrganizationType } from '../../contract/shared.js';
import { READER_TYPE } from '../names/types.js';
import { ELSEWHERE } from '../resources/materials.js';
import type * as records from '../store/records.js';

/** An item as a service sent it: any field may be missing, or of another kind. */
export type Item = Readonly<Record<string, unknown>>;

export const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
export const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
const textOrNull = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));

export const objectOf = (value: unknown): Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Item) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** The ids of a list of references. */
export const idsOf = (value: unknown): string[] => listOf(value).map((one) => textOf(objectOf(one).id));

export const languageOf = (value: unknown): Language => LANGUAGES.find((one) => one === value) ?? 'EN';
export const organizationTypeOf = (value: unknown): OrganizationType | undefined =>
  ORGANIZATION_TYPES.find((one) => one === value);

/** A storage path as the id of a file: one of ours is found again, any other is kept as it is. */
function fileIdOf(path: unknown): string | null {
  if (typeof path !== 'string') return null;
  return path.startsWith(FILE_PATH) ? path.slice(FILE_PATH.length) : ELSEWHERE + path;
}

const settingOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function materialOf(item: Item, creatorId: string): records.Material {
  const settings = objectOf(item.settings);
  return {
    id: textOf(item.id),
    ean: textOf(item.ean),
    title: textOf(item.title),
    subjectId: textOf(objectOf(item.subject).id),
    organizationId: textOf(objectOf(item.organization).id),
    creatorId,
    language: 'EN',
    coverFileId: fileIdOf(item.coverUrl),
    pdfFileId: fileIdOf(item.pdfUrl),
    enabled: true,
    pdfEncrypted: item.active === true,
    settings: {
      indexPageNumber: settingOf(settings.indexPageNumber),
      pageNumberOffset: settingOf(settings.pageNumberOffset),
    },
  };
}

export const bookOf = (item: Item, creatorId: string): records.Book => ({
  ...materialOf(item, creatorId),
  year: numberOf(item.year),
  level: textOrNull(item.level),
  series: textOrNull(item.series),
  secondSubjectId: null,
  type: textOf(objectOf(item.type).name),
  layoutType: 'SPREADS',
});

/** A book that licences name and the export does not hold. It belongs to nobody, so it is in no list. */
export const strangeBookOf = (reference: Item, creatorId: string): records.Book =>
  bookOf({ ...reference, type: { name: '' } }, creatorId);

export const readerOf = (item: Item, creatorId: string): records.Reader => ({
  ...materialOf({ ...item, type: { name: READER_TYPE } }, creatorId),
  pdfDownloadable: item.pdfDownloadable === true,
});

export const userOf = (item: Item, organizationId: string, creatorId: string): records.User => ({
  id: textOf(item.id),
  kind: 'user',
  email: textOrNull(item.email),
  verified: true,
  firstName: textOf(item.firstName),
  lastName: textOf(item.lastName),
  language: languageOf(item.language),
  avatarUrl: textOrNull(item.avatarUrl ?? item.avatar),
  organizationId: textOf(objectOf(item.organization).id) || organizationId,
  creatorId,
  roleIds: idsOf(item.roles),
  anonymized: false,
});

/** Somebody who holds a licence and is a user of none of the organizations. */
export const endUserOf = (item: Item, creatorId: string): records.User => ({
  ...userOf(item, '', creatorId),
  kind: 'endUser',
  verified: typeof item.email === 'string',
  organizationId: null,
  roleIds: [],
});

function expirationOf(value: unknown): records.Expiration | null {
  const { type, days, date } = objectOf(value);
  if (type !== 'Days' && type !== 'Date') return null;
  return { type, days: typeof days === 'number' ? days : null, date: textOrNull(date) };
}

export const licenceOf = (item: Item, own: string): records.Licence => ({
  id: textOf(item.id),
  name: textOf(item.name),
  code: textOf(item.code),
  type: item.type === 'Teacher' ? 'Teacher' : 'Books',
  bookIds: idsOf(item.books),
  expiration: expirationOf(item.expiration),
  maximumActivations: numberOf(item.maximumActivations),
  numberOfActivations: numberOf(item.numberOfActivations),
  ownerId: textOf(objectOf(item.organization).id) || own,
  creatorId: own,
  categoryId: textOrNull(item.licenseCategory),
  cancelled: false,
});

/** `yyyy-MM-dd HH:mm:ss` and the like, which are UTC, as milliseconds. */
function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.replace(' ', 'T');
  const time = Date.parse(/([Zz]|[+-]\d\d:?\d\d)$/.test(text) || !text.includes('T') ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** What never ends is shown as the end of the year 9999. */
const NEVER = '9999-12-31';

export const activationOf = (licenceId: string, userId: string, item: Item, now: number): records.Activation => ({
  id: `${licenceId}/${userId}`,
  licenceId,
  userId,
  createdAt: timeOf(item.creationDate) ?? now,
  expiresAt: textOf(item.expirationDate).startsWith(NEVER) ? null : (timeOf(item.expirationDate) ?? null),
});

export const subscriptionOf = (item: Item, own: string): records.Subscription => ({
  id: textOf(item.id),
  code: textOf(item.code),
  maximumActivations: numberOf(item.maximumActivations),
  numberOfActivations: numberOf(item.numberOfActivations),
  expirationDate: textOf(item.expirationDate),
  organizationId: own,
  creatorId: own,
});

export const classOf = (item: Item, now: number): records.Class => ({
  id: textOf(item.classId),
  name: textOf(item.className),
  code: textOf(item.classCode) || textOf(item.classId),
  subjectId: textOf(item.subjectId),
  schoolId: textOf(item.schoolId),
  createdAt: timeOf(item.creationDate) ?? now,
  deactivatedAt: timeOf(item.deactivationDate) ?? null,
});

export const membersOf = (item: Item): records.ClassMember[] =>
  [...new Set(listOf(item.usersInClass).map(textOf))].map((userId) => {
    const classId = textOf(item.classId);
    return { id: `${classId}/${userId}`, classId, userId };
  });

export const roleOf = (item: Item, organizationId: string): records.Role => ({
  id: textOf(item.id),
  organizationId,
  name: textOf(item.name),
  permissions: listOf(item.permissions).map((one) => {
    const { resource, operation } = objectOf(one);
    return { resource: textOf(resource), operation: textOf(operation) };
  }),
});
