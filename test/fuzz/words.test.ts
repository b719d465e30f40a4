import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Command } from '../../src/cli/command.js';
import { isGroup } from '../../src/cli/command.js';
import { commandLine } from '../../src/cli/format-line.js';
import { GLOBAL_FLAGS } from '../../src/cli/global-flags.js';
import { parse } from '../../src/cli/parser.js';
import { readArgument, readFlag } from '../../src/cli/read-value.js';
import { everyNode } from '../../src/commands/index.js';
import { EduError } from '../../src/core/errors.js';
import { splitWords } from '../../src/core/shell.js';
import { compileQuery } from '../../src/output/select/query.js';
import { run, sharedFolder } from '../support/run.js';
import { fuzz, tryTo } from './fuzz.js';
import { deep, jsonText, key, text } from './hostile.js';

const isUsage = (error: Error): boolean => error instanceof EduError && error.kind === 'usage';

const NODES: { readonly path: string; readonly command: Command }[] = [];
for await (const { path, loaded } of everyNode()) if (!isGroup(loaded)) NODES.push({ path, command: loaded });
const nodes = fc.constantFrom(...NODES);

const FOLDER = sharedFolder();
const env = { EDU_CONFIG_DIR: join(FOLDER, 'config'), EDU_STATE_DIR: join(FOLDER, 'state') };

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
    const again = parse(node.command, node.path, splitWords(line).slice(1 + node.path.split(' ').length));
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
});
