/** The help topics, in the form of help pages (cli/help-layout.ts). */
import { bulkFlags } from '../../cli/bulk-flags.js';
import { GLOBAL_FLAGS } from '../../cli/global-flags.js';
import { flagRows, sections } from '../../cli/help.js';
import { type ErrorKind, EXIT_CODES } from '../../core/errors.js';
import exitCodes from './exit-codes.json' with { type: 'json' };
import topics from './topics.json' with { type: 'json' };

interface Topic {
  readonly name: string;
  readonly title: string;
  readonly page: string;
}

/** The meanings of exit codes. */
export const EXIT_MEANINGS: Readonly<Record<string, string>> = exitCodes.codes;

/** The meanings of kinds of errors; empty if their exit code says all. */
export const KINDS: Readonly<Record<ErrorKind, string>> = exitCodes.kinds;

const exitCodePage = `# Codes
${Object.entries(EXIT_MEANINGS)
  .map(([code, meaning]) => `${code}\t${meaning}\n`)
  .join('')}
With json, ndjson or yaml output, an error is one JSON object on stderr, {"error": {…}}, with the keys kind, message, status, method, path, requestId, hint and details.

# Values of kind, with exit codes
${Object.entries(KINDS)
  .map(([kind, meaning]) => `${kind}\t${EXIT_CODES[kind as ErrorKind]}${meaning === '' ? '' : `: ${meaning}`}\n`)
  .join('')}
  $ edu licenses get code:nosuchcode --json; echo $?
`;

const flagPage = sections(GLOBAL_FLAGS.map((flag) => ({ ...flag, group: flag.group ?? 'Output' })))
  .flatMap(([heading, members]) => [`# ${heading}`, ...flagRows(members), ''])
  .join('\n');

/** Replaced by the bulk flags of all commands. */
const BULK_FLAGS = '{flags}';

const topic = (name: keyof typeof topics): Topic => ({
  ...topics[name],
  name,
  page: topics[name].page.join('\n').replace(BULK_FLAGS, () => flagRows(bulkFlags(true, true)).join('\n')),
});

export const TOPICS: readonly Topic[] = [
  { name: 'flags', title: 'Flags of all commands', page: flagPage },
  topic('environment'),
  topic('formatting'),
  { name: 'exit-codes', title: 'Exit codes', page: exitCodePage },
  topic('bulk'),
  topic('offline'),
];

export const topicPage = ({ title, page }: Topic): string => `# ${title}\n\n${page}`;
