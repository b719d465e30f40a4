/** The book types of service-api-v1.md ("Book"), countries, and invented subjects and licence categories. */
import type { Language } from '../../contract/shared.js';
import countries from './countries.json' with { type: 'json' };
import categories from './license-categories.json' with { type: 'json' };
import subjects from './subjects.json' with { type: 'json' };
import types from './types.json' with { type: 'json' };

export type Names = Readonly<Record<Language, string>>;

/** By id. The ids have leading zeros, so that a client that reads them as numbers fails. */
export const SUBJECTS: Readonly<Record<string, Names>> = subjects;

export const BOOK_TYPES: Readonly<Record<string, Names>> = types.books;

/** The type of every reader. */
export const READER_TYPE = 'TeacherMaterial';
export const READER_TYPE_NAMES: Names = types.readers;

export const LICENCE_CATEGORIES: Readonly<Record<string, string>> = categories;

/** The category of a licence for which none is given. */
export const DEFAULT_CATEGORY = '01';

const COUNTRIES: ReadonlySet<string> = new Set(countries);

/** Returns true for a country code of ISO 3166-1 alpha-2, in capitals. */
export const isCountry = (code: string): boolean => COUNTRIES.has(code);
