/** The form of headers, errors and hints, and odd words that none of them may contain (docs/glossary.md). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Command, isGroup } from '../../src/cli/command.js';
import { GLOBAL_FLAGS } from '../../src/cli/global-flags.js';
import { everyNode } from '../../src/commands/index.js';
import { commandsIn } from '../support/commands-in.js';

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join('src', name), 'utf8') }));

/** The texts of a source without its comments; placeholders are replaced by `X`. */
const textsOf = (source: string): readonly string[] =>
  [
    ...source
      .replace(/^\s*(\/\*\*|\*|\/\/).*$/gm, '')
      .matchAll(/'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`((?:[^`\\]|\\.)+)`/g),
  ].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '')
      .replace(/\$\{[^{}]*\}/g, 'X')
      .replaceAll('\\`', '`')
      .replaceAll("\\'", "'"),
  );

/** Messages, hints and help: words with spaces between them. */
const PROSE = SOURCES.flatMap(({ name, text }) =>
  textsOf(text)
    .filter((one) => /[a-z] [a-z]/i.test(one))
    .map((one) => ({ name, text: one })),
);

const ODD_WORDS =
  /\b(found out|be mended|[Mm]end (it|that|the)|came of (it|each|the|their)|whoever|nobody's business|so many (milli|times)|can\snot|what parts|ride out|afresh,|who to be|Say --|is not taken|as it was said|stands? in it|do it for|means nothing|things are wrong|parted by|would be another one|take back|gives up|Wanted is|may go on|answered with|afresh)\b/;

const commands = new Map<string, Command>();
for await (const { path, loaded } of everyNode()) if (!isGroup(loaded)) commands.set(path, loaded);
const groups = new Set([...commands.keys()].map((path) => path.split(' ')[0]));

/** The problem of a command in a hint. */
function problemOf(written: string): string | undefined {
  const line = written.replace(/['",.]+$/, '');
  const words = line
    .replace(/ [|>&<;].*$/, '')
    .split(' ')
    .slice(1);
  if (['--help', 'RESOURCE'].includes(words[0] ?? '')) return undefined;
  const named = words.filter((word) => !word.startsWith('-'));
  if (words.some((word) => word === 'X' || word === 'COMMAND') && !commands.has(named.slice(0, 2).join(' '))) {
    return named[0] === 'X' || groups.has(named[0] ?? '') ? undefined : 'no such group';
  }
  const path = commands.has(named.slice(0, 2).join(' ')) ? named.slice(0, 2).join(' ') : (named[0] ?? '');
  const command = commands.get(path);
  const flags = words.flatMap((word) => /^--([a-z-]+)/.exec(word)?.[1] ?? []);
  if (command === undefined) return groups.has(named[0] ?? '') && named.length === 1 ? undefined : 'no such command';
  const known = [...(command.flags ?? []), ...GLOBAL_FLAGS].flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const unknown = flags.filter((flag) => !known.includes(flag));
  return unknown.length === 0 ? undefined : `no flag --${unknown[0]}`;
}

it('every source begins with a header', () => {
  const without = SOURCES.filter(({ text }) => !/^\/\*\*\s+(?:\* )?[`A-Z\d][^\n]{8}/.test(text));
  expect(without.map(({ name }) => name)).toEqual([]);
});

it('headers say what a source does, as a sentence or a noun phrase', () => {
  const odd =
    /^\/\*\*\s+(\* )?((What|Which|Whether|Whose|Whoever|Where|How|When)\b|[^/]*?\b(Knows|It knows|[Ss]ends nothing|knows nothing)\b)/;
  expect(SOURCES.filter(({ text }) => odd.test(text)).map(({ name }) => name)).toEqual([]);
  expect(odd.test('/** What came of a job. */')).toBe(true);
});

describe('texts of the program', () => {
  it('contain no odd words', () => {
    expect(PROSE.filter(({ text }) => ODD_WORDS.test(text))).toEqual([]);
    expect(ODD_WORDS.test('write what came of each row')).toBe(true);
  });

  it('begin errors about an attempt with "Cannot"', () => {
    const wrong = PROSE.filter(({ text }) => /^(Can't|Could not|Unable to|Failed to) /.test(text));
    expect(wrong).toEqual([]);
  });

  it('name only existing commands and flags of edu', () => {
    const wrong = PROSE.flatMap(({ name, text }) =>
      commandsIn(text).flatMap((line) => {
        const problem = problemOf(line);
        return problem === undefined ? [] : [`${name}: ${line}: ${problem}`];
      }),
    );
    expect(wrong).toEqual([]);
    expect(problemOf('edu licences list')).toBe('no such command');
    expect(problemOf('edu licenses list --nothing')).toBe('no flag --nothing');
    expect(problemOf('edu jobs resume X --results FILE')).toBeUndefined();
  });
});
