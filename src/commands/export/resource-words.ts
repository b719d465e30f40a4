/** The resources named on a line of `edu export` or `edu diff`. */
import { textsOf, type Values } from '../../cli/command.js';
import { oneOf, shown } from '../../cli/read-value.js';
import { EXPORTABLE, type Exportable } from '../../contract/index.js';
import type { Problem } from '../../core/errors.js';
import { didYouMean } from '../../core/suggest.js';

/** Accepts singular and plural, and `licence` for `license`. */
export function resourceNamed(word: string): Exportable | undefined {
  const plain = word.trim().toLowerCase().replace('licence', 'license');
  const forms = [plain, `${plain}s`, `${plain}es`];
  return EXPORTABLE.find((name) => forms.includes(name));
}

/** Resources may be separate words or separated by commas. */
export const resourceWords = (values: Values): readonly string[] =>
  textsOf(values, 'resource').flatMap((word) => word.split(',').filter((part) => part.trim() !== ''));

export const resourceProblems = (values: Values): Problem[] =>
  resourceWords(values)
    .filter((word) => resourceNamed(word) === undefined)
    .map((word) => ({
      where: 'RESOURCE',
      message: `must be ${oneOf(EXPORTABLE)}, not ${shown(word)}. ${didYouMean(word, EXPORTABLE) ?? ''}`.trim(),
    }));

/** The named resources, without invalid names. */
export const namedResources = (values: Values): readonly Exportable[] =>
  resourceWords(values).flatMap((word) => resourceNamed(word) ?? []);
