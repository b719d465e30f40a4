/** The attempt of a command line as a verb phrase for errors: `assign licence welcome1 to ada@example.com`. */
import { excerpt } from '../core/clean-text.js';
import { textsOf, type Values } from './command.js';

/** Groups named by the plural of their items. */
const PLURALS =
  'books readers licenses subscriptions classes schools publishers users end-users roles files jobs profiles'.split(
    ' ',
  );

function nounsOf(group: string): readonly [one: string, several: string] {
  const several = group.replace('license', 'licence').replace('-', ' ');
  return [PLURALS.includes(group) ? several.replace(/(?<=ss)es$|s$/, '') : several, several];
}

/** Phrases of commands that do not consist of noun and verb; `{0}` and `{1}` are their arguments. */
const PHRASES: Readonly<Record<string, string>> = {
  'account show': 'show the account',
  whoami: 'show the account',
  api: 'request {0}',
  login: 'log in',
  'auth login': 'log in',
  'auth status': 'check the login',
  'books subjects': 'list subjects',
  'books types': 'list book types',
  'books licenses': 'list the licences of book {0}',
  'licenses activations': 'list the activations of licence {0}',
  'licenses summary': 'summarize licences',
  'licenses assign': 'assign licence {0} to {1}',
  'subscriptions assign': 'assign subscription {0} to {1}',
  'classes assign': 'assign {1} to class {0}',
  'classes unassign': 'remove {1} from class {0}',
  'classes move': 'move {0} to another class',
  'schools classes': 'list the classes of school {0}',
  'users modified': 'list modified users',
  'users modifications': 'list the modifications of user {0}',
  'users last-login': 'get the last login of user {0}',
  'users licenses': 'list the licences of user {0}',
  export: 'export',
  doctor: 'diagnose',
};

const NAMING_FLAGS = ['name', 'title', 'email', 'code', 'class-name'] as const;

function shown(values: Values, name: string): string {
  const texts = textsOf(values, name).map((text) => excerpt(text.replace(/^code:/, ''), 80));
  return texts.length > 3 ? `${texts.slice(0, 3).join(', ')} and ${texts.length - 3} more` : texts.join(', ');
}

function naming(values: Values): string {
  const flag = NAMING_FLAGS.find((name) => values[name] !== undefined);
  return flag === undefined ? '' : ` ${JSON.stringify(shown(values, flag))}`;
}

/**
 * @param path such as `licenses create`
 * @param argumentNames names of the command's arguments, in order
 * @param values values of the command line
 * @returns a verb phrase without `to`
 */
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
  const article = name !== '' || !PLURALS.includes(group) ? '' : ` ${/^[aeo]/.test(one) ? 'an' : 'a'}`;
  const noun = group === verb ? '' : `${article} ${isMany ? several : one}`;
  return `${verb}${noun}${name}`;
}
