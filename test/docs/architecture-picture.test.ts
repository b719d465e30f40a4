/** docs/architecture.md names the files that there are, and its picture shows the imports between them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ARCHITECTURE_PICTURE, architecture } from '../../.build/architecture.mjs';

const page = readFileSync(resolve('docs/architecture.md'), 'utf8');

describe('the page', () => {
  it('has every file and folder of src in its tree, and nothing else', () => {
    const [, tree = ''] = /^src\/\n(.*?)^test\//ms.exec(page) ?? [];
    // A name is at the start of a line, or follows another name.
    const named = tree
      .split('\n')
      .flatMap((line) => /^ {2}((?:[\w-]+(?:\.ts|\/) ?)+)/.exec(line)?.[1]?.trim().split(' ') ?? []);
    const there = readdirSync(resolve('src'), { withFileTypes: true }).map(
      (one) => one.name + (one.isDirectory() ? '/' : ''),
    );
    expect(named.sort()).toEqual(there.sort());
  });

  it('speaks only of files that there are', () => {
    let folder = '';
    const lost: string[] = [];
    for (const [, name = ''] of page.matchAll(/`([\w./-]+\.ts)`/g)) {
      // `bulk/prepare.ts`, and behind it in the same row `draft.ts`.
      if (name.includes('/')) folder = name.slice(0, name.lastIndexOf('/'));
      const places = [name, `src/${name}`, `src/${folder}/${name}`];
      if (!places.some((place) => existsSync(resolve(place)))) lost.push(name);
    }
    expect(lost).toEqual([]);
  });
});

it('is what the sources say', () => {
  expect(readFileSync(ARCHITECTURE_PICTURE, 'utf8'), 'run `node .build/architecture.mjs`').toBe(architecture());
});

it('shows the ways that matter, and none that follows from others', () => {
  const [, ways = ''] = /their imports: ([^"]*)"/.exec(architecture()) ?? [];
  const shown = ways.split(', ');
  expect(shown).toEqual(expect.arrayContaining(['client imports contract', 'service imports contract']));
  expect(shown).toContain('transport imports client');
  // transport → client → contract
  expect(shown).not.toContain('transport imports contract');
  expect(ways).not.toMatch(/service imports client|client imports service|contract imports/);
});
