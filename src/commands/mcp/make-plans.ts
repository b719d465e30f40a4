/** Makes plans from a wanted state, from the rows of a write, or from the receipt of an applied plan. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withFlags } from '../../cli/hints.js';
import { classes } from '../../contract/classes.js';
import { usageError } from '../../core/errors.js';
import { ensureFolder } from '../../core/fs/mkdir.js';
import { temporaryFolder } from '../../core/fs/temporary.js';
import { replaceContent, replaceFile } from '../../core/fs/write-file.js';
import { getPath, isObject, type JsonObject } from '../../core/json.js';
import { plural } from '../../core/plural.js';
import { shellLine } from '../../core/shell.js';
import { problemText } from '../../output/error-report.js';
import { assistantPlans } from '../../plan/apply/plan-records.js';
import { type Receipt, readReceipt, withDigest } from '../../plan/apply/receipt.js';
import { digestOf, linesOf, readPlan } from '../../plan/plan-file.js';
import { SHORT_HASH } from '../../plan/steps.js';
import { LIMITS } from '../plan/flags.js';
import type { Session } from './session.js';
import { type FlagInput, findUsable, type LineInput, lineOf, type Scope, type Usable } from './usable-commands.js';

type Rows = readonly JsonObject[];
type Flags = Readonly<Record<string, FlagInput>> | undefined;

export interface SessionPlan {
  readonly hash: string;
  /** The file that a person can apply, or the rows of its command. */
  readonly file: string;
  readonly isEmpty: boolean;
  /** Its counts, for people. */
  readonly summary: string;
  readonly text: string;
  readonly shown: JsonObject;
  readonly applyLine: readonly string[];
  /** The command line with which a person carries it out. */
  readonly personLine: string;
  readonly canUndo: boolean;
  /** The hash that the plan has now; undefined if applying it compares what it changes itself. */
  readonly hashNow?: (signal: AbortSignal) => Promise<string>;
}

const MAX_TEXT = 20_000;

/** Text for an assistant, never cut silently. */
const shownText = (text: string, file: string): JsonObject =>
  text.length <= MAX_TEXT
    ? { text }
    : { text: text.slice(0, MAX_TEXT), cut: `The first ${MAX_TEXT} of ${text.length} characters. All: ${file}` };

/** Flags of `edu plan` for an assistant. */
const PLAN_FLAGS = ['prune', ...LIMITS.map(({ name }) => name)];

/** A request of a dry run, as a line. */
const requestLine = ({ method, url, body }: JsonObject): string =>
  `${method} ${String(url)}${body === null ? '' : ` ${JSON.stringify(body)}`}`;

/** What the dry run of a write shows: its counts, and a line for each request. */
function readDryRun({ path, effects }: Usable, stdout: string) {
  const found = getPath(JSON.parse(stdout), 'requests');
  const requests = Array.isArray(found) ? found.filter(isObject) : [];
  const mails = effects.includes('sends_mail') ? requests.length : 0;
  const removes = ({ url }: JsonObject) => effects.includes('destroys') || String(url).endsWith(classes.unassign.path);
  const counts = `${plural(requests.length, 'request')}, e-mails: ${mails}, removals: ${requests.filter(removes).length}`;
  return { lines: requests.map(requestLine), summary: `${path}: ${counts}` };
}

/** The plans and rows of all sessions. */
function planFiles({ context }: Session) {
  const folder = assistantPlans(context.env);
  return {
    lineFor: (...words: readonly string[]): string => withFlags(shellLine('edu', ...words), context.globals),
    newFile(ending: string): string {
      ensureFolder(folder);
      return join(folder, `${context.machine.unique()}${ending}`);
    },
    named(made: string, name: string): string {
      const file = join(folder, name);
      replaceFile(made, file);
      return file;
    },
    /** @throws EduError `usage` if no plan with this hash was applied */
    receiptOf(hash: string): string {
      const short = hash.trim().toLowerCase().slice(0, SHORT_HASH);
      const receipt = join(folder, `${short}.plan.receipt`);
      if (/^[0-9a-f]{8}$/.test(short) && existsSync(receipt)) return receipt;
      throw usageError(
        `There is no applied plan ${JSON.stringify(hash)}.`,
        'Pass the hash of a plan that was applied.',
      );
    },
  };
}

/** How a plan is made: with what the assistant sees, or, for a person, with the real names. */
interface Making {
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly isReal: boolean;
}

/** Makes a plan as the assistant sees it, and if that has pseudonyms, again for the person who carries it out. */
async function forBoth(session: Session, signal: AbortSignal, make: (making: Making) => Promise<SessionPlan>) {
  const plan = await make({ session, signal, isReal: session.restore === undefined });
  if (session.restore === undefined) return plan;
  const { file, personLine } = await make({ session, signal, isReal: true });
  return { ...plan, file, personLine };
}

/** A JSON text as it is sent: for a person, with the real values. */
const jsonOf = (value: unknown, { session, isReal }: Making): string => {
  const json = JSON.stringify(value);
  return isReal ? (session.restore?.(json) ?? json) : json;
};

/** Rows as a JSON array with a row on each line: messages name the line, which is the number of the row. */
const jsonOfRows = (rows: Rows, making: Making): string => `[${rows.map((row) => jsonOf(row, making)).join(',\n')}]`;

