/**
 * The rules of licences: valid values, and permissions (service-api-v1.md, "Licences" and "States and transitions").
 */
import { LICENCE_CODE } from '../../contract/shared.js';
import { mayUse } from '../access.js';
import type { Caller } from '../caller.js';
import { dayOf, daysLater, endOfDay } from '../dates.js';
import { badField, forbidden, notFound, Refusal } from '../error-answer.js';
import { newCode } from '../identifiers.js';
import { DEFAULT_CATEGORY } from '../names/names.js';
import { vocabularyOf } from '../names/vocabulary.js';
import type { ServiceContext } from '../service-context.js';
import type { Expiration, Licence } from '../store/records.js';

/** Characters of a code that the service makes: 62 random bits. */
const CODE_LENGTH = 12;

export function findLicence({ store }: ServiceContext, id: string): Licence {
  const licence = store.licences.get(id);
  if (licence === undefined) throw notFound('licence', id);
  return licence;
}

/** "The caller's organization must own it." */
export function requireOwner(caller: Caller, licence: Licence): void {
  if (licence.creatorReads === true && licence.creatorId === caller.organization.id) return;
  if (licence.ownerId !== caller.organization.id)
    throw forbidden(`the licence ${licence.id} is not your organization's`);
}

/** "Only the creating organization may update [cancel, delete]." */
export function requireCreator(caller: Caller, licence: Licence): void {
  if (licence.creatorId !== caller.organization.id) {
    throw forbidden(`the licence ${licence.id} was not created by your organization`);
  }
}

/** Assigning is open to both: whose licence it is, and who made it for them. Not shown; ours. */
export function requireOwnerOrCreator(caller: Caller, licence: Licence): void {
  if (licence.creatorId !== caller.organization.id) requireOwner(caller, licence);
}

/** "Lowercase alphanumeric, unique across all organizations; generated when omitted." */
export function codeFor({ store, random }: ServiceContext, given: string | undefined): string {
  if (given !== undefined) {
    if (!LICENCE_CODE.test(given))
      throw badField('code', `must be lowercase letters and digits, not ${JSON.stringify(given)}`);
    if (store.licences.first({ code: given }) !== undefined) throw badField('code', `is taken: ${given}`);
    return given;
  }
  for (;;) {
    const code = newCode(random, CODE_LENGTH);
    if (store.licences.first({ code }) === undefined) return code;
  }
}

/** Books that the caller may see in lists. An unknown one is invalid input (400), another organization's forbidden (403). */
export function booksFor(core: ServiceContext, caller: Caller, ids: readonly string[] = []): readonly string[] {
  const wanted = [...new Set(ids)];
  const found = core.store.books.many(wanted);
  for (const id of wanted) {
    const book = found.get(id);
    if (book === undefined) throw badField('books', `contain an unknown ID: no book has the ID ${id}`);
    if (!mayUse(core, caller, book.organizationId)) {
      throw forbidden(`the book ${id} is neither of your organization nor of one that it owns`);
    }
  }
  return wanted;
}

interface GivenExpiration {
  readonly type?: 'Days' | 'Date';
  readonly days?: number;
  readonly date?: string;
}

/** Only the part that the type asks for is kept. */
export function expirationFor({ type, days = undefined, date = undefined }: GivenExpiration = {}): Expiration | null {
  if (type === undefined) return null;
  return type === 'Days' ? { type, days: days ?? null, date: null } : { type, days: null, date: date ?? null };
}

/** "Id of an existing category; default category when blank." */
export function categoryFor({ store }: ServiceContext, given: string | undefined): string {
  if (given === undefined) return DEFAULT_CATEGORY;
  if (!Object.hasOwn(vocabularyOf(store).categories, given))
    throw badField('licenseCategory', `is unknown: no licence category has the ID ${given}`);
  return given;
}

/** A number of activations is a whole one; that it is not negative the contract says. */
export function requireWhole(count: number, field: string): void {
  if (!Number.isSafeInteger(count)) throw badField(field, `must be a whole number, not ${count}`);
}

/** When an activation ends: null for never. */
export function endOfActivation({ expiration }: Licence, now: number): number | null {
  if (expiration?.days != null) return daysLater(now, expiration.days);
  return expiration?.date == null ? null : endOfDay(expiration.date);
}

/** What keeps a licence from being activated once more. */
export function requireActivatable(licence: Licence, now: number): void {
  const refuse = (why: string): Refusal => new Refusal(400, `the licence ${licence.id} ${why}`);
  if (licence.cancelled) throw refuse('is cancelled');
  if (licence.expiration?.date != null && licence.expiration.date < dayOf(now)) throw refuse('has expired');
  if (licence.numberOfActivations >= licence.maximumActivations) {
    throw refuse(`has been activated ${licence.numberOfActivations} times, its maximum`);
  }
}
