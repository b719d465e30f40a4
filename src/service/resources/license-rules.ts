/** The rules of licences: valid values and access (service-api-v1.md, "Licences" and "States and transitions"). */
import { type Caller, requireInSight } from '../access.js';
import { dayOf, daysLater, endOfDay } from '../dates.js';
import { badField, forbidden, Refusal, requireFound, requireNamed } from '../error-answer.js';
import { newFreeCode } from '../identifiers.js';
import { DEFAULT_CATEGORY, valueAt, vocabularyOf } from '../names/vocabulary.js';
import type { ServiceContext } from '../service-context.js';
import type { Expiration, Licence } from '../store/records.js';

/** 36^12 codes: 62 random bits. */
const CODE_LENGTH = 12;

const findLicence = ({ store }: ServiceContext, id: string): Licence =>
  requireFound(store.licences.get(id), 'licence', id);

/** "The caller's organization must own it", or have created an imported one whose activations it was shown. */
export function requireOwner({ organization }: Caller, licence: Licence): void {
  const mayRead = licence.creatorReads === true && licence.creatorId === organization.id;
  if (!mayRead && licence.ownerId !== organization.id) {
    throw forbidden(`the licence ${licence.id} does not belong to your organization`);
  }
}

/** The licence of this ID, which the caller may read. @throws Refusal 404, 403 */
export function findOwned(core: ServiceContext, caller: Caller, id: string): Licence {
  const licence = findLicence(core, id);
  requireOwner(caller, licence);
  return licence;
}

/** "Only the creating organization may update [cancel, delete]." @throws Refusal 404, 403 */
export function findCreated(core: ServiceContext, caller: Caller, id: string): Licence {
  const licence = findLicence(core, id);
  if (licence.creatorId !== caller.organization.id) {
    throw forbidden(`the licence ${licence.id} was not created by your organization`);
  }
  return licence;
}

/** "Lowercase alphanumeric, unique across all organizations; generated when omitted." */
export function codeFor({ store, random }: ServiceContext, given: string | undefined): string {
  const isTaken = (code: string): boolean => store.licences.first({ code }) !== undefined;
  if (given === undefined) return newFreeCode(random, CODE_LENGTH, isTaken);
  if (isTaken(given)) throw badField('code', `is taken: ${given}`);
  return given;
}

/** Returns the given books without repetitions: 400 for an unknown one, 403 for one the caller may not see in lists. */
export function booksFor(core: ServiceContext, caller: Caller, ids: readonly string[] = []): readonly string[] {
  const wanted = [...new Set(ids)];
  const found = core.store.books.many(wanted);
  for (const id of wanted) {
    const book = found.get(id);
    if (book === undefined) throw badField('books', `contain an unknown ID: no book has the ID ${id}`);
    requireInSight(core, caller, 'book', book);
  }
  return wanted;
}

/** Keeps only the value that the type needs. */
export function expirationFor({ type, days = null, date = null }: Partial<Expiration> = {}): Expiration | null {
  if (type === undefined) return null;
  return type === 'Days' ? { type, days, date: null } : { type, days: null, date };
}

/** "Id of an existing category; default category when blank." */
export function categoryFor({ store }: ServiceContext, given: string | undefined): string {
  if (given === undefined) return DEFAULT_CATEGORY;
  requireNamed(valueAt(vocabularyOf(store).categories, given), 'licenseCategory', 'licence category', given);
  return given;
}

/** In milliseconds since the epoch; null for never. */
export function endOfActivation({ expiration }: Pick<Licence, 'expiration'>, now: number): number | null {
  if (expiration?.days != null) return daysLater(now, expiration.days);
  return expiration?.date == null ? null : endOfDay(expiration.date);
}

/** @throws Refusal 400 when the licence is cancelled, expired or used up */
export function requireActivatable(licence: Licence, now: number): void {
  const refuse = (why: string): Refusal => new Refusal(400, `the licence ${licence.id} ${why}`);
  if (licence.cancelled) throw refuse('is cancelled');
  if (licence.expiration?.date != null && licence.expiration.date < dayOf(now)) throw refuse('has expired');
  if (licence.numberOfActivations >= licence.maximumActivations) {
    throw refuse(`has been activated ${licence.numberOfActivations} times, its maximum`);
  }
}
