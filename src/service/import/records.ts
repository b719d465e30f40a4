/**
 * Converts exported items to records of the store. Missing values get simple defaults; visible differences are stored
 * beside the record (`import-overrides.ts`). Blank text is stored as empty, because no write can create it.
 */
import { FILE_PATH } from '../../contract/files.js';
import { LANGUAGES, type Language, ORGANIZATION_TYPES, type OrganizationType } from '../../contract/shared.js';
import { isDay } from '../dates.js';
import { ELSEWHERE } from '../resources/materials.js';
import type * as records from '../store/records.js';

/** An item as a service sent it: any field may be missing, or of another kind. */
export type Item = Readonly<Record<string, unknown>>;

/** A plain value as text. An object has none: one with a member called `toString` could not even be asked. */
export const textOf = (value: unknown): string =>
  value === null || typeof value === 'object' || value === undefined ? '' : String(value);
const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const textOrNull = (value: unknown): string | null => (textOf(value) === '' ? null : textOf(value));

/** The most activations where an export does not say: no write can set it. */
const NO_LIMIT = Number.MAX_VALUE;

export const objectOf = (value: unknown): Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Item) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** The ids of a list of references. */
export const idsOf = (value: unknown): string[] =>
  listOf(value).flatMap((one) => {
    const id = textOf(objectOf(one).id);
    return id === '' ? [] : [id];
  });

export const languageOf = (value: unknown): Language => LANGUAGES.find((one) => one === value) ?? 'EN';
export const organizationTypeOf = (value: unknown): OrganizationType | undefined =>
  ORGANIZATION_TYPES.find((one) => one === value);

/** A storage path as the id of a file: one of ours is found again, any other is kept as it is. */
function fileIdOf(path: unknown): string | null {
  if (typeof path !== 'string') return null;
  return path.startsWith(FILE_PATH) ? path.slice(FILE_PATH.length) : ELSEWHERE + path;
}

function materialOf(item: Item, organizationId: string, creatorId: string): records.Material {
  const settings = objectOf(item.settings);
  return {
    id: textOf(item.id),
    ean: textOf(item.ean),
    title: textOf(item.title),
    subjectId: textOf(objectOf(item.subject).id),
    organizationId,
    creatorId,
    language: 'EN',
    coverFileId: fileIdOf(item.coverUrl),
    pdfFileId: fileIdOf(item.pdfUrl),
    enabled: true,
    pdfEncrypted: item.active === true,
    settings: {
      indexPageNumber: numberOrNull(settings.indexPageNumber),
      pageNumberOffset: numberOrNull(settings.pageNumberOffset),
    },
  };
}

export const bookOf = (item: Item, organizationId: string, creatorId: string): records.Book => ({
  ...materialOf(item, organizationId, creatorId),
  year: numberOrNull(item.year),
  level: textOrNull(item.level),
  series: textOrNull(item.series),
  secondSubjectId: textOrNull(objectOf(item.secondSubject).id),
  ...(Object.hasOwn(item, 'secondSubject') ? { listsSecondSubject: true } : {}),
  type: textOf(objectOf(item.type).name),
  layoutType: 'SPREADS',
});

/** A book that licences name and the export does not hold. It has no owner, so it is in no list. */
export const strangeBookOf = (reference: Item, creatorId: string): records.Book =>
  bookOf({ id: reference.id, ean: reference.ean, title: reference.title }, '', creatorId);

export const readerOf = (item: Item, organizationId: string, creatorId: string): records.Reader => ({
  ...materialOf(item, organizationId, creatorId),
  pdfDownloadable: typeof item.pdfDownloadable === 'boolean' ? item.pdfDownloadable : null,
  ...(Object.hasOwn(item, 'settings') ? { listsSettings: true } : {}),
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
  organizationId,
  creatorId,
  roleIds: idsOf(item.roles),
  anonymized: false,
});

/** A person who holds a licence and is a user of none of the organizations. */
export const endUserOf = (item: Item, creatorId: string): records.User => ({
  ...userOf(item, '', creatorId),
  kind: 'endUser',
  verified: typeof item.email === 'string',
  organizationId: null,
  roleIds: [],
});

/** More days than fit between any two years of four digits. */
const MOST_DAYS = 3_000_000;

/** The day at the beginning of a text. */
function dayIn(value: unknown): string | null {
  const day = textOf(value).slice(0, 10);
  return isDay(day) ? day : null;
}

function expirationOf(value: unknown): records.Expiration | null {
  const { type, days, date } = objectOf(value);
  if (type !== 'Days' && type !== 'Date') return null;
  // What reckons with days must get a day of the calendar.
  return { type, days: typeof days === 'number' && days < MOST_DAYS ? days : null, date: dayIn(date) };
}

/** @param activations how many the export shows, for one that does not give their number */
export const licenceOf = (item: Item, ownerId: string, creatorId: string, activations: number): records.Licence => ({
  id: textOf(item.id),
  name: textOf(item.name),
  code: textOrNull(item.code),
  type: /teacher/i.test(textOf(item.type)) ? 'Teacher' : 'Books',
  bookIds: [...new Set(idsOf(item.books))],
  expiration: expirationOf(item.expiration),
  maximumActivations: numberOrNull(item.maximumActivations) ?? NO_LIMIT,
  numberOfActivations: numberOrNull(item.numberOfActivations) ?? activations,
  ownerId,
  creatorId,
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

/** What is known of two things together: no two pairs have the same. */
const idOfPair = (one: string, other: string): string => JSON.stringify([one, other]);

/** @param which tells apart what the export shows several times */
export const activationOf = (
  licenceId: string,
  userId: string,
  item: Item,
  now: number,
  which: number,
): records.Activation => ({
  id: `${which}${idOfPair(licenceId, userId)}`,
  licenceId,
  userId,
  createdAt: timeOf(item.creationDate) ?? now,
  expiresAt: textOf(item.expirationDate).startsWith(NEVER) ? null : (timeOf(item.expirationDate) ?? null),
});

export const subscriptionOf = (item: Item, own: string): records.Subscription => ({
  id: textOf(item.id),
  code: textOf(item.code),
  maximumActivations: numberOrNull(item.maximumActivations) ?? NO_LIMIT,
  numberOfActivations: numberOrNull(item.numberOfActivations) ?? 0,
  expirationDate: dayIn(item.expirationDate) ?? NEVER,
  organizationId: own,
  creatorId: own,
});

export const classOf = (item: Item, schoolId: string, now: number): records.Class => ({
  id: textOf(item.classId),
  name: textOf(item.className),
  code: textOf(item.classCode),
  subjectId: textOf(item.subjectId),
  schoolId,
  createdAt: timeOf(item.creationDate) ?? now,
  // "Holds a date once deactivated" in any form.
  deactivatedAt: textOf(item.deactivationDate) === '' ? null : (timeOf(item.deactivationDate) ?? now),
});

export const membersOf = (item: Item): records.ClassMember[] =>
  [...new Set(listOf(item.usersInClass).map(textOf))].map((userId) => {
    const classId = textOf(item.classId);
    return { id: idOfPair(classId, userId), classId, userId };
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
