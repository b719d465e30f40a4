/**
 * The rules of docs/architecture.md, read off the sources: imports go one way, each npm package is known in one folder
 * only, and what is expensive to load is loaded where it is used.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { importsOf, packageOf, partOf, sourceFiles, withoutComments } from '../.build/imports.mjs';

type Import = ReturnType<typeof importsOf>[number];

const SRC = fileURLToPath(new URL('../src', import.meta.url));

const FILES = sourceFiles();
const IMPORTED = FILES.flatMap(importsOf);
const OURS = IMPORTED.filter(({ isOurs }) => isOurs);

const shown = ({ from, to }: Import): string => `${from} → ${to}`;

/** Shapes and words that everything may use. They import nothing but each other. */
const GROUND = [
  'errors.ts',
  'http.ts',
  'io.ts',
  'suggest.ts',
  'loopback.ts',
  'version.ts',
  'holder.ts',
  'left-over.ts',
  'lock-file.ts',
  'disk.ts',
  'take-place.ts',
  'make-folder.ts',
  'run-lock.ts',
  'v8-flags.ts',
];

/**
 * What each folder may import besides itself. A path with a slash is one file of a folder; `type:` means types only,
 * `lazy:` only by `import()`.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  client: ['contract', ...GROUND],
  service: ['contract', 'http.ts', 'holder.ts', 'left-over.ts', 'lock-file.ts', 'make-folder.ts', 'v8-flags.ts'],
  transport: ['client/no-answer.ts', 'lazy:service', ...GROUND],
  output: ['type:contract', ...GROUND],
  settings: ['contract', 'output/formats.ts', 'type:output', ...GROUND],
  browser: ['client/clean-text.ts', ...GROUND],
  prompt: GROUND,
  auth: ['contract', 'client', 'settings', 'browser', 'type:prompt', ...GROUND],
  bulk: ['contract', 'client', 'settings', 'type:context.ts', ...GROUND],
  export: ['contract', 'type:client', 'output', ...GROUND],
};

/** These put the parts together. What is below must not know them. */
const TOGETHER = ['commands', 'completion'];

const allows = (rule: string, { to, isType, isLazy }: Import): boolean => {
  const [kind, target = ''] = rule.includes(':') ? rule.split(':') : ['', rule];
  if (target !== to && target !== partOf(to)) return false;
  return kind === 'type' ? isType : kind === 'lazy' ? isLazy || isType : true;
};

describe('imports go one way', () => {
  test('they are found, in all their forms', () => {
    expect(OURS.length).toBeGreaterThan(600);
    expect(OURS.filter(({ isType }) => isType).length).toBeGreaterThan(150);
    expect(OURS.filter(({ isLazy }) => isLazy).length).toBeGreaterThan(100);
    expect(OURS.filter(({ to }) => !FILES.includes(to)).map(shown)).toEqual([]);
  });

  test('every folder has its rule', () => {
    const folders = new Set(FILES.filter((file) => file.includes('/')).map(partOf));
    expect([...folders].sort()).toEqual([...Object.keys(MAY_IMPORT), ...TOGETHER].sort());
  });

  test.each(Object.entries(MAY_IMPORT))('%s', (folder, rules) => {
    const outside = OURS.filter(({ from, to }) => partOf(from) === folder && partOf(to) !== folder);
    expect(outside.filter((one) => !rules.some((rule) => allows(rule, one))).map(shown)).toEqual([]);
  });

  test('what everything uses knows nothing else', () => {
    const outside = OURS.filter(({ from, to }) => GROUND.includes(from) && !GROUND.includes(to));
    expect(outside.map(shown)).toEqual([]);
  });

  test('commands reach the network and the bundled service lazily, or through the context', () => {
    const parts = ['service', 'transport', 'auth', 'prompt', 'browser', 'bulk', 'export'];
    const definitions = OURS.filter(
      ({ from, to, isType, isLazy }) =>
        /^commands\/(resources\/)?[\w-]+\.ts$/.test(from) && parts.includes(partOf(to)) && !isType && !isLazy,
    );
    // Definitions are loaded for help and completion; what their actions need is not.
    expect(definitions.map(shown)).toEqual([]);
  });

  test('no circles among what is loaded at once', () => {
    const edges = new Map<string, string[]>();
    for (const { from, to, isType, isLazy } of OURS) {
      if (!isType && !isLazy) edges.set(from, [...(edges.get(from) ?? []), to]);
    }
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, way: readonly string[]): void => {
      const start = way.indexOf(file);
      if (start >= 0) circles.push([...way.slice(start), file].join(' → '));
      if (start >= 0 || done.has(file)) return;
      for (const next of edges.get(file) ?? []) visit(next, [...way, file]);
      done.add(file);
    };
    for (const file of FILES) visit(file, []);
    expect(circles).toEqual([]);
  });
});

