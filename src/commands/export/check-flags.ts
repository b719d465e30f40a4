/** Checks the flags of `edu export`. */
import { type Command, isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import { oneOf, shown } from '../../cli/read-value.js';
import { EXPORTABLE, type Exportable } from '../../contract/index.js';
import { LANGUAGES } from '../../contract/shared.js';
import type { Problem } from '../../core/errors.js';
import { shardOf } from '../../core/shard.js';
import { didYouMean } from '../../core/suggest.js';

function unusedWith(what: string, { flags = [] }: Command, values: Values): Problem[] {
  const [flag] = what.split(',');
  return flags
    .map(({ name }) => name)
    .filter((name) => values[name] !== undefined && `--${name}` !== flag && !(name === 'to' && flag === '--verify'))
    .map((name) => ({ where: `--${name}`, message: `does not apply to ${what}` }));
}

const NO_FOLDER: Problem = { where: '--to', message: 'is missing' };

/** An octal mode such as `640`; undefined for anything else, or if the owner may not read and write. */
export function modeOf(text: string): number | undefined {
  const mode = /^0?[0-7]{3}$/.test(text.trim()) ? Number.parseInt(text, 8) : 0;
  return (mode & 0o600) === 0o600 ? mode : undefined;
}

function modeProblems(values: Values): readonly Problem[] {
  const text = textOf(values, 'mode');
  if (text === undefined || modeOf(text) !== undefined) return [];
  return [
    { where: '--mode', message: `must be an octal mode with 6 or 7 for the owner, such as 640, not ${shown(text)}` },
  ];
}

/** An export has several files, so it cannot be a stream. */
const folderProblems = (to: string | undefined): readonly Problem[] =>
  to === '-' ? [{ where: '--to', message: 'must be a folder, not "-"' }] : [];

const mergeProblems = (command: Command, values: Values): readonly Problem[] => [
  ...modeProblems(values),
  ...unusedWith('merge, which reads no list', command, { ...values, to: undefined, mode: undefined }),
  ...(textOf(values, 'to') === undefined ? [NO_FOLDER] : folderProblems(textOf(values, 'to'))),
  ...(textsOf(values, 'resource').length < 2
    ? [{ where: 'merge', message: 'needs the folders of all shards: edu export merge A B --to DIR' }]
    : []),
];

export function flagProblems(command: Command, values: Values): readonly Problem[] {
  if (textsOf(values, 'resource')[0] === 'merge') return mergeProblems(command, values);
  const problems = [...resourceProblems(values), ...modeProblems(values)];
  const wrong = (name: string, message: string): void => void problems.push({ where: `--${name}`, message });
  const [shard, to, verify] = [textOf(values, 'shard'), textOf(values, 'to'), textOf(values, 'verify')];
  if (shard !== undefined && shardOf(shard) === undefined)
    wrong('shard', `must be a share such as 2/8, not ${shown(shard)}`);
  if (isOn(values, 'schema'))
    return [...problems, ...unusedWith('--schema, which only prints', command, { ...values, dialect: undefined })];
  if (values.dialect !== undefined) wrong('dialect', 'needs --schema');
  if (to === undefined && verify === undefined) problems.push(NO_FOLDER);
  problems.push(...folderProblems(to));
  if (to !== undefined && verify !== undefined) wrong('verify', 'verifies an existing export; leave out --to');
  if (verify !== undefined) problems.push(...unusedWith('--verify, which writes no export', command, values));
  if (isOn(values, 'as-plan')) {
    const unused = unusedWith('--as-plan, which writes files to edit', command, values);
    problems.push(...unused.filter(({ where }) => where !== '--to' && where !== '--format'));
  }
  if (values.since !== undefined && values.baseline !== undefined)
    wrong('baseline', 'is implied by --since; use one of them');
  const maxRemoved = textOf(values, 'max-removed');
  if (maxRemoved !== undefined && maxRemovedOf(maxRemoved) === undefined)
    wrong('max-removed', `must be a number or a percentage, not ${shown(maxRemoved)}`);
  for (const name of ['to', 'since', 'baseline', 'verify'])
    if (textOf(values, name)?.trim() === '') wrong(name, 'must not be empty');
  for (const language of textsOf(values, 'languages'))
    if (!['ALL', ...LANGUAGES].includes(language.toUpperCase()))
      wrong('languages', `must be all, or some of ${oneOf(LANGUAGES)}, not ${shown(language)}`);
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
      message: `must be ${oneOf(EXPORTABLE)}, not ${shown(word)}. ${didYouMean(word, EXPORTABLE) ?? ''}`.trim(),
    }));

/** The named resources, without invalid names. */
export const namedResources = (values: Values): readonly Exportable[] =>
  resourceWords(values).flatMap((word) => resourceNamed(word) ?? []);
