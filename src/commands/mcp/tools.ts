/** The tools of the server, which load what they use when they are called: assistants start the server often. */
import * as z from 'zod/v4';
import type { Answers } from './answers.js';
import { LINE, registerPlanTools } from './plan-tools.js';
import { createResultPages } from './result-pages.js';
import type { Session } from './session.js';
import texts from './texts.json' with { type: 'json' };
import type { Allowed } from './usable-commands.js';

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
