/** Decides whether a text is looked up as a name or taken as an ID: IDs are opaque, and a look-up costs a list. */
import type { Referent } from '../../contract/vocabulary.js';

/** Kinds that no list shows, or that have no names. */
const NAMELESS: ReadonlySet<Referent> = new Set<Referent>(['file', 'licenceCategory', 'bookType']);

/** `id:X` and `name:X` say which is meant; an EAN may be written with its word before it. */
const hasPrefix = (text: string): boolean => /^(id|name|ean|code):/.test(text);

/** A code that an endpoint looks up; those of subscriptions are found in their list. */
const isLicenceCode = (refersTo: Referent, text: string): boolean => refersTo === 'licence' && text.startsWith('code:');

/** True for what no id has: a blank, or a letter beyond ASCII. */
export const isSurelyName = (text: string): boolean => /\s|[^\x21-\x7e]/.test(text.trim());

/** Names that most classes have: `7b`, `10`, `5a/b`. */
const CLASS_NAME = /^\d{1,2}\D{0,3}$/;

/**
 * Whether a text names a thing rather than being its id: it has a prefix, a blank, or no digit, or it may be an EAN or
 * the name of a class.
 * E-mail addresses and the codes of licences are looked up by endpoints of their own.
 */
export function looksLikeName(refersTo: Referent, text: string): boolean {
  if (NAMELESS.has(refersTo)) return false;
  if (isLicenceCode(refersTo, text)) return false;
  if (hasPrefix(text)) return true;
  if (text.includes('@')) return false;
  if ((refersTo === 'book' || refersTo === 'reader') && /^\d{8,14}$/.test(text)) return true;
  if (refersTo === 'class' && CLASS_NAME.test(text)) return true;
  return isSurelyName(text) || !/\d/.test(text);
}

/** Whether a text may be a name at all, once the service does not know it as an id. */
export const mayBeName = (refersTo: Referent, text: string): boolean =>
  !NAMELESS.has(refersTo) && !text.includes('@') && !isLicenceCode(refersTo, text) && !text.startsWith('id:');
