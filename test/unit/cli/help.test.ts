import { beforeAll, describe, expect, it } from 'vitest';
import { isGroup } from '../../../src/cli/command.js';
import type { Node } from '../../../src/cli/find-command.js';
import { commandPage } from '../../../src/cli/help.js';
import { layOutHelp } from '../../../src/cli/help-layout.js';
import { helpPages } from '../../../src/commands/help/all-pages.js';
import { everyNode } from '../../../src/commands/index.js';

const nodes: Node[] = [];
beforeAll(async () => {
  for await (const node of everyNode()) nodes.push(node);
});

describe('help pages', () => {
  it.each([60, 80, 120])('fit %i columns, examples included', async (columns) => {
    for (const [name, page] of await helpPages()) {
      const tooLong = layOutHelp(page, { columns })
        .split('\n')
        .filter((line) => line.length > columns);
      expect(tooLong, name).toEqual([]);
    }
  });
  it('have the standard width on a terminal that does not report its size', () => {
    expect(layOutHelp('word '.repeat(30), { columns: 0 })).toBe(layOutHelp('word '.repeat(30), { columns: 80 }));
  });
  it.each([60, 80, 120])('do not break commands in backticks at %i columns', async (columns) => {
    for (const [name, page] of await helpPages()) {
      const laidOut = layOutHelp(page, { columns });
      for (const [command] of page.matchAll(/`edu [^`]+`/g)) expect(laidOut, name).toContain(command);
    }
  });
  it.each([60, 80, 120])('print examples that a shell reads as they were written, at %i columns', async (columns) => {
    for (const { path, loaded } of nodes) {
      if (isGroup(loaded)) continue;
      const laidOut = layOutHelp(commandPage(loaded, path), { columns }).replace(/ \\\n +/g, ' ');
      for (const line of Object.values(loaded.examples)) {
        expect(laidOut, path).toContain(`  $ ${line}\n`);
        // A backtick in double quotes runs a command.
        expect(line, path).not.toMatch(/"[^"]*(?<!\\)`[^"]*"/);
      }
    }
  });
  it('have the width of the terminal between 40 and 120 columns, and 80 without one', async () => {
    const page = (await helpPages()).get('edu') ?? '';
    const widest = (columns?: number): number =>
      Math.max(
        ...layOutHelp(page, { columns })
          .split('\n')
          .map((line) => line.length),
      );
    expect(layOutHelp(page)).toBe(layOutHelp(page, { columns: 80 }));
    expect(widest(40)).toBeLessThanOrEqual(40);
    expect(widest(20)).toBe(widest(40));
    expect(widest(500)).toBe(widest(120));
    expect(widest(120)).toBeGreaterThan(widest(80));
  });
  it.each([80, 120])('have at most 60 lines on the main page at %i columns', async (columns) => {
    const page = layOutHelp((await helpPages()).get('edu') ?? '', { columns }).trimEnd();
    expect(page.split('\n').length).toBeLessThanOrEqual(60);
  });
  it('have bold headings with colours, and no other codes', () => {
    expect(layOutHelp('# Flags\n--a\tb', { bold: true })).toBe('\x1b[1mFlags\x1b[22m\n  --a  b');
    expect(layOutHelp('# Flags\n--a\tb')).toBe('Flags\n  --a  b');
  });
  it('have a sentence, an example and a reference to exit codes for every command', () => {
    for (const { path, loaded } of nodes) {
      if (isGroup(loaded)) continue;
      expect(loaded.summary, path).toMatch(/^[A-Z].*\.$/);
      const own = Object.values(loaded.examples).filter((line) => new RegExp(`\\bedu ${path}\\b`).test(line));
      expect(own.length, path).toBeGreaterThanOrEqual(1);
      expect(commandPage(loaded, path)).toContain('edu help exit-codes');
    }
  });
  it('name every flag that is neither global nor one of bulk jobs', () => {
    for (const { path, loaded } of nodes) {
      if (isGroup(loaded)) continue;
      const page = commandPage(loaded, path);
      for (const { name, group } of loaded.flags ?? [])
        if (group === undefined) expect(page, path).toContain(`--${name}`);
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
