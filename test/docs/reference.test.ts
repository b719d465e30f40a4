/** docs/reference/, docs/schema/ and docs/openapi.json are up to date: generated in memory, they equal the files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openapi } from '../../scripts/docs/openapi.mjs';
import { leaves, referencePages } from '../../scripts/docs/reference.mjs';
import { manual } from '../../src/commands/help/all-pages.js';
import { FORMATS } from '../../src/output/formats.js';

const folder = resolve('docs/reference');
const loaded = await manual();
const pages = referencePages(loaded);

const MEND = 'run `npm run docs`';

describe('docs/reference', () => {
  it('has exactly one page for each command group and topic', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    expect(files.sort(), MEND).toEqual([...pages.keys()].sort());
  });

  it.each([...pages.keys()])('%s matches the commands', (name) => {
    const file = join(folder, name);
    expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined, MEND).toBe(pages.get(name));
  });

  it('names every command, every flag and every example', () => {
    for (const { path, entry, loaded: node } of loaded.nodes) {
      if ('commands' in node) continue;
      const page = pages.get(`${entry.name}.md`) ?? '';
      expect(page).toContain(`edu ${path}`);
      for (const flag of node.flags ?? []) expect(page, path).toContain(`--${flag.name}`);
      for (const line of Object.values(node.examples)) expect(page).toContain(`\n${line}\n`);
    }
  });

  it('links only to existing headings and pages', () => {
    for (const [name, text] of pages) {
      for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
        const [file = '', heading] = target.split('#');
        const aimed = file === '' ? text : file === '../openapi.json' ? '' : pages.get(file);
        expect(aimed, `${name} links to ${target}`).toBeDefined();
        if (heading === undefined) continue;
        const headings = [...(aimed ?? '').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
          title.toLowerCase().replaceAll(' ', '-'),
        );
        expect(headings, `${name} links to ${target}`).toContain(heading);
      }
    }
  });

  it('shows nested fields as in responses', () => {
    const text = { kind: 'text', description: 'a' } as const;
    const inner = { kind: 'object', description: 'b', fields: { id: text } } as const;
    const shape = {
      kind: 'object',
      description: 'c',
      fields: {
        id: text,
        books: { kind: 'list', description: 'd', of: inner },
        owner: inner,
        tags: { kind: 'list', description: 'e', of: text },
      },
    } as const;
    expect(leaves(shape).map(([path]) => path)).toEqual(['id', 'books[].id', 'owner.id', 'tags[]']);
  });
});

it.each(FORMATS)('README and `edu help formatting` have a line about %s', (format) => {
  const topic = loaded.topics.find(({ name }) => name === 'formatting');
  expect(topic?.page, 'src/commands/help/topics.json').toContain(`\n${format}\t`);
  expect(readFileSync('README.md', 'utf8'), 'README.md').toMatch(new RegExp(`^\\|.*\`${format}\`.*\\|`, 'm'));
});

describe('docs/schema', () => {
  it('has the schema of each exported resource, and no other', () => {
    const files = readdirSync('docs/schema').map((name) => [name, readFileSync(join('docs/schema', name), 'utf8')]);
    expect(Object.fromEntries(files), MEND).toEqual(Object.fromEntries(loaded.schemas));
  });
});

describe('docs/openapi.json', () => {
  const written = readFileSync(resolve('docs/openapi.json'), 'utf8');
  const document = JSON.parse(written);

  it('matches the contract', () => {
    expect(written, MEND).toBe(openapi(loaded));
  });

  it('has every endpoint of the contract, each operation once', () => {
    const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap(Object.values);
    const ids = operations.map(({ operationId }) => operationId);
    const endpoints = Object.entries(loaded.contract).flatMap(([group, rows]) =>
      Object.keys(rows).map((name) => `${group}.${name}`),
    );
    expect(ids, MEND).toEqual(expect.arrayContaining(endpoints));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
