/** Decides whether a text is looked up as a name or used as an ID, because a look-up costs a list. */
import type { Referent } from '../../contract/vocabulary.js';

/** Kinds without a list or without names. */
const NAMELESS: ReadonlySet<Referent> = new Set<Referent>(['file', 'licenceCategory', 'bookType']);

/** Codes of licences have an endpoint; those of subscriptions are found in their list. */
const isLicenceCode = (refersTo: Referent, text: string): boolean => refersTo === 'licence' && text.startsWith('code:');

/** Whether a text contains a space or a non-ASCII character, which no ID does. */
export const isSurelyName = (text: string): boolean => /\s|[^\x21-\x7e]/.test(text.trim());

/** Typical names of classes: `7b`, `10`, `5a/b`. */
const CLASS_NAME = /^\d{1,2}\D{0,3}$/;

/**
 * Whether a text is a name rather than an ID: it has a prefix, a space, or no digit, or may be an EAN or the name of a
 * class. E-mail addresses and codes of licences have endpoints of their own.
 */
export function looksLikeName(refersTo: Referent, text: string): boolean {
  if (NAMELESS.has(refersTo) || isLicenceCode(refersTo, text)) return false;
  if (/^(?:id|name|ean|code):/.test(text)) return true;
  if (text.includes('@')) return false;
  if ((refersTo === 'book' || refersTo === 'reader') && /^\d{8,14}$/.test(text)) return true;
  if (refersTo === 'class' && CLASS_NAME.test(text)) return true;
  return isSurelyName(text) || !/\d/.test(text);
}

/** Whether a text that is not a known ID may be a name. */
export const mayBeName = (refersTo: Referent, text: string): boolean =>
  !NAMELESS.has(refersTo) && !text.includes('@') && !isLicenceCode(refersTo, text) && !text.startsWith('id:');
