import { beforeAll, describe, expect, it } from 'vitest';
import { isGroup } from '../../../src/cli/command.js';
import { commandPage, wrap } from '../../../src/cli/help.js';
import { helpPages } from '../../../src/commands/help/all-pages.js';
import { everyNode, type Node } from '../../../src/commands/index.js';

const nodes: Node[] = [];
beforeAll(async () => {
  for await (const node of everyNode()) nodes.push(node);
});

describe('help pages', () => {
  it('fit 80 columns, examples included', async () => {
    for (const [name, text] of await helpPages()) {
      const tooLong = text.split('\n').filter((line) => line.length > 80);
      expect(tooLong, name).toEqual([]);
    }
  });
  it('give every command a sentence, two or more examples of its own, and the exit codes by reference', () => {
    for (const { path, loaded } of nodes) {
      if (isGroup(loaded)) continue;
      expect(loaded.summary, path).toMatch(/^[A-Z].*\.$/);
      expect(loaded.examples.length, path).toBeGreaterThanOrEqual(2);
      for (const { line } of loaded.examples) expect(line, path).toMatch(new RegExp(`\\bedu ${path}\\b`));
      expect(commandPage(loaded, path)).toContain('edu help exit-codes');
    }
  });
  it('put required flags first', () => {
    const create = nodes.find(({ path }) => path === 'schools create')?.loaded;
    if (create === undefined || isGroup(create)) throw new Error('no command');
    const page = commandPage(create, 'schools create');
    expect(page.indexOf('Required')).toBeGreaterThan(0);
    expect(page.indexOf('--country CC')).toBeLessThan(page.indexOf('--dry-run'));
  });
});

describe('wrapping', () => {
  it('breaks between words and keeps paragraphs', () => {
    expect(wrap('one two three\nfour', 8)).toEqual(['one two', 'three', 'four']);
  });
});
