/** The tools of the server. */
import * as z from 'zod/v4';
import { EduError } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import type { Answers } from './answers.js';
import { createResultPages } from './result-pages.js';
import { explainError, searchCommands } from './search-commands.js';
import type { Ran, Session } from './session.js';
import { findUsable, lineOf, type Usable } from './usable-commands.js';

/** The error of a command line that failed. */
export function failureOf({ code, stderr, error }: Ran): EduError {
  const { kind, message, hint, details } = error ?? {};
  if (error === undefined) return new EduError('internal', `The command ended with exit code ${code}: ${stderr}`);
  return new EduError(kind as EduError['kind'], String(message), {
    hint: typeof hint === 'string' ? hint : undefined,
    details: Array.isArray(details) ? details.filter(isObject).map((one) => ({ message: '', ...one })) : undefined,
  });
}

/** Warnings and notes of a command. */
export const notesOf = ({ stderr, error }: Ran) => {
  const lines = stderr.split('\n').filter(Boolean);
  return { notes: error === undefined ? lines : lines.slice(0, -1) };
};

export const LINE = {
  command: z.string().max(100).describe('words of the command, such as "licenses list"'),
  arguments: z.array(z.string()).max(1000).optional().describe('arguments in order, such as ["code:welcome1"]'),
  flags: z
    .record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()])).max(1000)]),
    )
    .optional()
    .describe('flags by name without dashes, such as {"expires-before": "+60d", "limit": 50}'),
};

const SEARCH = z.object({ words: z.string().max(500).describe('what to do, such as "licences that end soon"') });
const READ = z.object({ ...LINE, command: LINE.command.optional(), cursor: z.string().max(40).optional() });
const EXPLAIN = z.object({ kind: z.string().max(40).optional(), exit_code: z.int().optional() });

export function registerTools(
  answers: Answers,
  session: Session,
  usable: () => Promise<readonly Usable[]>,
  _mayApply: boolean,
): void {
  const pages = createResultPages();
  answers.register({ name: 'search_commands', input: SEARCH, isReading: true }, async ({ words }) => ({
    facts: searchCommands(await usable(), words),
  }));

  answers.register(
    { name: 'read', input: READ, isReading: true },
    async ({ cursor, command = '', ...given }, request) => {
      if (cursor !== undefined) return { facts: {}, page: pages.next(cursor) };
      const line = lineOf(findUsable(await usable(), command, 'read'), { ...given, command }, ['--output=ndjson']);
      const ran = await session.run(line, request.mcpReq.signal);
      if (ran.code !== 0) throw failureOf(ran);
      return { facts: notesOf(ran), page: pages.first(ran.stdout) };
    },
  );

  answers.register({ name: 'explain_error', input: EXPLAIN, isReading: true }, async (given) => ({
    facts: explainError(given),
  }));
}