/** Runs `edu plan` or `edu undo`. @param limits flags that the plan needs again when it is applied */
async function planWith(
  words: readonly string[],
  input: string,
  limits: readonly string[],
  { session, signal, isReal }: Making,
): Promise<SessionPlan> {
  const { newFile, named, lineFor } = planFiles(session);
  const out = newFile('.plan');
  const ran = await session.run([...words, `--out=${out}`, '--no-color', '--', input], signal, !isReal);
  // Conflicts are no error: the plan has the other changes.
  if (ran.error !== undefined) throw ran.error;
  const { hash, steps } = readPlan(out).header;
  const file = named(out, `${hash.slice(0, SHORT_HASH)}.plan`);
  const lines = ran.stdout.trimEnd().split('\n');
  const text = lines.slice(0, -1).join('\n');
  const short = hash.slice(0, SHORT_HASH);
  return {
    hash,
    file,
    isEmpty: steps === 0,
    summary: lines.at(-1) ?? '',
    text,
    shown: { ...shownText(text, file), notes: [...ran.notes] },
    // The whole hash: a later plan with the same beginning replaces the file.
    applyLine: ['apply', ...limits, `--confirm=${hash}`, '--output=ndjson', '--', file],
    personLine: lineFor('apply', file, '--confirm', short, ...limits),
    canUndo: true,
  };
}

/** Plans a wanted state. @throws EduError `usage` for flags that an assistant may not set */
export function planWant(
  session: Session,
  want: Readonly<Record<string, Rows | undefined>>,
  flags: Flags,
  { groups, organization }: Scope,
  signal: AbortSignal,
): Promise<SessionPlan> {
  const other = Object.keys(want).find((name) => groups.length > 0 && !groups.includes(name));
  if (other !== undefined)
    throw usageError(`The tool plan cannot use "${other}" here.`, `Groups: ${groups.join(', ')}.`);
  const words = Object.entries(flags ?? {}).map(([name, value]) => {
    if (PLAN_FLAGS.includes(name)) return `--${name}=${String(value)}`;
    throw usageError(
      `An assistant cannot set ${JSON.stringify(name)} of "edu plan".`,
      `Flags: ${PLAN_FLAGS.join(', ')}`,
    );
  });
  const within = organization === undefined ? [] : [`--organization=${organization}`];
  const limits = words.filter((word) => word.startsWith('--allow-'));
  return forBoth(session, signal, async (making) => {
    const input = temporaryFolder('want');
    try {
      for (const [name, rows] of Object.entries(want))
        if (rows !== undefined) replaceContent(join(input.path, `${name}.json`), jsonOfRows(rows, making));
      return await planWith(['plan', ...words, ...within], input.path, limits, making);
    } finally {
      input.remove();
    }
  });
}

/** Plans the reversal of a plan, which the same session, an earlier one or a person applied. */
export const planUndoOf = (session: Session, hash: string, signal: AbortSignal): Promise<SessionPlan> =>
  forBoth(session, signal, async (making) => {
    const receipt = readReceipt(planFiles(session).receiptOf(hash));
    // A person applied real values, an assistant its pseudonyms.
    const json = JSON.stringify(receipt);
    const shown: Receipt = JSON.parse((making.isReal ? session.restore : session.hide)?.(json) ?? json);
    const own = temporaryFolder('want');
    try {
      const file = join(own.path, 'receipt');
      replaceContent(file, [...linesOf(withDigest(shown))].join(''));
      return await planWith(['undo'], file, [], making);
    } finally {
      own.remove();
    }
  });

/** Plans a write for rows: the command with these rows, of which a dry run shows the requests. */
export function planRows(
  session: Session,
  given: LineInput & { readonly rows: Rows },
  all: readonly Usable[],
  signal: AbortSignal,
): Promise<SessionPlan> {
  const usable = findUsable(all, given.command, 'plan');
  const { newFile, named, lineFor } = planFiles(session);
  return forBoth(session, signal, async (making) => {
    const { arguments: args, flags }: LineInput = JSON.parse(jsonOf({ ...given, rows: [] }, making));
    const lineWith = (file: string, more: readonly string[]) =>
      lineOf(usable, { command: usable.path, arguments: args, flags }, [`--from=${file}`, ...more]);
    const made = newFile('.rows.json');
    // Checks the flags before the rows are written.
    const line = lineWith('', []);
    const rows = jsonOfRows(given.rows, making);
    replaceContent(made, rows);
    async function dryRun(from: string, stop: AbortSignal) {
      const ran = await session.run(lineWith(from, ['--dry-run', '--output=json']), stop, !making.isReal);
      // A plan may have rows that would fail: the others are carried out.
      if (ran.error !== undefined && ran.error.kind !== 'partial') throw ran.error;
      return { ...ran, hash: digestOf({ header: [line, rows, ran.stdout], steps: [] }) };
    }
    const ran = await dryRun(made, signal).catch((error: unknown) => {
      rmSync(made, { force: true });
      throw error;
    });
    const { hash } = ran;
    const file = named(made, `${hash}.rows.json`);
    const { lines, summary } = readDryRun(usable, ran.stdout);
    const text = lines.join('\n');
    return {
      hash,
      file,
      isEmpty: lines.length === 0,
      summary,
      text,
      shown: {
        ...shownText(text, file),
        notes: [
          ...ran.notes,
          ...(ran.error === undefined ? [] : [ran.error.message, ...ran.error.details.map(problemText)]),
        ],
      },
      applyLine: lineWith(file, ['--yes', '--output=ndjson']),
      personLine: lineFor(...lineWith(file, [])),
      canUndo: false,
      hashNow: async (stop) => (await dryRun(file, stop)).hash,
    };
  });
}
