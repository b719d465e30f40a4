/** The licence categories. Their set and ids are not shown in service-api-v1.md ("Licence"); these are ours. */

/** Name by id. */
export const LICENCE_CATEGORIES: Readonly<Record<string, string>> = {
  '01': 'Standard',
  '02': 'Trial',
  '03': 'Inspection copy',
  '04': 'Site licence',
};

/** What a licence gets whose category is left blank. */
export const DEFAULT_CATEGORY = '01';
