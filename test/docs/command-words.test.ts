/**
 * Every command line with `edu` in README and docs, also in sentences and in blocks that are not run, has an existing
 * command, arguments and flags. The scripts of docs/recipes and docs/examples are checked as well.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isGroup } from '../../src/cli/command.js';
import { findCommand, findEntry, firstWord, globalsIn } from '../../src/cli/find-command.js';
import { parse } from '../../src/cli/parser.js';
import { ENTRIES } from '../../src/commands/index.js';
import { EduError } from '../../src/core/errors.js';
import { eduCommands, type WrittenLine, writtenLines } from './written-lines.js';

/** The problem of the words after `edu`, or undefined. */
async function fault({ words, isLoose }: Pick<WrittenLine, 'words' | 'isLoose'>): Promise<string | undefined> {
  // `edu …` is no line in particular. The worked example adds a command that does not exist yet.
  if (words.some((word) => /…/.test(word)) || words.join(' ').startsWith('licenses left')) return undefined;
  const { word, rest } = firstWord(words);
  if (word === undefined || globalsIn(words).version) return undefined;
  const entry = findEntry(ENTRIES, word);
  if (entry === undefined) return `there is no ${word}`;
  const loaded = await entry.load();
  const second = isGroup(loaded) ? firstWord(rest) : { word: '', rest };
  if (isGroup(loaded) && second.word === undefined) return undefined;
  const command = isGroup(loaded) ? findCommand(loaded, second.word ?? '') : loaded;
  if (command === undefined) return `there is no ${word} ${second.word}`;
  if (globalsIn(words).help) return undefined;
  try {
    parse(command, `${word} ${second.word ?? ''}`.trim(), second.rest);
  } catch (error) {
    if (!(error instanceof EduError)) throw error;
    const isAboutValues = !/^(Unknown|Option)|is unexpected/.test(error.message);
    if (!(isLoose && isAboutValues)) return [error.message, ...error.details.map(({ message }) => message)].join(' ');
  }
  return undefined;
}

const pages = ['README.md', 'CHANGELOG.md', 'SECURITY.md']
  .concat(readdirSync(resolve('docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)))
  // docs/errors.md contains invalid lines on purpose; test/docs/errors.test.ts runs them.
  .filter((name) => name.endsWith('.md') && !/^docs.(reference|errors\.md)/.test(name))
  .sort();

describe.each(pages)('%s', (page) => {
  it('contains only command lines that the program understands', async () => {
    const text = readFileSync(resolve(page), 'utf8');
    // An interactive zsh passes a comment behind a command on to it.
    const faults: string[] = text.match(/^(?:npx edu|edu|export) .* #\s.*$/gm) ?? [];
    for (const written of writtenLines(text)) {
      const what = await fault(written);
      if (what !== undefined) faults.push(`${page}:${written.line}: edu ${written.words.join(' ')}: ${what}`);
    }
    expect(faults).toEqual([]);
  });
});

/** Scripts call `edu` through a variable, so that tests can replace it by the built program. */
const scripts = ['recipes', 'examples'].flatMap((folder) =>
  readdirSync(resolve('docs', folder))
    .filter((name) => name.endsWith('.sh'))
    .map((name) => join('docs', folder, name)),
);

it.each(scripts)('%s calls only existing commands', async (script) => {
  const text = readFileSync(resolve(script), 'utf8').replace(/^\s*#.*$/gm, '');
  for (const words of eduCommands(text.replace(/\$(edu|EDU)\b/g, 'edu'))) {
    expect(await fault({ words, isLoose: true }), words.join(' ')).toBeUndefined();
  }
});

describe('finding command lines', () => {
  it('finds more than a hundred', () => {
    const lines = pages.flatMap((page) => writtenLines(readFileSync(resolve(page), 'utf8')));
    expect(lines.filter(({ isLoose }) => !isLoose).length).toBeGreaterThan(120);
    expect(lines.filter(({ isLoose }) => isLoose).length).toBeGreaterThan(60);
  });

  it('reports unknown commands and flags', async () => {
    const of = (line: string) => fault({ words: line.split(' '), isLoose: true });
    expect(await of('licenses list --limt 3')).toContain('Unknown flag --limt');
    expect(await of('lisenses list')).toBe('there is no lisenses');
    expect(await of('licenses lst')).toBe('there is no licenses lst');
    expect(await of('licenses list 1 2')).toContain('is unexpected');
    expect(await fault({ words: ['licenses', 'list', '--limit', 'N'], isLoose: false })).toContain('--limit');
  });
});
