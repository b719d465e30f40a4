/** Parses `--sort`. */
import type { Field } from '../../contract/vocabulary.js';
import { usageError } from '../../core/errors.js';
import { knownField } from './fields.js';

export interface Sorting {
  readonly field: string;
  readonly descending: boolean;
}

/** @throws EduError `usage` unless the text is `FIELD`, `FIELD:asc` or `FIELD:desc` */
export function readSort(text: string): Sorting {
  const [field = '', direction = 'asc', ...rest] = text.split(':');
  if (field === '' || rest.length > 0 || (direction !== 'asc' && direction !== 'desc')) {
    throw usageError(`--sort: "${text}" is not a field.`, 'Write it as FIELD, or FIELD:desc for the largest first.');
  }
  return { field, descending: direction === 'desc' };
}

/** Replaces the field by the shape's spelling. @throws EduError `usage` for an unknown field */
export const checkSort = (sorting: Sorting, shape: Field): Sorting => ({
  ...sorting,
  field: knownField(sorting.field, shape, '--sort'),
});
