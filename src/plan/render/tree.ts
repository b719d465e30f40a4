/** A plan as a tree for a terminal: organizations with their steps. */
import type { Paint, Style } from '../../output/color.js';
import { forPeople } from '../../output/sanitize.js';
import type { Plan } from '../plan-file.js';
import { type Line, type Sign, sectionsOf } from './describe.js';
import { summaryText } from './summary.js';

const STYLES: Readonly<Record<Sign, Style>> = { '+': 'green', '~': 'yellow', '-': 'red', '!': 'yellow' };

/** Minimum width of the column of kinds. */
const MIN_KIND = 8;

const widest = (texts: readonly string[]): number => texts.reduce((max, { length }) => Math.max(max, length), 0);

/** Aligns keys and details of lines of one kind. */
function columns(lines: readonly Line[]): (line: Line) => string {
  const changes = lines.filter(({ sign, detail, note }) => sign !== '!' && detail + note !== '');
  const kinds = new Map<string, { readonly key: number; readonly detail: number }>();
  for (const { kind } of changes) {
    if (kinds.has(kind)) continue;
    const same = changes.filter((line) => line.kind === kind);
    kinds.set(kind, {
      key: widest(same.map(({ key }) => key)) + 3,
      detail: widest(same.map(({ detail }) => detail)) + 4,
    });
  }
  return ({ sign, kind, key, detail, note }) => {
    if (detail + note === '') return key;
    const width = kinds.get(kind);
    if (sign === '!' || width === undefined) return `${key}  ${detail}`;
    return `${key.padEnd(width.key)}${note === '' ? detail : `${detail.padEnd(width.detail)}${note}`}`;
  };
}

const plain = ({ key, detail, ...line }: Line): Line => ({ ...line, key: forPeople(key), detail: forPeople(detail) });

/** The lines of a tree, each with its line break. */
export function* treeOf(plan: Plan, paint: Paint): Generator<string> {
  for (const { title, lines } of sectionsOf(plan.steps, plan.conflicts)) {
    yield `${paint('bold', forPeople(title))}\n`;
    const shown = lines.map(plain);
    const width = Math.max(MIN_KIND, widest(shown.map(({ kind }) => kind)) + 2);
    const textOf = columns(shown);
    for (const line of shown)
      yield `  ${paint(STYLES[line.sign], line.sign)} ${line.kind.padEnd(width)}${textOf(line)}\n`;
  }
  // Sanitized for the terminal, because a summary contains names of classes.
  yield `${forPeople(summaryText(plan))}\n`;
}
