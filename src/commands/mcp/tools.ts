/** The tools of the server, which load what they use when they are called: assistants start the server often. */
import { inputRequired, inputResponse } from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import { usageError } from '../../core/errors.js';
import { escapedExcerpt } from '../../output/sanitize.js';
import { SHORT_HASH } from '../../plan/steps.js';
import { type Answers, factsOf } from './answers.js';
import type { SessionPlan } from './make-plans.js';
import { createResultPages, type ResultPages } from './result-pages.js';
import type { Session } from './session.js';
import texts from './texts.json' with { type: 'json' };
import type { Allowed } from './usable-commands.js';

/** The number of characters that a person types, as for `edu apply` on a terminal. */
const TYPED_LENGTH = 4;
const MAX_SHOWN_LINES = 40;
const MAX_LINE_LENGTH = 400;

const TEXT = z.string().max(20_000);
const VALUE = z.union([TEXT, z.number()]);

/** Input of tools for a command line. */
const LINE = {
  command: z.string().max(100).describe('words of the command, such as "licenses list"'),
  arguments: z.array(TEXT).max(1000).optional().describe('arguments in order, such as ["code:welcome1"]'),
  flags: z
    .record(z.string(), z.union([VALUE, z.boolean(), z.array(VALUE).min(1).max(1000)]))
    .optional()
    .describe('flags by name without dashes, such as {"expires-before": "+60d", "limit": 50}'),
};

const ROWS = z.array(z.record(z.string(), z.unknown())).min(1).max(10_000);
const RESOURCES = ['users', 'classes', 'licenses', 'schools', 'publishers', 'books', 'readers'];

const PLAN = z.object({
  want: z
    .strictObject(Object.fromEntries(RESOURCES.map((name) => [name, ROWS.optional()])))
    .optional()
    .describe('wanted state: rows by resource, such as {"users": [{"email": …}]}'),
  ...LINE,
  command: LINE.command.optional(),
  rows: ROWS.optional().describe('rows of the command, one change each, such as [{"email": …}]'),
  undo: z.string().max(64).optional().describe('hash of an applied plan to undo'),
});

const APPLY = z.object({ hash: z.string().max(64).describe('hash that plan returned') });

/** The question to the person: what the plan does, and the start of its hash to type. */
function questionOf({ hash, summary, text, file }: SessionPlan) {
  const short = hash.slice(0, SHORT_HASH);
  // Rows come from the assistant: nothing in them may hide or turn around what the person reads.
  const lines = text.split('\n').map((line) => escapedExcerpt(line, MAX_LINE_LENGTH));
  const more = lines.length > MAX_SHOWN_LINES ? [`… ${lines.length - MAX_SHOWN_LINES} more lines. All: ${file}`] : [];
  const message = [`Apply plan ${short}? ${summary}`, ...lines.slice(0, MAX_SHOWN_LINES), ...more].join('\n');
  const description = `Type the first ${TYPED_LENGTH} characters of ${short} to apply the plan.`;
  const requestedSchema = {
    type: 'object' as const,
    properties: { hash: { type: 'string' as const, title: 'Confirmation', minLength: TYPED_LENGTH, description } },
    required: ['hash'],
  };
  return inputRequired.elicit({ message, requestedSchema });
}

const shortHash = (given: string): string => given.trim().toLowerCase().slice(0, SHORT_HASH);

const isTyped = ({ hash }: SessionPlan, typed: unknown): boolean =>
  typeof typed === 'string' && typed.trim().length >= TYPED_LENGTH && hash.startsWith(typed.trim().toLowerCase());

