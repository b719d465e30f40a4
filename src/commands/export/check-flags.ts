/** Checks the flags of `edu export`. */
import { type Command, isGiven, needs, textOf, textsOf, type Values } from '../../cli/command.js';
import { shown } from '../../cli/read-value.js';
import { EXPORTABLE, type Exportable } from '../../contract/index.js';
import { LANGUAGES } from '../../contract/shared.js';
import type { Problem } from '../../core/errors.js';
import { either } from '../../core/plural.js';
import { shardOf } from '../../core/shard.js';
import { didYouMean } from '../../core/suggest.js';

/** An octal mode such as `640`; undefined for anything else, or if the owner may not read and write. */
export function modeOf(text: string): number | undefined {
  const mode = /^0?[0-7]{3}$/.test(text.trim()) ? Number.parseInt(text, 8) : 0;
  return (mode & 0o600) === 0o600 ? mode : undefined;
}

/** What the command does instead of exporting lists, with the flags that apply. */
const INSTEAD: readonly (readonly [name: string, what: string, flags: readonly string[]])[] = [
  ['merge', 'merge, which reads no list', ['to', 'mode']],
  ['schema', '--schema, which only prints', ['dialect']],
  ['verify', '--verify, which writes no export', []],
  ['as-plan', '--as-plan, which writes files to edit', ['to', 'format']],
];

/** The form of values. An export has several files, so it cannot be a stream. */
const FORMS: readonly (readonly [flag: string, isRight: (text: string) => boolean, form: string])[] = [
  ['mode', (text) => modeOf(text) !== undefined, 'an octal mode with 6 or 7 for the owner, such as 640'],
  ['shard', (text) => shardOf(text) !== undefined, 'a share such as 2/8'],
  ['max-removed', (text) => maxRemovedOf(text) !== undefined, 'a number or a percentage'],
  ['to', (text) => text !== '-', 'a folder'],
];

export function flagProblems({ flags = [] }: Command, values: Values): readonly Problem[] {
  const [first, ...folders] = textsOf(values, 'resource');
  const isMerge = first === 'merge';
  const problems: Problem[] = isMerge ? [] : resourceProblems(values);
  const wrong = (name: string, message: string): void => void problems.push({ where: `--${name}`, message });
  const has = (name: string): boolean => isGiven(values, name);
  const [own, what, taken = []] = INSTEAD.find(([name]) => (name === 'merge' ? isMerge : has(name))) ?? [];
  for (const { name } of flags)
    if (own !== undefined && has(name) && name !== own && !taken.includes(name))
      wrong(name, `does not apply to ${what}`);
  if (own === 'verify' && first !== undefined)
    problems.push({ where: 'RESOURCE', message: `does not apply to ${what}` });
  for (const [name, isRight, form] of FORMS) {
    const text = textOf(values, name);
    if (text !== undefined && !isRight(text)) wrong(name, `must be ${form}, not ${shown(text)}`);
  }
  for (const name of ['to', 'since', 'baseline', 'verify'])
    if (textOf(values, name)?.trim() === '') wrong(name, 'must not be empty');
  if (isMerge && folders.length === 0)
    problems.push({ where: 'merge', message: 'needs the folders of all shards: edu export merge A B --to DIR' });
  problems.push(...needs('dialect', 'schema')(values));
  if (has('since') && has('baseline')) wrong('baseline', 'is implied by --since; use one of them');
  for (const language of textsOf(values, 'languages'))
    if (!['ALL', ...LANGUAGES].includes(language.toUpperCase()))
      wrong('languages', `must be all, or some of ${either(LANGUAGES)}, not ${shown(language)}`);
  return problems;
}

/** `10%` as a share, `15` as a number of items; undefined for anything else. */
export function maxRemovedOf(text: string): { readonly count: number } | { readonly share: number } | undefined {
  const [, amount, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim()) ?? [];
  if (amount === undefined || (percent === '%' && Number(amount) > 100)) return undefined;
  if (percent === '%') return { share: Number(amount) / 100 };
  return amount.includes('.') ? undefined : { count: Number(amount) };
}

/** Accepts singular and plural, and `licence` for `license`. */
function resourceNamed(word: string): Exportable | undefined {
  const plain = word.trim().toLowerCase().replace('licence', 'license');
  const forms = [plain, `${plain}s`, `${plain}es`];
  return EXPORTABLE.find((name) => forms.includes(name));
}

/** Resources may be separate words or separated by commas. */
const resourceWords = (values: Values): readonly string[] =>
  textsOf(values, 'resource').flatMap((word) => word.split(',').filter((part) => part.trim() !== ''));

export const resourceProblems = (values: Values): Problem[] =>
  resourceWords(values)
    .filter((word) => resourceNamed(word) === undefined)
    .map((word) => ({
      where: 'RESOURCE',
      message: `must be ${either(EXPORTABLE)}, not ${shown(word)}. ${didYouMean(word, EXPORTABLE) ?? ''}`.trim(),
    }));

/** The named resources, without invalid names. */
export const namedResources = (values: Values): readonly Exportable[] =>
  resourceWords(values).flatMap((word) => resourceNamed(word) ?? []);