/** Where each npm package may be imported: everything else sees it through what stands there. */
const HOMES: Readonly<Record<string, string>> = {
  commander: 'commands/',
  undici: 'transport/',
  conf: 'settings/',
  ora: 'output/',
  'cli-table3': 'output/',
  '@jmespath-community/jmespath': 'output/',
  '@inquirer/prompts': 'prompt/',
  open: 'browser/',
  libsql: 'service/store/',
  'node-sqlite3-wasm': 'service/store/',
  'node:sqlite': 'service/store/',
  '@fastify/busboy': 'service/',
  papaparse: 'bulk/',
};

describe('packages', () => {
  const foreign = IMPORTED.filter(({ isOurs, to }) => !isOurs && (!to.startsWith('node:') || to in HOMES));

  test('each is known in one folder', () => {
    const strays = foreign.filter(({ from, to }) => !from.startsWith(HOMES[packageOf(to)] ?? '(none)'));
    expect(strays.map(shown)).toEqual([]);
  });

  test('none is listed that is not used', () => {
    const used = new Set(foreign.map(({ to }) => packageOf(to)));
    const listed = Object.keys(HOMES).filter((name) => name !== 'node:sqlite');
    expect(listed.filter((name) => !used.has(name))).toEqual([]);
  });

  test('all are inside the bundle: an installation brings nothing else', () => {
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Record<
      string,
      Record<string, unknown>
    >;
    const { dependencies = {}, optionalDependencies = {}, peerDependencies, peerDependenciesMeta } = manifest;
    expect({ dependencies, optionalDependencies }).toEqual({ dependencies: {}, optionalDependencies: {} });
    // Native code for a faster start on Node 20, for those who want it.
    expect(Object.keys(peerDependencies ?? {})).toEqual(['libsql']);
    expect(peerDependenciesMeta).toEqual({ libsql: { optional: true } });
  });
});

/** Everything that is loaded together with a file. */
function loadedWith(entry: string): { readonly files: ReadonlySet<string>; readonly foreign: ReadonlySet<string> } {
  const files = new Set<string>();
  const foreign = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const { to, isOurs, isType, isLazy } of importsOf(file)) {
      if (isType || isLazy) continue;
      if (isOurs) visit(to);
      else foreign.add(to);
    }
  };
  visit(entry);
  return { files, foreign };
}

describe('loading', () => {
  test('the entry loads two modules of Node and one file of ours', () => {
    const { files, foreign } = loadedWith('entry.ts');
    expect([...files].sort()).toEqual(['compiled.ts', 'entry.ts']);
    expect([...foreign].sort()).toEqual(['node:fs', 'node:path']);
  });

  test('the program loads no package before it knows the command', () => {
    const { foreign } = loadedWith('process.ts');
    expect([...foreign].filter((name) => !name.startsWith('node:'))).toEqual([]);
    expect([...foreign].sort()).toEqual(['node:fs', 'node:path']);
  });

  test('definitions of commands load no package but the parser', () => {
    const definitions = FILES.filter((file) => /^commands\/(resources\/)?[\w-]+\.ts$/.test(file));
    const packages = definitions.flatMap((file) =>
      [...loadedWith(file).foreign].filter((name) => !name.startsWith('node:') && name !== 'commander'),
    );
    expect([...new Set(packages)]).toEqual([]);
  });

  test('nothing touches what Node loads slowly when it is named: Intl, the built-in fetch', () => {
    const slow =
      /\bIntl\.|\.toLocale\w*\(|\bglobalThis\.(fetch|Request|Response|Headers|FormData|Blob)\b|\bnew FormData\b/;
    const found = FILES.filter((file) => slow.test(withoutComments(readFileSync(join(SRC, file), 'utf8'))));
    expect(found).toEqual([]);
  });
});

test('nothing but the second signal ends the process, and nothing writes past its streams', () => {
  const having = (what: RegExp) =>
    FILES.filter((file) => what.test(withoutComments(readFileSync(join(SRC, file), 'utf8'))));
  expect(having(/\bprocess\.exit\(/)).toEqual(['process.ts']);
  expect(having(/\bconsole\.|\bprocess\.(stdout|stderr)\.write\b/)).toEqual([]);
});

test('files are short enough to be read at once', () => {
  const long = FILES.map((file) => ({ file, lines: readFileSync(join(SRC, file), 'utf8').split('\n').length }))
    .filter(({ lines }) => lines > 400)
    .map(({ file, lines }) => `${file}: ${lines}`);
  expect(long).toEqual([]);
});

test('every file says at its head what it is', () => {
  const silent = FILES.filter((file) => !/^\/\*\*/.test(readFileSync(join(SRC, file), 'utf8')));
  expect(silent.map((file) => relative('.', file))).toEqual([]);
});
