/** Imports subjects, types and categories from their lists and from references to them. */
import type { Language } from '../../contract/shared.js';
import { BOOK_TYPES, LICENCE_CATEGORIES, type PartialNames, SUBJECTS, type Vocabulary } from '../names/vocabulary.js';
import { asText, type Item, languageOf, objectOf } from './import-records.js';
import { all, type Import, type Loading } from './import-source.js';

type Names = Map<string, PartialNames>;

/** Keeps an earlier name in the same language. */
function addName(names: Names, id: unknown, language: Language, name: unknown): void {
  const key = asText(id);
  if (key === '') return;
  names.set(key, { ...(typeof name === 'string' ? { [language]: name } : {}), ...names.get(key) });
}

function listedIn(data: Import, items: readonly Item[]): Partial<Record<Language, readonly Item[]>> {
  if (data.languages.length === 0) return { [languageOf(data.language)]: items };
  return Object.fromEntries(
    data.languages.map((language) => [
      language,
      items.filter((item) => item.language === language).map(({ language: added, ...item }) => item),
    ]),
  );
}

/** To be called before anything whose responses contain these names is stored. */
export async function vocabularyIn({ data, store }: Loading): Promise<Vocabulary> {
  const subjects: Names = new Map();
  const types: Names = new Map();
  const main = languageOf(data.language);
  const languageIn = ({ language }: Item): Language => (data.languages.length === 0 ? main : languageOf(language));
  const listedSubjects = await all(data, 'subjects');
  const listedTypes = await all(data, 'types');
  for (const item of listedSubjects) addName(subjects, item.id, languageIn(item), item.translatedName);
  for (const item of listedTypes) addName(types, item.type, languageIn(item), item.translatedName);
  for (const resource of ['books', 'readers']) {
    for await (const items of data.items(resource)) {
      for (const { subject, secondSubject, type } of items) {
        for (const one of [subject, secondSubject].map(objectOf)) addName(subjects, one.id, main, one.translatedName);
        const { name, translatedName } = objectOf(type);
        if (resource === 'books') addName(types, name, main, translatedName);
      }
    }
  }
  for await (const items of data.items('classes')) {
    for (const { subjectId } of items) addName(subjects, subjectId, main, undefined);
  }
  const categories = new Map(Object.entries(LICENCE_CATEGORIES));
  for await (const items of data.items('licenses')) {
    for (const { licenseCategory } of items) {
      const id = asText(licenseCategory);
      if (id !== '' && !categories.has(id)) categories.set(id, id);
    }
  }
  const guarded = store.read(() => store.roles.all({})).flatMap(({ permissions }) => permissions);
  const listed = {
    ...(data.holds('subjects') ? { subjects: listedIn(data, listedSubjects) } : {}),
    ...(data.holds('types') ? { types: listedIn(data, listedTypes) } : {}),
  };
  return {
    subjects: subjects.size > 0 ? Object.fromEntries(subjects) : SUBJECTS,
    types: types.size > 0 ? Object.fromEntries(types) : BOOK_TYPES,
    categories: Object.fromEntries(categories),
    guarded: [...new Set(guarded.map(({ resource }) => resource))],
    // Lists of subjects and types are shown unchanged, because no endpoint changes them.
    listed: listed as NonNullable<Vocabulary['listed']>,
  };
}
