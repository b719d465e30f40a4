/** Converts exported items to records. Blank text is stored as empty text, which no write creates. */
import { FILE_PATH } from '../../contract/files.js';
import { LANGUAGES, type Language, ORGANIZATION_TYPES, type OrganizationType } from '../../contract/shared.js';
import { isObject } from '../../core/json.js';
import { isDay } from '../dates.js';
import { endOfActivation } from '../resources/license-rules.js';
import type * as records from '../store/records.js';

/** An item as a service sent it: any field may be missing or have an unexpected type. */
export type Item = Readonly<Record<string, unknown>>;

/** Returns an empty text for objects, because `String()` throws if they have a member `toString`. */
export const asText = (value: unknown): string =>
  value === null || typeof value === 'object' || value === undefined ? '' : String(value);
const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const textOrNull = (value: unknown): string | null => (asText(value) === '' ? null : asText(value));

/** The maximum number of activations where an export shows none. No write can set this value. */
const NO_LIMIT = Number.MAX_VALUE;

export const objectOf = (value: unknown): Item => (isObject(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const idsOf = (value: unknown): string[] =>
  listOf(value).flatMap((one) => {
    const id = asText(objectOf(one).id);
    return id === '' ? [] : [id];
  });

export const languageOf = (value: unknown): Language => LANGUAGES.find((one) => one === value) ?? 'EN';
export const organizationTypeOf = (value: unknown): OrganizationType | undefined =>
  ORGANIZATION_TYPES.find((one) => one === value);

/** The ID of a file from its storage path; the whole path if it is not one of this service. */
function fileIdOf(path: unknown): string | null {
  if (typeof path !== 'string') return null;
  return path.startsWith(FILE_PATH) ? path.slice(FILE_PATH.length) : path;
}

function materialOf(item: Item, organizationId: string, creatorId: string): records.Material {
  const settings = objectOf(item.settings);
  return {
    id: asText(item.id),
    ean: asText(item.ean),
    title: asText(item.title),
    subjectId: asText(objectOf(item.subject).id),
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
  type: asText(objectOf(item.type).name),
  layoutType: 'SPREADS',
});

/** A book that licences name but the export does not contain. It has no owner, so no list shows it. */
export const unlistedBookOf = (reference: Item, creatorId: string): records.Book =>
  bookOf({ id: reference.id, ean: reference.ean, title: reference.title }, '', creatorId);

export const readerOf = (item: Item, organizationId: string, creatorId: string): records.Reader => ({
  ...materialOf(item, organizationId, creatorId),
  pdfDownloadable: typeof item.pdfDownloadable === 'boolean' ? item.pdfDownloadable : null,
});

export const userOf = (item: Item, organizationId: string, creatorId: string): records.User => ({
  id: asText(item.id),
  kind: 'user',
  email: textOrNull(item.email),
  verified: true,
  firstName: asText(item.firstName),
  lastName: asText(item.lastName),
  language: languageOf(item.language),
  avatarUrl: textOrNull(item.avatarUrl ?? item.avatar),
  organizationId,
  creatorId,
  roleIds: idsOf(item.roles),
  anonymized: false,
});

/** A user of a licence who belongs to none of the exported organizations. */
export const endUserOf = (item: Item, creatorId: string): records.User => ({
  ...userOf(item, '', creatorId),
  kind: 'endUser',
  verified: typeof item.email === 'string',
  organizationId: null,
  roleIds: [],
});

/** No two dates with years of four digits are this many days apart. */
const MAX_DAYS = 3_000_000;

function dayIn(value: unknown): string | null {
  const day = asText(value).slice(0, 10);
  return isDay(day) ? day : null;
}

const licenceType = (item: Item): records.Licence['type'] => (/teacher/i.test(asText(item.type)) ? 'Teacher' : 'Books');

function expirationOf(value: unknown): records.Expiration | null {
  const { type, days, date } = objectOf(value);
  if (type !== 'Days' && type !== 'Date') return null;
  // A larger number would make date arithmetic leave the calendar.
  return { type, days: typeof days === 'number' && days < MAX_DAYS ? days : null, date: dayIn(date) };
}

/** @param activations number of exported activations, used if the licence does not state it */
export const licenceOf = (item: Item, ownerId: string, creatorId: string, activations: number): records.Licence => ({
  id: asText(item.id),
  name: asText(item.name),
  code: textOrNull(item.code),
  type: licenceType(item),
  bookIds: [...new Set(idsOf(item.books))],
  expiration: expirationOf(item.expiration),
  maximumActivations: numberOrNull(item.maximumActivations) ?? NO_LIMIT,
  numberOfActivations: numberOrNull(item.numberOfActivations) ?? activations,
  ownerId,
  creatorId,
  categoryId: textOrNull(item.licenseCategory),
  cancelled: false,
});

/** Parses timestamps such as `yyyy-MM-dd HH:mm:ss` into milliseconds; UTC unless they name an offset. */
function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.replace(' ', 'T');
  const time = Date.parse(/([Zz]|[+-]\d\d:?\d\d)$/.test(text) || !text.includes('T') ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}

const NEVER = '9999-12-31';

export const activationOf = (
  { now, newNumber }: { readonly now: number; readonly newNumber: () => number },
  licenceId: string,
  userId: string,
  item: Item,
): records.Activation => ({
  // An export may show several activations of one licence by one user.
  id: `imported-${newNumber()}`,
  licenceId,
  userId,
  createdAt: timeOf(item.creationDate) ?? now,
  expiresAt: asText(item.expirationDate).startsWith(NEVER) ? null : (timeOf(item.expirationDate) ?? null),
});

/** An activation that only the licence's `endUsers` show: made now, until the end that the licence sets. */
export const impliedActivationOf = (
  loading: { readonly now: number; readonly newNumber: () => number },
  licence: Item,
  userId: string,
): records.Activation => ({
  ...activationOf(loading, asText(licence.id), userId, {}),
  expiresAt:
    licenceType(licence) === 'Teacher'
      ? null
      : endOfActivation({ expiration: expirationOf(licence.expiration) }, loading.now),
});

export const subscriptionOf = (item: Item, own: string): records.Subscription => ({
  id: asText(item.id),
  code: asText(item.code),
  maximumActivations: numberOrNull(item.maximumActivations) ?? NO_LIMIT,
  numberOfActivations: numberOrNull(item.numberOfActivations) ?? 0,
  expirationDate: dayIn(item.expirationDate) ?? NEVER,
  organizationId: own,
  creatorId: own,
});

export const classOf = (item: Item, schoolId: string, now: number): records.Class => ({
  id: asText(item.classId),
  name: asText(item.className),
  code: asText(item.classCode),
  subjectId: asText(item.subjectId),
  schoolId,
  createdAt: timeOf(item.creationDate) ?? now,
  // The API document's "holds a date once deactivated" allows dates that cannot be parsed.
  deactivatedAt: asText(item.deactivationDate) === '' ? null : (timeOf(item.deactivationDate) ?? now),
});

export const membersOf = (item: Item): records.ClassMember[] =>
  [...new Set(listOf(item.usersInClass).map(asText))].map((userId) => {
    const classId = asText(item.classId);
    // JSON keeps pairs apart that plain concatenation would make equal.
    return { id: JSON.stringify([classId, userId]), classId, userId };
  });

export const roleOf = (item: Item, organizationId: string): records.Role => ({
  id: asText(item.id),
  organizationId,
  name: asText(item.name),
  permissions: listOf(item.permissions).map((one) => {
    const { resource, operation } = objectOf(one);
    return { resource: asText(resource), operation: asText(operation) };
  }),
});
