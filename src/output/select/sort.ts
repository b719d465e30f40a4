/** Parses `--sort`. */
import type { Field } from '../../contract/vocabulary.js';
import { usageError } from '../../core/errors.js';
import { knownField, sortFields } from './fields.js';

export interface Sorting {
  /** Dotted names; the second decides between items that are equal in the first. */
  readonly fields: readonly string[];
  readonly descending: boolean;
}

/** @throws EduError `usage` unless the text is `FIELD`, `FIELD:asc` or `FIELD:desc` */
export function readSort(text: string): Sorting {
  const [, field, direction] = /^([^:+-][^:]*)(?::(asc|desc))?$/.exec(text.trim()) ?? [];
  if (field === undefined) {
    throw usageError(`--sort: "${text}" is not a field.`, 'Write it as FIELD, or FIELD:desc for the largest first.');
  }
  return { fields: [field], descending: direction === 'desc' };
}

/** Replaces the name by the shape's spelling of its fields. @throws EduError `usage` for an unknown field */
export const checkSort = ({ fields, descending }: Sorting, shape: Field): Sorting => ({
  fields: fields.flatMap((name) => sortFields(knownField(name, shape, '--sort'), shape)),
  descending,
});
