/** Fuzzing of what users type: command lines, flags, queries, text before Tab, fields. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect } from 'vitest';
import type { Command } from '../../src/cli/command.js';
import { isGroup } from '../../src/cli/command.js';
import { complete } from '../../src/cli/completion/candidates.js';
import { commandLine } from '../../src/cli/format-line.js';
import { GLOBAL_FLAGS } from '../../src/cli/global-flags.js';
import { parse } from '../../src/cli/parser.js';
import { readArgument, readFlag } from '../../src/cli/read-value.js';
import { ENTRIES, everyNode } from '../../src/commands/index.js';
import { contract } from '../../src/contract/index.js';
import type { Endpoint, Field } from '../../src/contract/vocabulary.js';
import { EduError } from '../../src/core/errors.js';
import { picker, valueAt } from '../../src/output/select/fields.js';
import { collect, onePage } from '../../src/output/select/item-pages.js';
import { compileQuery } from '../../src/output/select/query.js';
import { readSort } from '../../src/output/select/sort.js';
import { sortedPages } from '../../src/output/select/sort-list.js';
import { csv } from '../../src/output/writers/csv.js';
import { json, ndjson } from '../../src/output/writers/json-writer.js';
import { tsv } from '../../src/output/writers/tsv.js';
import { run } from '../support/run.js';
import { fuzz, tryTo } from './fuzz.js';
import { deep, jsonText, jsonValue, key, PROTOTYPE_NAMES, text } from './hostile.js';

const isUsage = (error: Error): boolean => error instanceof EduError && error.kind === 'usage';

const NODES: { readonly path: string; readonly command: Command }[] = [];
for await (const { path, loaded } of everyNode()) if (!isGroup(loaded)) NODES.push({ path, command: loaded });
const nodes = fc.constantFrom(...NODES);

const FOLDER = mkdtempSync(join(tmpdir(), 'edu-fuzz-words-'));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));
const env = { EDU_CONFIG_DIR: join(FOLDER, 'config'), EDU_STATE_DIR: join(FOLDER, 'state') };

/** The words of a line as a POSIX shell splits them; only for the output of `commandLine`. */
function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? '';
    if (sign === ' ') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (sign === "'") {
      const end = line.indexOf("'", at + 1);
      word = (word ?? '') + line.slice(at + 1, end);
      at = end;
    } else if (sign === '\\') word = (word ?? '') + line[++at];
    else word = (word ?? '') + sign;
  }
  return word === undefined ? words : [...words, word];
}

describe('command lines', () => {
  const flagNames = ({ flags = [] }: Command): string[] =>
    [...flags, ...GLOBAL_FLAGS].flatMap(({ name }) => [`--${name}`, `--no-${name}`]);
  const lines = nodes.chain((node) =>
    fc.record({
      node: fc.constant(node),
      words: fc.array(
        fc.oneof(
          fc.constantFrom(...flagNames(node.command), '--', '-', '--=', '-o', '-fx', '--json'),
          fc.tuple(fc.constantFrom(...flagNames(node.command)), text(15)).map(([name, value]) => `${name}=${value}`),
          key.map((name) => `--${name}`),
          text(20),
          fc.nat().map(String),
          fc.constantFrom('true', 'false', 'json', 'EN', '30s', '2026-01-31'),
        ),
        { maxLength: 7 },
      ),
    }),
  );

  fuzz('of any words are values, or one usage error', lines, async ({ node, words }) => {
    const tried = await tryTo(() => parse(node.command, node.path, words), isUsage);
    if ('error' in tried) return;
    const known = [...(node.command.flags ?? []), ...GLOBAL_FLAGS].map(({ name }) => name);
    const names = [
      ...known,
      ...known.map((name) => `no-${name}`),
      ...(node.command.arguments ?? []).map(({ name }) => name),
    ];
    for (const name of Object.keys(tried.value.values)) expect(names).toContain(name);
  });

  fuzz('that are printed mean the same when they are typed', lines, async ({ node, words }) => {
    const tried = await tryTo(() => parse(node.command, node.path, words), isUsage);
    if ('error' in tried) return;
    const { values, globals } = tried.value;
    const line = commandLine(node.command, node.path, values, globals);
    const again = parse(node.command, node.path, shellWords(line).slice(1 + node.path.split(' ').length));
    const shown = (all: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(Object.entries(all).filter(([name, value]) => !name.startsWith('no-') && value !== false));
    expect(shown(again.values)).toEqual(shown(values));
    expect(shown(again.globals)).toEqual(shown(globals));
  });

  fuzz(
    'values of flags and arguments are read, or refused with a reason',
    fc.record({ node: nodes, given: fc.oneof(text(40), fc.nat().map(String)) }),
    ({ node, given }) => {
      for (const flag of node.command.flags ?? []) {
        const read = flag.kind === 'switch' ? readFlag(flag, true) : readFlag(flag, [given]);
        if ('problem' in read)
          expect(read.problem.message).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
      }
      for (const argument of node.command.arguments ?? []) readArgument(argument, argument.many ? [given] : given);
    },
  );

  fuzz(
    'of any words end with an exit code, never with an internal error',
    fc.record({
      node: nodes,
      words: fc.array(fc.oneof(text(15), key, fc.constantFrom('--json', '--help', '-h', '--dry-run', '--from', '-f')), {
        maxLength: 4,
      }),
    }),
    async ({ node, words }) => {
      fc.pre(!/^(auth|login|offline serve|doctor|export)/.test(node.path));
      const path = node.path.split(' ');
      const { code, stderr } = await run(
        [
          ...path,
          ...words,
          '--dry-run',
          '--no-input',
          '--base-url',
          'http://127.0.0.1:9',
          '--retries',
          '0',
          '--timeout',
          '1s',
          '-o',
          'json',
        ],
        { env: { ...env, EDU_TOKEN: 'x' } },
      );
      expect(stderr).not.toContain('"kind":"internal"');
      expect(code).toBeLessThanOrEqual(7);
    },
    { share: 0.5 },
  );
});

describe('Tab', () => {
  const sources = {
    references: async () => [{ id: '__proto__', label: '\x1b[31m', names: ['$(x)', ''] }],
    profiles: async () => ['default'],
    topics: async () => ['bulk'],
    settings: async () => [],
  };
  const words = fc.array(
    fc.oneof(
      fc.constantFrom(
        ...NODES.flatMap(({ path }) => path.split(' ')),
        '--fields',
        '--sort',
        '--profile',
        '--book',
        '--type=',
      ),
      key.map((name) => `--${name}=`),
      text(15),
    ),
    { maxLength: 5 },
  );

  fuzz('completes any line without an error', words, async (line) => {
    const { candidates } = await complete(line, ENTRIES, sources);
    for (const { value } of candidates) expect(typeof value).toBe('string');
  });

  fuzz(
    'prints no control characters, and exits 0',
    words,
    async (line) => {
      const { code, stdout, stderr } = await run(['__complete', '--offline', ...line], { env });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^(words|files)/);
      for (const row of stdout.split('\n').slice(1)) expect(row.split('\t')[0]).toMatch(/^\P{C}*$/u);
      expect(stdout).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    },
    { share: 0.3 },
  );
});