/** The tools `plan` and `apply`: plans made since the start, and their confirmation by a person. */
function registerPlanTools(
  answers: Answers,
  session: Session,
  pages: ResultPages,
  { usable, scope, mayApply }: Allowed,
): void {
  const plans = new Map<string, SessionPlan>();
  /** The hashes of plans by the keys of open questions, which cannot be guessed and are used once. */
  const questions = new Map<string, string>();

  answers.register({ name: 'plan', input: PLAN, isReading: true }, async (given, request) => {
    const { signal } = request.mcpReq;
    const { want, command, rows, undo } = given;
    if ([want, command, undo].filter((one) => one !== undefined).length !== 1)
      throw usageError('Pass exactly one of want, command and undo.');
    const stray = [rows, given.arguments, undo === undefined ? [] : Object.keys(given.flags ?? {})];
    // Some clients fill in every argument.
    if (command === undefined && stray.some((one) => one !== undefined && one.length > 0))
      throw usageError('Pass rows and arguments with a command, and flags with a command or want.');
    const isLimited = scope.organization !== undefined || scope.groups.length > 0;
    if (undo !== undefined && isLimited && !plans.has(shortHash(undo)))
      throw usageError('Only plans that were made since the start can be undone here.');
    const { planRows, planUndoOf, planWant } = await import('./make-plans.js');
    const plan =
      command !== undefined
        ? await planRows(session, { ...given, command, rows: rows ?? [{}] }, await usable(), signal)
        : undo === undefined
          ? await planWant(session, want ?? {}, given.flags, scope, signal)
          : await planUndoOf(session, undo, signal);
    if (plan.isEmpty) return { facts: { ...plan.shown, summary: plan.summary } };
    const hash = plan.hash.slice(0, SHORT_HASH);
    plans.set(hash, plan);
    const next = mayApply ? { next: `call apply with hash ${hash}, which asks the person` } : {};
    return { facts: { hash, summary: plan.summary, ...plan.shown, person_runs: plan.personLine, ...next } };
  });

  if (!mayApply) return;

  answers.register({ name: 'apply', input: APPLY, isReading: false }, async ({ hash }, request) => {
    const plan = plans.get(shortHash(hash));
    if (plan === undefined) throw usageError(`There is no plan ${JSON.stringify(hash)}.`, 'Call plan first.');
    const refused = (why: string) => ({
      facts: { applied: false, why, person_runs: plan.personLine },
      outcome: 'not confirmed',
    });
    if (!answers.canAsk(request)) return refused('This assistant cannot ask a person, who can run the line instead.');
    const { inputResponses } = request.mcpReq;
    const asked = Object.keys(inputResponses ?? {}).find((key) => questions.get(key) === plan.hash) ?? '';
    if (!questions.delete(asked)) {
      const key = `confirm-${session.context.machine.unique()}`;
      questions.set(key, plan.hash);
      return inputRequired({ inputRequests: { [key]: questionOf(plan) } });
    }
    const answer = inputResponse(inputResponses, asked);
    if (answer.kind !== 'elicit' || answer.action !== 'accept' || !isTyped(plan, answer.content?.hash))
      return refused('The person did not confirm the plan. Nothing was sent.');
    const { signal } = request.mcpReq;
    // A name may mean another item by now, and an update starts from what the item is.
    if (plan.hashNow !== undefined && (await plan.hashNow(signal)) !== plan.hash)
      return refused('The plan would send other requests now. Nothing was sent. Call plan again.');
    const ran = await session.run(plan.applyLine, signal);
    const { error, notes, stdout } = ran;
    return {
      facts: {
        applied: error === undefined,
        ...(error === undefined ? {} : { error: factsOf(error) }),
        notes,
        ...(plan.canUndo ? { undo: plan.hash.slice(0, SHORT_HASH) } : {}),
      },
      page: pages.first(stdout),
      ...(error === undefined ? {} : { outcome: error.kind }),
    };
  });
}

const SEARCH = z.object({ words: z.string().max(500).describe('what to do, such as "licences that end soon"') });
const READ = z.object({ ...LINE, command: LINE.command.optional(), cursor: z.string().max(40).optional() });
const EXPLAIN = z.object({ kind: z.string().max(40).optional(), exit_code: z.int().optional() });

export function registerTools(answers: Answers, session: Session, allowed: Allowed): void {
  const { usable } = allowed;
  const pages = createResultPages();
  answers.register({ name: 'search_commands', input: SEARCH, isReading: true }, async ({ words }) => ({
    facts: (await import('./search-commands.js')).searchCommands(await usable(), words),
  }));

  answers.register(
    { name: 'read', input: READ, isReading: true },
    async ({ cursor, command = '', ...given }, request) => {
      if (cursor !== undefined) return { facts: {}, page: pages.next(cursor) };
      const { findUsable, lineOf } = await import('./usable-commands.js');
      const line = lineOf(findUsable(await usable(), command, 'read'), { ...given, command }, ['--output=ndjson']);
      const ran = await session.run(line, request.mcpReq.signal);
      if (ran.error !== undefined) throw ran.error;
      const notes = session.restore === undefined ? ran.notes : [...ran.notes, texts.pseudonyms];
      return { facts: { notes }, page: pages.first(ran.stdout) };
    },
  );

  answers.register({ name: 'explain_error', input: EXPLAIN, isReading: true }, async (given) => ({
    facts: (await import('./search-commands.js')).explainError(given),
  }));
  registerPlanTools(answers, session, pages, allowed);
}
