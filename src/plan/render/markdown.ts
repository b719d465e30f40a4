/** A plan as Markdown, for the comment of a pull request. */
import { excerpt } from '../../output/sanitize.js';
import type { Plan } from '../plan-file.js';
import { type Line, sectionsOf } from './describe.js';
import { summaryText } from './summary.js';

/** Max UTF-16 units of a cell. */
const MAX_LENGTH = 160;

const WORDS = { '+': 'add', '~': 'change', '-': 'remove', '!': 'conflict' } as const;

const cell = (text: string): string => excerpt(text, MAX_LENGTH).replace(/[\\|`*_<>[\]@#]/g, (sign) => `\\${sign}`);

const rowOf = ({ sign, kind, key, detail, note }: Line): string =>
  `| ${WORDS[sign]} | ${kind} | ${cell(key)} | ${[cell(detail), note].filter(Boolean).join('; ')} |\n`;

/** A heading with a table for each organization, then the summary. */
export function* markdownOf(plan: Plan): Generator<string> {
  for (const { title, lines } of sectionsOf(plan.steps, plan.conflicts)) {
    yield `### ${cell(title)}\n\n| | What | Name | Details |\n|---|---|---|---|\n`;
    for (const line of lines) yield rowOf(line);
    yield '\n';
  }
  yield `${cell(summaryText(plan))}\n`;
}
