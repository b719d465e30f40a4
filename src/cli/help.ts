/** Creates help pages from command definitions, in the form that help-layout.ts describes. The build stores them as files. */
import type { Env, Out } from '../core/io.js';
import { grouped } from '../core/maps.js';
import { wantsColor } from '../output/color.js';
import type { Argument, Command, Entry, Flag, Group, Trait, Values } from './command.js';
import { GLOBAL_FLAGS } from './global-flags.js';
import { layOutHelp } from './help-layout.js';
import { traitsOf } from './traits.js';

/** An argument in a usage line: `ID`, `ID…`, `[ID]`. */
export const metavar = (argument: Argument): string => {
  const name = `${argument.name.toUpperCase()}${argument.many ? '…' : ''}`;
  return argument.optional || argument.instead !== undefined ? `[${name}]` : name;
};

/** `-o, --output FORMAT` */
export function flagTerm(flag: Flag): string {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  return `${short}--${flag.name}${flag.value === undefined ? '' : ` ${flag.value}`}`;
}

/** The description of a flag, or of the cells of its column in a file, with choices, default and limits. */
export function flagAbout(flag: Flag, inFile = false): string {
  const notes: string[] = [];
  if (flag.choices !== undefined && flag.choices.length > 0) notes.push(flag.choices.join(', '));
  if (inFile && flag.kind === 'switch') notes.push('true or false');
  if (flag.note !== undefined && flag.note !== '') notes.push(flag.note);
  if (flag.maxLength !== undefined) notes.push(`at most ${flag.maxLength} characters`);
  if (flag.many) notes.push(inFile ? 'several values are separated by commas' : 'repeat it or use commas');
  if (flag.repeat) notes.push('may be repeated');
  return notes.length === 0 ? flag.description : `${flag.description} (${notes.join('; ')})`;
}

/** Flags by heading: required ones first, then those without a heading, then the others in order. */
export function sections(flags: readonly Flag[]): (readonly [string, readonly Flag[]])[] {
  const groups = grouped(flags, ({ required, group = 'Flags' }) => [required ? 'Required' : group]);
  const order = ['Required', 'Flags'];
  const rank = (heading: string): number => (order.includes(heading) ? order.indexOf(heading) : order.length);
  return [...groups].sort(([a], [b]) => rank(a) - rank(b));
}

/** Global flags on the page of each command to which they apply; `edu help flags` shows all. */
const SHOWN = ['output', 'json', 'fields', 'query', 'sort', 'limit', 'page-size'];

const VARIANTS: readonly Values[] = [{}, { from: '-' }, { paginate: true }, { failed: true }, { verify: true }];

/** The traits that a command can have. */
export const possibleTraits = (command: Command): ReadonlySet<Trait> =>
  new Set(VARIANTS.flatMap((values) => traitsOf(command, values)));

/** The global flags that apply to a command. */
export function globalsOf(command: Command): readonly Flag[] {
  const own = new Set((command.flags ?? []).map(({ name }) => name));
  const traits = possibleTraits(command);
  return GLOBAL_FLAGS.filter(({ name, trait }) => !own.has(name) && (trait === undefined || traits.has(trait)));
}

/** The global flags on a command's page. */
export const relevantGlobals = (command: Command): readonly Flag[] =>
  command.prints === 'nothing' ? [] : globalsOf(command).filter(({ name }) => SHOWN.includes(name));

export const flagRows = (flags: readonly Flag[]): string[] =>
  flags.map((flag) => `${flagTerm(flag)}\t${flagAbout(flag)}`);

/** The bulk flags on the page of a write; `edu help bulk` has all. */
const MAIN_BULK_FLAGS = ['from', 'count', 'results'];

/** The rows of a section: of the bulk flags of a write only the main ones, which would fill half of its page. */
function sectionRows(flags: readonly Flag[]): string[] {
  if (!flags.some(({ name, group }) => name === 'from' && group !== undefined)) return flagRows(flags);
  const main = flags.filter(({ name }) => MAIN_BULK_FLAGS.includes(name));
  return [...flagRows(main), `${flags.length - main.length} more\tsee \`edu help bulk\``];
}

/** `edu licenses get LICENCE [flags]` */
export function usage(command: Command, path: string): string {
  const hasFlags = (command.flags ?? []).length > 0 || command.prints !== 'nothing';
  return ['edu', path, ...(command.arguments ?? []).map(metavar), ...(hasFlags ? ['[flags]'] : [])].join(' ');
}

/** The help page of a command. @param path such as `licenses create` */
export function commandPage(command: Command, path: string): string {
  const args = command.arguments ?? [];
  const output = relevantGlobals(command);
  const lines = [
    command.summary,
    '',
    `Usage: ${usage(command, path)}`,
    '',
    ...(command.details === undefined ? [] : [command.details, '']),
    ...(args.length === 0 ? [] : ['# Arguments', ...args.map((one) => `${metavar(one)}\t${one.description}`), '']),
    ...sections(command.flags ?? []).flatMap(([heading, members]) => [`# ${heading}`, ...sectionRows(members), '']),
    ...(output.length === 0 ? [] : ['# Output', ...flagRows(output), '']),
    '# Examples',
    ...Object.entries(command.examples).flatMap(([text, line]) => [`  # ${text}`, `  $ ${line}`, '']),
    'More flags: `edu help flags`. Exit codes: `edu help exit-codes`.',
  ];
  return `${lines.join('\n')}\n`;
}

/** The help page of a group. */
export function groupPage(group: Group, { name, summary, aliases = [] }: Entry): string {
  const [example] = Object.values(group.commands[0]?.examples ?? {});
  const lines = [
    summary,
    '',
    `Usage: edu ${name} COMMAND [flags]`,
    '',
    ...(group.details === undefined ? [] : [group.details, '']),
    '# Commands',
    ...group.commands.map((one) => `${[one.name, ...(one.arguments ?? []).map(metavar)].join(' ')}\t${one.summary}`),
    '',
    ...(aliases.length === 0 ? [] : [`Aliases: ${aliases.map((alias) => `edu ${alias}`).join(', ')}`, '']),
    ...(example === undefined ? [] : ['# Example', `  $ ${example}`, '']),
    `Flags and examples of a command: \`edu ${name} COMMAND --help\``,
  ];
  return `${lines.join('\n')}\n`;
}

/** The main help page. */
export function mainPage(entries: readonly Entry[]): string {
  const headings = [...new Set(entries.map((entry) => entry.section))];
  const lines = [
    'Administer books, readers, licences, subscriptions, classes, schools, publishers and users of a Content and Licensing Service.',
    '',
    'Usage: edu RESOURCE VERB [IDS…] [flags]',
    '',
    'Try it without a login: `edu --offline licenses list`',
    '',
    ...headings.flatMap((heading) => [
      `# ${heading}`,
      ...entries.filter(({ section }) => section === heading).map(({ name, summary }) => `${name}\t${summary}`),
      '',
    ]),
    '# Examples',
    '  $ edu licenses list --limit 20',
    '  $ edu licenses create --name "Autumn" --type Books --book B1 --days 365 --maximum-activations 30',
    '  $ edu users list --json --fields id,email',
    '',
    'Flags of all commands: `edu help flags`. Other topics: environment, formatting, exit-codes, bulk, offline.',
  ];
  return `${lines.join('\n')}\n`;
}

/** Lays out a page for stdout: in the width and style of a terminal, or in the standard width elsewhere. */
export const helpFor = (page: string, stdout: Out, env: Env, globals: Values): string =>
  layOutHelp(page, { columns: stdout.columns, bold: wantsColor(globals, env, stdout.isTTY) });
