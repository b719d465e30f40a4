/** The subjects, book types and licence categories of a state: built-in or imported. The book types are those of service-api-v1.md ("Book"), subjects and categories are invented. */
import type { Language } from '../../contract/shared.js';
import type { Store } from '../store/store.js';
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

/** Names by language. An export has only the languages that it was made with. */
export type PartialNames = Readonly<Partial<Record<Language, string>>>;

type Listed<T> = Readonly<Partial<Record<Language, readonly T[]>>>;

export interface Vocabulary {
  readonly subjects: Readonly<Record<string, PartialNames>>;
  readonly types: Readonly<Record<string, PartialNames>>;
  readonly categories: Readonly<Record<string, string>>;
  /**
   * The resources for which permissions are checked; undefined for all. The API document does not list the names of
   * resources: one that no exported role mentions may have another name there, so it is not checked.
   */
  readonly guarded?: readonly string[];
  /** The exported lists, unchanged; subjects and types that only books name are not in them. */
  readonly listed?: {
    readonly subjects?: Listed<{ id: string; translatedName: string }>;
    readonly types?: Listed<{ type: string; translatedName: string }>;
  };
}

/** Name of the setting that holds an imported vocabulary. */
export const VOCABULARY_SETTING = 'vocabulary';

const BUILT_IN: Vocabulary = { subjects: SUBJECTS, types: BOOK_TYPES, categories: LICENCE_CATEGORIES };

const parsed = new WeakMap<Store, { readonly text: string; readonly vocabulary: Vocabulary }>();

/** To be called inside a transaction. */
export function vocabularyOf(store: Store): Vocabulary {
  const text = store.setting(VOCABULARY_SETTING) ?? '';
  if (text === '') return BUILT_IN;
  const known = parsed.get(store);
  if (known?.text === text) return known.vocabulary;
  const vocabulary = JSON.parse(text) as Vocabulary;
  parsed.set(store, { text, vocabulary });
  return vocabulary;
}

/** Looks up a key from outside, ignoring inherited members such as `constructor`. */
export const valueAt = <T>(table: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;

/** The name in this language, else in any other. */
export const nameIn = (names: PartialNames | undefined, language: Language): string | null =>
  names?.[language] ?? Object.values(names ?? {})[0] ?? null;
