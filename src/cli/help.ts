/**
 * The text of every help page, 80 columns wide, from the commands' own data. The same text is written to files when
 * the program is built, so that `--help` prints a file; it must not know commander nor a terminal.
 */
import type { Argument, Command, Entry, Flag, Group, Values } from './command.js';
import { GLOBAL_FLAGS } from './global-flags.js';
import { traitsOf } from './traits.js';

const WIDTH = 80;

/** Breaks a text into lines of at most `width` characters, each paragraph by itself. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}

/** Two columns: a term, and what it means, wrapped beside it. */
function columns(rows: readonly (readonly [string, string])[], most = 30): string[] {
  const widest = Math.min(most, Math.max(...rows.map(([term]) => term.length)));
  return rows.flatMap(([term, about]) => {
    const lines = wrap(about, WIDTH - widest - 4);
    const indent = ' '.repeat(widest + 4);
    if (term.length > widest) return [`  ${term}`, ...lines.map((line) => indent + line)];
    return lines.map((line, index) => (index === 0 ? `  ${term.padEnd(widest)}  ${line}` : indent + line));
  });
}

/** `ID`, `ID…`, `[ID]`: how an argument is written in a line of usage. */
export const metavar = (argument: Argument): string => {
  const name = `${argument.name.toUpperCase()}${argument.many ? '…' : ''}`;
  return argument.optional ? `[${name}]` : name;
};

/** `-o, --output FORMAT` */
export function flagTerm(flag: Flag): string {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  return `${short}--${flag.name}${flag.value === undefined ? '' : ` ${flag.value}`}`;
}

/** What a flag means, with its choices, default and limits. */
export function flagAbout(flag: Flag): string {
  const notes: string[] = [];
  if (flag.choices !== undefined && flag.choices.length > 0) notes.push(flag.choices.join(', '));
  if (flag.note !== undefined && flag.note !== '') notes.push(flag.note);
  if (flag.longest !== undefined) notes.push(`at most ${flag.longest} characters`);
  if (flag.many) notes.push('repeat it or use commas');
  if (flag.repeat) notes.push('may be repeated');
  return notes.length === 0 ? flag.about : `${flag.about} (${notes.join('; ')})`;
}

/** Flags under their headings: required ones first, then those without a heading, then the others in their order. */
export function sections(flags: readonly Flag[]): (readonly [string, readonly Flag[]])[] {
  const shown = flags.filter((flag) => !flag.hidden);
  const groups = new Map<string, Flag[]>();
  for (const flag of shown) {
    const heading = flag.required ? 'Required' : (flag.group ?? 'Flags');
    groups.set(heading, [...(groups.get(heading) ?? []), flag]);
  }
  const order = ['Required', 'Flags'];
  const rank = (heading: string): number => (order.includes(heading) ? order.indexOf(heading) : order.length);
  return [...groups].sort(([a], [b]) => rank(a) - rank(b));
}

/** Shown on the page of each command that has a use for them; `edu --help` shows all. */
const SHOWN = ['output', 'json', 'fields', 'query', 'sort', 'limit', 'page-size'];

/** The global flags that matter most for what the command prints, with whatever values. */
export function relevantGlobals(command: Command): readonly Flag[] {
  if (command.prints === 'nothing') return [];
  const own = new Set((command.flags ?? []).map(({ name }) => name));
  const traits = new Set([{}, ...VARIANTS].flatMap((values) => traitsOf(command, values)));
  return GLOBAL_FLAGS.filter(
    ({ name, trait }) => SHOWN.includes(name) && !own.has(name) && (trait === undefined || traits.has(trait)),
  );
}

/** Values with which commands do something else than without. */
const VARIANTS: readonly Values[] = [{ from: '-' }, { paginate: true }, { failed: true }];

/** An example as it is typed: a long one goes on behind a backslash, before a flag. */
function exampleLines(line: string): string[] {
  const parts = line.split(/ (?=--?[a-z]|> |\| |&& )/);
  const lines: string[] = [];
  let current = parts[0] ?? '';
  for (const part of parts.slice(1)) {
    if (current.length + 1 + part.length > WIDTH - 8) {
      lines.push(`${current} \\`);
      current = `    ${part}`;
    } else current = `${current} ${part}`;
  }
  return [...lines, current].map((text, index) => (index === 0 ? `  $ ${text}` : `  ${text}`));
}

