/**
 * The Markdown of docs/reference/, from the command definitions: a page for each group and each command without a
 * group, one for the global flags, and one for each help topic.
 */

/** @typedef {import('../../src/commands/help/all-pages.ts').Manual} Manual */
/** @typedef {import('../../src/cli/find-command.ts').Node} Node */
/** @typedef {import('../../src/cli/command.ts').Command} Command */
/** @typedef {import('../../src/cli/command.ts').Flag} Flag */
/** @typedef {import('../../src/contract/vocabulary.ts').Field} Field */

const ORIGIN = '<!-- Made by `npm run docs` from the commands’ own data. Change those instead. -->';

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');

/** @param {string} text */
const prose = (text) => text.replaceAll('<', '&lt;');

/** Turns lines of a term, a tab and a description into a list. @param {string} text */
const details = (text) =>
  prose(text)
    .replace(/^(\S+)\t/gm, '- `$1`: ')
    .replace(/^(?!- )(.+)\n(?=- `)/m, '$1\n\n');

/** @param {string} text */
const code = (text) => `\`${text}\``;

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows escaped
 */
function table(head, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** @param {Command['examples']} examples */
const exampleBlock = (examples) =>
  [
    '```sh',
    Object.entries(examples)
      .map(([text, line]) => `# ${text}\n${line}`)
      .join('\n\n'),
    '```',
  ].join('\n');

/**
 * @param {Field} field
 * @param {string} [above]
 * @returns {(readonly [string, Field])[]} the members by dotted path; `[]` marks lists, such as `books[].id`
 */
export function leaves(field, above = '') {
  return Object.entries(field.fields ?? {}).flatMap(([name, member]) => {
    const inner = member.kind === 'list' ? (member.of ?? member) : member;
    const path = `${above}${name}${member.kind === 'list' ? '[]' : ''}`;
    return inner.kind === 'object' && Object.keys(inner.fields ?? {}).length > 0
      ? leaves(inner, `${path}.`)
      : [/** @type {const} */ ([path, member])];
  });
}

/** @param {Field} field */
function kindOf(field) {
  const inner = field.kind === 'list' ? (field.of ?? field) : field;
  const choices = inner.choices === undefined ? '' : `: ${inner.choices.join(', ')}${inner.open ? ', …' : ''}`;
  const name = { any: 'any', object: 'object', integer: 'number', choice: 'one of' }[String(inner.kind)] ?? inner.kind;
  return `${name}${choices}${field.nullable ? ', or null' : ''}`;
}

/** @param {Field} shape */
const fieldTable = (shape) =>
  table(
    ['Field', 'Holds', ''],
    leaves(shape).map(([path, field]) => [code(path), cell(kindOf(field)), cell(field.description)]),
  );

/**
 * The fields of the commands' results; commands with the same fields share a table.
 * @param {readonly Command[]} commands
 */
function shapeSections(commands) {
  /** @type {Map<string, { commands: string[], table: string }>} */
  const shapes = new Map();
  for (const { name, shape } of commands) {
    if (shape === undefined || leaves(shape).length === 0) continue;
    const text = fieldTable(shape);
    const known = shapes.get(text) ?? { commands: [], table: text };
    known.commands.push(code(name));
    shapes.set(text, known);
  }
  if (shapes.size === 0) return [];
  return [
    '## Fields',
    'What `--fields`, `--sort`, `--query` and the JSON formats can name. `--fields` writes a list without its brackets: `books.title`.',
    ...[...shapes.values()].flatMap((shape) => [`Of ${shape.commands.join(', ')}:`, shape.table]),
  ];
}

/**
 * @param {Manual} manual
 * @param {Command} command
 * @param {string} path
 */
function commandParts(manual, command, path) {
  const { metavar, flagTerm, flagAbout, sections, relevantGlobals, usage } = manual.help;
  const parts = [prose(command.summary), ['```text', usage(command, path), '```'].join('\n')];
  if (command.aliases !== undefined && command.aliases.length > 0)
    parts.push(`Also: ${command.aliases.map(code).join(', ')}.`);
  if (command.details !== undefined) parts.push(details(command.details));
  const args = command.arguments ?? [];
  if (args.length > 0)
    parts.push(
      table(
        ['Argument', ''],
        args.map((argument) => [code(metavar(argument)), cell(argument.description)]),
      ),
    );
  const flags = sections(command.flags ?? []);
  for (const [heading, members] of flags)
    parts.push(
      table(
        [heading === 'Flags' ? 'Flag' : heading, ''],
        members.map((flag) => [code(flagTerm(flag)), cell(flagAbout(flag))]),
      ),
    );
  const globals = relevantGlobals(command);
  if (globals.length > 0)
    parts.push(
      `Output: ${globals.map((flag) => code(`--${flag.name}`)).join(', ')} ([global flags](global-flags.md)).`,
    );
  parts.push(exampleBlock(command.examples));
  return parts;
}

/** @param {Node} node */
const isGroupNode = (node) => 'commands' in node.loaded;

/**
 * @param {Manual} manual
 * @param {Node} node a group, or a command without a group
 */
function entryPage(manual, { entry, loaded }) {
  const title = `# edu ${entry.name}`;
  if (!('commands' in loaded))
    return [ORIGIN, title, ...commandParts(manual, loaded, entry.name), ...shapeSections([loaded])];
  const shown = loaded.commands;
  const { metavar } = manual.help;
  const parts = [ORIGIN, title, `${prose(entry.summary)}.`];
  if (entry.aliases !== undefined && entry.aliases.length > 0)
    parts.push(`Also: ${entry.aliases.map((alias) => code(`edu ${alias}`)).join(', ')}.`);
  if (loaded.details !== undefined) parts.push(details(loaded.details));
  parts.push(
    table(
      ['Command', ''],
      shown.map((command) => [
        `[${code([command.name, ...(command.arguments ?? []).map(metavar)].join(' '))}](#edu-${entry.name}-${command.name})`,
        cell(command.summary),
      ]),
    ),
  );
  for (const command of shown) {
    const path = `${entry.name} ${command.name}`;
    parts.push(`## edu ${path}`, ...commandParts(manual, command, path));
  }
  return [...parts, ...shapeSections(shown)];
}

/** @param {Manual} manual */
function globalFlagsPage({ globals, help: { sections, flagTerm, flagAbout } }) {
  const parts = [ORIGIN, '# Global flags', 'They may stand anywhere on the line.'];
  for (const [heading, flags] of sections(globals))
    parts.push(
      `## ${heading}`,
      table(
        ['Flag', ''],
        flags.map((flag) => [code(flagTerm(flag)), cell(flagAbout(flag))]),
      ),
    );
  return parts;
}

/** @param {Manual} manual */
function indexPage({ nodes, topics }) {
  const parts = [
    ORIGIN,
    '# Reference',
    'Every command with its flags and examples. The same is shown by `--help` behind any command, and by `man`.',
  ];
  const entries = [...new Set(nodes.map(({ entry }) => entry))];
  for (const section of new Set(entries.map((entry) => entry.section))) {
    const rows = entries
      .filter((entry) => entry.section === section)
      .map(({ name, summary }) => [`[${code(`edu ${name}`)}](${name}.md)`, cell(summary)]);
    parts.push(`## ${section}`, table(['Command', ''], rows));
  }
  parts.push(
    '## For all commands',
    [
      '- [Global flags](global-flags.md)',
      ...topics.map(({ name, title }) => `- [${title}](topics/${name}.md): \`edu help ${name}\``),
      '- [openapi.json](../openapi.json): the interface of the service, as `edu` understands it',
    ].join('\n'),
  );
  return parts;
}

/** @param {Manual['topics'][number]} topic */
const topicPage = ({ title, text }) => [ORIGIN, `# ${title}`, ['```text', text.trim(), '```'].join('\n')];

/**
 * @param {Manual} manual
 * @returns {ReadonlyMap<string, string>} path under docs/reference/ → Markdown
 */
export function referencePages(manual) {
  /** @type {Map<string, readonly string[]>} */
  const pages = new Map([
    ['README.md', indexPage(manual)],
    ['global-flags.md', globalFlagsPage(manual)],
  ]);
  for (const node of manual.nodes) {
    if (isGroupNode(node) || node.path === node.entry.name) pages.set(`${node.entry.name}.md`, entryPage(manual, node));
  }
  for (const topic of manual.topics) pages.set(`topics/${topic.name}.md`, topicPage(topic));
  return new Map([...pages].map(([name, parts]) => [name, `${parts.join('\n\n')}\n`]));
}
