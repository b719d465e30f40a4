/** The subjects, book types and licence categories of a state: built in, or imported. */
import type { Language } from '../../contract/shared.js';
import type { Store } from '../store/store.js';
import { BOOK_TYPES, LICENCE_CATEGORIES, SUBJECTS } from './names.js';

/** Names by language; of an export only those that were asked for. */
export type PartialNames = Readonly<Partial<Record<Language, string>>>;

/** Ids of roles that belong to another organization and are had by this one as well, by the organization's id. */
export type SharedRoles = Readonly<Record<string, readonly string[]>>;

/** The entries of an exported list, by the language in which it was asked for. */
type Listed<T> = Readonly<Partial<Record<Language, readonly T[]>>>;

export interface Vocabulary {
  readonly subjects: Readonly<Record<string, PartialNames>>;
  readonly types: Readonly<Record<string, PartialNames>>;
  /** Name by id. */
  readonly categories: Readonly<Record<string, string>>;
  /**
   * The resources that permissions speak of; undefined for all. Which names the real service gives to permissions is
   * not shown: what no role of an export ever mentions can't be forbidden by one.
   */
  readonly guarded?: readonly string[];
  /** How an export names the type of readers. */
  readonly readerType?: PartialNames;
  /** Of an export: ours share none. */
  readonly sharedRoles?: SharedRoles;
  /** The lists of an export, as it showed them: what else books speak of is in none of them. */
  readonly listed?: {
    readonly subjects?: Listed<{ id: string; translatedName: string }>;
    readonly types?: Listed<{ type: string; translatedName: string }>;
  };
}

/** Name of the setting that holds a vocabulary that is not ours. */
export const VOCABULARY_SETTING = 'vocabulary';

const OURS: Vocabulary = { subjects: SUBJECTS, types: BOOK_TYPES, categories: LICENCE_CATEGORIES };

const read = new WeakMap<Store, { readonly text: string; readonly vocabulary: Vocabulary }>();

/** The vocabulary of a state. To be called inside a transaction. */
export function vocabularyOf(store: Store): Vocabulary {
  const text = store.setting(VOCABULARY_SETTING) ?? '';
  if (text === '') return OURS;
  const known = read.get(store);
  if (known?.text === text) return known.vocabulary;
  const vocabulary = JSON.parse(text) as Vocabulary;
  read.set(store, { text, vocabulary });
  return vocabulary;
}

/** What a table holds under a key from outside; nothing that all objects have. */
export const valueAt = <T>(table: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;

/** A name in a language, or in another one if there is none in that. */
export const nameIn = (names: PartialNames | undefined, language: Language): string | null =>
  names?.[language] ?? Object.values(names ?? {})[0] ?? null;
