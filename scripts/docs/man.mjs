/** Man pages in roff, from the command definitions: `edu.1`, `edu-licenses.1`, `edu-licenses-list.1`, `edu-bulk.7`. */

/** @typedef {import('../../src/commands/help/all-pages.ts').Manual} Manual */
/** @typedef {import('../../src/cli/find-command.ts').Node} Node */
/** @typedef {import('../../src/cli/command.ts').Command} Command */
/** @typedef {import('../../src/cli/command.ts').Flag} Flag */

/** Escapes roff requests, and dashes, which roff would turn into typographic ones. @param {string} text */
function roff(text) {
  const plain = text.replaceAll('\\', '\\e').replaceAll('-', '\\-');
  return plain.replaceAll('…', '\\[u2026]').replace(/^(?=[.'])/gm, '\\&');
}

/** @param {string} text */
const bold = (text) => `\\fB${roff(text)}\\fR`;

/** Quotes an argument of a roff request. @param {string} text */
const argument = (text) => `"${roff(text).replaceAll('"', '\\(dq')}"`;

/** @param {string} term @param {string} description */
const item = (term, description) => `.TP\n${bold(term)}\n${roff(description)}`;

/** @param {string} text whose line breaks are kept */
const verbatim = (text) => `.RS 4\n.nf\n${roff(text)}\n.fi\n.RE`;

/** @param {string} heading @param {...string} parts */
const section = (heading, ...parts) => [`.SH ${argument(heading.toUpperCase())}`, ...parts].join('\n');

/** @param {string} name @param {string} number @param {string} version */
const title = (name, number, version) =>
  `.TH ${argument(name.toUpperCase())} ${number} "" ${argument(`edu ${version}`)} "edu"`;

/** @param {string} name @param {string} summary */
const nameSection = (name, summary) =>
  section('Name', `${roff(name)} \\- ${roff(summary.charAt(0).toLowerCase() + summary.slice(1).replace(/\.$/, ''))}`);

/** @param {string} line */
const synopsis = (line) => section('Synopsis', roff(line));

/** @param {readonly string[]} names with section numbers: `edu(1)` */
const seeAlso = (names) => section('See also', names.map((name) => bold(name).replace(/\(/, '\\fR(')).join(', '));

/** @param {string} text */
const paragraphs = (text) => text.replaceAll('\t', ': ').split('\n').map(roff).join('\n.PP\n');

/** @param {Manual} manual @param {readonly Flag[]} flags @param {(heading: string) => string} named */
const flagSections = ({ help }, flags, named) =>
  help
    .sections(flags)
    .map(([heading, members]) =>
      section(named(heading), ...members.map((flag) => item(help.flagTerm(flag), help.flagAbout(flag)))),
    );

/** @param {Manual} manual @param {Command} command @param {string} path @param {string} version */
function commandPage(manual, command, path, version) {
  const name = `edu-${path.replace(' ', '-')}`;
  const { help } = manual;
  const group = path.includes(' ') ? [`edu-${path.split(' ')[0]}(1)`] : [];
  const args = command.arguments ?? [];
  const globals = help.relevantGlobals(command);
  return [
    title(name, '1', version),
    nameSection(name, command.summary),
    synopsis(help.usage(command, path)),
    section(
      'Description',
      paragraphs([command.summary, command.details].filter((text) => text !== undefined).join('\n')),
    ),
    ...(args.length === 0
      ? []
      : [section('Arguments', ...args.map((argument) => item(help.metavar(argument), argument.description)))]),
    ...flagSections(manual, command.flags ?? [], (heading) => (heading === 'Required' ? 'Required flags' : heading)),
    ...(globals.length === 0
      ? []
      : [section('Output', ...globals.map((flag) => item(help.flagTerm(flag), help.flagAbout(flag))))]),
    section(
      'Examples',
      ...Object.entries(command.examples).map(([description, line]) => `.PP\n${roff(description)}\n${verbatim(line)}`),
    ),
    seeAlso(['edu(1)', ...group, 'edu-formatting(7)', 'edu-exit-codes(7)']),
  ];
}

/** @param {Manual} manual @param {Node} node @param {string} version */
function groupPage({ help }, { entry, loaded }, version) {
  if (!('commands' in loaded)) throw new TypeError(`edu ${entry.name} is no group`);
  const name = `edu-${entry.name}`;
  const shown = loaded.commands;
  return [
    title(name, '1', version),
    nameSection(name, entry.summary),
    synopsis(`edu ${entry.name} COMMAND [flags]`),
    section(
      'Description',
      paragraphs([`${entry.summary}.`, loaded.details].filter((text) => text !== undefined).join('\n')),
    ),
    section(
      'Commands',
      ...shown.map((command) =>
        item([command.name, ...(command.arguments ?? []).map(help.metavar)].join(' '), command.summary),
      ),
    ),
    seeAlso(['edu(1)', ...shown.map((command) => `${name}-${command.name}(1)`)]),
  ];
}

/** @param {Manual} manual @param {string} version */
function mainPage(manual, version) {
  const entries = [...new Set(manual.nodes.map(({ entry }) => entry))];
  const headings = [...new Set(entries.map((entry) => entry.section))];
  return [
    title('edu', '1', version),
    nameSection('edu', 'administer a Content and Licensing Service'),
    synopsis('edu RESOURCE VERB [IDS…] [flags]'),
    section(
      'Description',
      roff(
        'Administers books, readers, licences, subscriptions, classes, schools, publishers and users. ' +
          'The result goes to stdout, everything else to stderr. With --offline every command works on a bundled service: no network, no login.',
      ),
    ),
    ...headings.map((heading) =>
      section(
        heading,
        ...entries
          .filter((entry) => entry.section === heading)
          .map((entry) => item(entry.name, `${entry.summary}. See edu-${entry.name}(1).`)),
      ),
    ),
    ...flagSections(manual, manual.globals, (heading) => `${heading} flags`),
    seeAlso(manual.topics.map(({ name }) => `edu-${name}(7)`)),
  ];
}

/** @param {Manual['topics'][number]} topic @param {string} version */
function topicPage({ name, title: heading, text }, version) {
  return [
    title(`edu-${name}`, '7', version),
    nameSection(`edu-${name}`, heading),
    section('Description', verbatim(text.trim())),
    seeAlso(['edu(1)']),
  ];
}

/**
 * @param {Manual} manual
 * @param {string} version of the program
 * @returns {ReadonlyMap<string, string>} file name → roff
 */
export function manPages(manual, version) {
  /** @type {Map<string, readonly string[]>} */
  const pages = new Map([['edu.1', mainPage(manual, version)]]);
  for (const node of manual.nodes) {
    const { path, loaded } = node;
    if ('commands' in loaded) pages.set(`edu-${path}.1`, groupPage(manual, node, version));
    else pages.set(`edu-${path.replace(' ', '-')}.1`, commandPage(manual, loaded, path, version));
  }
  for (const topic of manual.topics) pages.set(`edu-${topic.name}.7`, topicPage(topic, version));
  return new Map(
    [...pages].map(([name, parts]) => [
      name,
      `.\\" Made by the build from the commands' own data.\n${parts.join('\n')}\n`,
    ]),
  );
}
