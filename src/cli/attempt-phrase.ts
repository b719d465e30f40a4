/** The attempt of a command line as a verb phrase for errors: `assign licence code:welcome1 to ada@example.com`. */
import { excerpt } from '../core/clean-text.js';
import phrases from './attempt-phrases.json' with { type: 'json' };
import { textsOf, type Values } from './command.js';

/** Returns true if a group has the plural of its items as a name, unlike `config`. */
const isPlural = (group: string): boolean => group.endsWith('s') && group !== 'alias';

function nounsOf(group: string): readonly [one: string, several: string] {
  const several = group.replace('license', 'licence').replace('-', ' ');
  return [isPlural(group) ? several.replace(/(?<=ss)es$|s$/, '') : several, several];
}

/** Phrases of commands that do not consist of noun and verb; `{0}` and `{1}` are their arguments. */
const PHRASES: Readonly<Record<string, string>> = phrases;

const NAMING_FLAGS = ['name', 'title', 'email', 'code', 'class-name'] as const;

function shown(values: Values, name: string): string {
  const texts = textsOf(values, name).map((text) => excerpt(text, 80));
  return texts.length > 3 ? `${texts.slice(0, 3).join(', ')} and ${texts.length - 3} more` : texts.join(', ');
}

function naming(values: Values): string {
  const flag = NAMING_FLAGS.find((name) => values[name] !== undefined);
  return flag === undefined ? '' : ` ${JSON.stringify(shown(values, flag))}`;
}

/** A verb phrase without `to`. @param path such as `licenses create` @param argumentNames in their order */
export function attempted(path: string, argumentNames: readonly string[], values: Values): string {
  const given = argumentNames.map((name) => shown(values, name)).filter((text) => text !== '');
  const phrase = PHRASES[path];
  if (phrase !== undefined) {
    const [verbAndObject = phrase] = phrase.split(/ (?:of|to|from) /);
    return (given.length === 0 ? verbAndObject : phrase).replace(
      /\{(\d)\}/g,
      (_, index: string) => given[Number(index)] ?? '…',
    );
  }
  const [group = '', verb = group] = path.split(' ');
  const [one, several] = nounsOf(group);
  if (verb === 'list') return `list ${several}`;
  const isMany = textsOf(values, argumentNames[0] ?? '').length > 1;
  const name = given.length === 0 ? naming(values) : ` ${given.join(' ')}`;
  const article = name !== '' || !isPlural(group) ? '' : ` ${/^[aeo]/.test(one) ? 'an' : 'a'}`;
  const noun = group === verb ? '' : `${article} ${isMany ? several : one}`;
  return `${verb}${noun}${name}`;
}