/** `edu licenses get LICENCE [flags]` */
export function usage(command: Command, path: string): string {
  const hasFlags = (command.flags ?? []).length > 0 || command.prints !== 'nothing';
  return ['edu', path, ...(command.arguments ?? []).map(metavar), ...(hasFlags ? ['[flags]'] : [])].join(' ');
}

/** The help page of a command. `path` is its words, such as `licenses create`. */
export function commandPage(command: Command, path: string): string {
  const flags = command.flags ?? [];
  const lines = [...wrap(command.summary, WIDTH), ''];
  lines.push(`Usage: ${usage(command, path)}`, '');
  if (command.details !== undefined) lines.push(...wrap(command.details, WIDTH), '');
  if ((command.arguments ?? []).length > 0) {
    lines.push(
      'Arguments',
      ...columns((command.arguments ?? []).map((argument) => [metavar(argument), argument.about] as const)),
      '',
    );
  }
  for (const [heading, members] of sections(flags)) {
    lines.push(heading, ...columns(members.map((flag) => [flagTerm(flag), flagAbout(flag)] as const)), '');
  }
  const output = relevantGlobals(command);
  if (output.length > 0)
    lines.push('Output', ...columns(output.map((flag) => [flagTerm(flag), flagAbout(flag)] as const)), '');
  lines.push('Examples');
  for (const [index, example] of command.examples.entries()) {
    if (index > 0) lines.push('');
    lines.push(...wrap(example.about, WIDTH - 4).map((line) => `  # ${line}`), ...exampleLines(example.line));
  }
  lines.push('', 'More flags: edu --help   Exit codes: edu help exit-codes');
  return `${lines.join('\n')}\n`;
}

/** The help page of a group: its verbs. */
export function groupPage(group: Group, entry: Entry): string {
  const lines = [...wrap(entry.summary, WIDTH), '', `Usage: edu ${entry.name} COMMAND [flags]`, ''];
  if (group.details !== undefined) lines.push(...wrap(group.details, WIDTH), '');
  const rows = group.commands
    .filter((command) => !command.hidden)
    .map((command) => [[command.name, ...(command.arguments ?? []).map(metavar)].join(' '), command.summary] as const);
  lines.push('Commands', ...columns(rows), '');
  if (entry.aliases !== undefined && entry.aliases.length > 0)
    lines.push(`Also: ${entry.aliases.map((alias) => `edu ${alias}`).join(', ')}`, '');
  const example = group.commands[0]?.examples[0];
  if (example !== undefined) lines.push('Example', ...exampleLines(example.line), '');
  lines.push(`One command's flags and examples: edu ${entry.name} COMMAND --help`);
  return `${lines.join('\n')}\n`;
}

/** The main help page. */
export function mainPage(entries: readonly Entry[]): string {
  const lines = [
    'Administer books, readers, licences, subscriptions, classes, schools, publishers',
    'and users of a Content and Licensing Service.',
    '',
    'Usage: edu RESOURCE VERB [IDS…] [flags]',
    '',
    'Try it without a login: edu --offline licenses list',
    '',
  ];
  const headings = [...new Set(entries.map((entry) => entry.section))];
  for (const heading of headings) {
    const rows = entries
      .filter((entry) => entry.section === heading)
      .map((entry) => [entry.name, entry.summary] as const);
    lines.push(heading, ...columns(rows), '');
  }
  for (const [heading, members] of sections(GLOBAL_FLAGS.map((flag) => ({ ...flag, group: flag.group ?? 'Output' })))) {
    lines.push(`${heading} flags`, ...columns(members.map((flag) => [flagTerm(flag), flagAbout(flag)] as const)), '');
  }
  lines.push(
    'Examples',
    '  $ edu licenses list --limit 20',
    '  $ edu licenses create --name "Autumn" --type Books --book B1 --days 365 \\',
    '      --maximum-activations 30',
    '  $ edu users list --json --fields id,email',
    '',
    'More: edu help environment, formatting, exit-codes, bulk, offline',
  );
  return `${lines.join('\n')}\n`;
}
