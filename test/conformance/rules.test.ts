/** docs/service-rules.md and the tests name the same rules and titles, with the same rules marked (ours). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const here = import.meta.dirname;
const list = join(here, '..', '..', 'docs', 'service-rules.md');

interface Named {
  readonly id: string;
  readonly title: string;
  readonly ours: boolean;
}

const written = ({ id, title, ours }: Named): string => `${ours ? '(ours) ' : ''}[${id}] ${title}`;

/** The tagged titles in a test file: a quote, the tag, the title. */
function titlesIn(source: string): Named[] {
  const found = source.matchAll(/(\bours)?\(\s*(['"])\[([a-z0-9-]+)\] ((?:\\.|(?!\2).)+)\2/g);
  return [...found].map(([, ours, , id = '', title = '']) => ({
    id,
    title: title.replace(/\\(.)/g, '$1'),
    ours: ours !== undefined,
  }));
}

/** The rows `| id | rule | from | test |` of the list. */
function rowsIn(text: string): (Named & { readonly rule: string; readonly from: string })[] {
  const cell = /(?<!\\)\|/;
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(cell).map((part) => part.trim().replaceAll('\\|', '|')))
    .map(([, id = '', rule = '', from = '', title = '']) => ({
      id: id.replaceAll('`', ''),
      rule,
      from,
      title,
      ours: rule.endsWith('(ours)'),
    }));
}

const tests = readdirSync(here)
  .filter((name) => name.endsWith('.test.ts') && name !== 'rules.test.ts')
  .flatMap((name) => titlesIn(readFileSync(join(here, name), 'utf8')));
const rows = rowsIn(readFileSync(list, 'utf8'));

it('reads tags and rows', () => {
  expect(titlesIn(`it('[a-b] does x', f); ours(\n'[c] isn\\'t', f); it("plain", f)`)).toEqual([
    { id: 'a-b', title: 'does x', ours: false },
    { id: 'c', title: "isn't", ours: true },
  ]);
  expect(rowsIn('| `a` | Rule. (ours) | Books | does x |\n| id | rule | from | test |')).toEqual([
    { id: 'a', rule: 'Rule. (ours)', from: 'Books', title: 'does x', ours: true },
  ]);
  expect(tests.length).toBeGreaterThan(100);
});

it('has a test for every rule, and a rule for every tagged test', () => {
  const unique = (named: readonly Named[]) => [...new Set(named.map(written))].sort();
  expect(unique(tests)).toEqual(unique(rows));
});

it('states each rule once, with its section of the API document', () => {
  const ids = rows.map((row) => row.id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  for (const row of rows) {
    expect(row.rule.length, row.id).toBeGreaterThan(15);
    expect(row.from, row.id).not.toBe('');
  }
});