describe('selections', () => {
  const word = fc.oneof(
    fc.constantFrom(
      '[*]',
      '[]',
      '.',
      '|',
      '&&',
      '||',
      '!',
      '@',
      '`1`',
      '`{}`',
      "'a'",
      '{a: b}',
      '[?a==`1`]',
      'length(@)',
      'sort_by(@, &id)',
      'keys(@)',
      'to_string(@)',
      'id',
      'name',
      '(',
      ')',
      '"__proto__"',
    ),
    key,
    text(6),
  );
  const queries = fc.array(word, { maxLength: 8 }).map((words) => words.join(''));

  fuzz(
    'queries of any text give JSON, or an expected error',
    fc.record({ query: queries, data: jsonText }),
    async ({ query, data }) => {
      const checked = await tryTo(() => compileQuery(query), isUsage);
      if ('error' in checked) return;
      const tried = await tryTo(
        () => compileQuery(query).run(JSON.parse(data)),
        (error) => error instanceof EduError && error.kind === 'invalid_response',
      );
      if ('value' in tried) JSON.stringify(tried.value);
    },
    {
      examples: [
        deep(20_000, '(', ')'),
        deep(20_000),
        '!'.repeat(20_000),
        `@${'.a'.repeat(20_000)}`,
        `@${'[*]'.repeat(5_000)}`,
      ].map((query) => ({ query, data: '[1]' })),
    },
  );

  fuzz(
    'queries find only what is in the JSON',
    fc.record({ name: fc.constantFrom(...PROTOTYPE_NAMES), data: fc.constantFrom('{}', '[]', '"a"', '1', '[{}]') }),
    ({ name, data }) => {
      for (const query of [`"${name}"`, `@."${name}"`, `[*]."${name}"`, `"${name}"."${name}"`, `{x: "${name}"}`]) {
        const found = JSON.stringify(compileQuery(query).run(JSON.parse(data)));
        expect(found.replace(/"x"|null|[[\]{}:,]/g, '')).toBe('');
      }
    },
  );

  fuzz(
    'sorting and selecting by any field',
    fc.record({
      sort: text(20),
      names: fc.array(key, { minLength: 1, maxLength: 3 }),
      items: fc.array(jsonValue, { maxLength: 5 }),
    }),
    async ({ sort, names, items }) => {
      const tried = await tryTo(() => readSort(sort), isUsage);
      if ('value' in tried)
        expect(await collect(sortedPages(onePage(items), tried.value), '', '')).toHaveLength(items.length);
      for (const name of names) {
        const [item] = items;
        const found = valueAt(item, [name]);
        if (found !== undefined && !Array.isArray(item) && typeof item === 'object')
          expect(Object.keys(item as object)).toContain(name);
      }
      const pick = picker(names);
      for (const item of items) JSON.stringify(pick(item));
    },
  );

  const shapes = Object.values(contract).flatMap((resource) =>
    (Object.values(resource) as Endpoint[]).flatMap(({ list, returns }): Field[] => [
      ...(list?.of ? [list.of] : []),
      ...(returns ? [returns] : []),
    ]),
  );
  const layout = {
    fields: undefined,
    header: undefined,
    excel: undefined,
    wide: true,
    columns: 80,
    terminal: true,
    color: false,
    title: 'items',
  };

  fuzz(
    'items of any JSON are written in every format',
    fc.record({ shape: fc.constantFrom(...shapes), items: fc.array(jsonValue, { minLength: 1, maxLength: 3 }) }),
    ({ shape, items }) => {
      for (const writer of [json, ndjson]) {
        const list = writer.list(shape, layout);
        const written = String(
          Buffer.concat([Buffer.from(list.page(items) as string), Buffer.from(list.end() as string)]),
        );
        const read =
          writer === json
            ? JSON.parse(written)
            : written
                .trimEnd()
                .split('\n')
                .map((line) => JSON.parse(line) as unknown);
        expect(JSON.stringify(read)).toBe(JSON.stringify(items));
      }
      for (const item of items) {
        const line = String(tsv.list(shape, { ...layout, header: false }).page([item]));
        expect(line.match(/\n/g)).toHaveLength(1);
        expect(line).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
        csv.list(shape, layout).page([item]);
      }
    },
  );
});
