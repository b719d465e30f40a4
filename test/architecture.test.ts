/** The rules of docs/architecture.md, checked against the imports of the sources. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { FOLDERS, folderTree } from '../scripts/folders.mjs';
import { importsOf, packageOf, partOf, sourceFiles, withoutComments } from '../scripts/imports.mjs';
import { templatesIn } from './support/templates.js';

type Import = ReturnType<typeof importsOf>[number];

const SRC = fileURLToPath(new URL('../src', import.meta.url));

const FILES = sourceFiles();
const IMPORTED = FILES.flatMap(importsOf);
const OURS = IMPORTED.filter(({ isOurs }) => isOurs);
const ORDER = Object.keys(FOLDERS);

const shown = ({ from, to }: Import): string => `${from} → ${to}`;
const read = (file: string): string => readFileSync(join(SRC, file), 'utf8');
const filesWith = (pattern: RegExp): string[] => FILES.filter((file) => pattern.test(withoutComments(read(file))));

/**
 * Folders that may use only some of those below them. `type:` allows only types; a path is a single file of a folder.
 */
const NARROWER: Readonly<Record<string, readonly string[]>> = {
  output: ['type:contract', 'core'],
  settings: ['output/formats.ts', 'contract', 'core'],
  export: ['output', 'settings', 'type:client', 'contract', 'core'],
  service: ['contract', 'core'],
  contract: [],
  core: [],
};

const allows = (rule: string, { to, isType }: Import): boolean => {
  const target = rule.replace(/^type:/, '');
  return (target === partOf(to) || target === to) && (isType || !rule.startsWith('type:'));
};

/** Groups of files that import each other, in any form, sorted. */
function cycles(): string[][] {
  const targets = new Map(FILES.map((file) => [file, [] as string[]]));
  for (const { from, to } of OURS) targets.get(from)?.push(to);
  const reachedFrom = new Map(FILES.map((file) => [file, reach(file)]));
  function reach(start: string): ReadonlySet<string> {
    const reached = new Set<string>();
    const open = [...(targets.get(start) ?? [])];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (reached.has(file)) continue;
      reached.add(file);
      open.push(...(targets.get(file) ?? []));
    }
    return reached;
  }
  const groups = new Map<string, string[]>();
  for (const file of FILES) {
    if (!reachedFrom.get(file)?.has(file)) continue;
    const group = FILES.filter(
      (other) => reachedFrom.get(file)?.has(other) && reachedFrom.get(other)?.has(file),
    ).sort();
    groups.set(group[0] ?? file, group);
  }
  return [...groups.values()];
}

describe('imports', () => {
  test('finds imports in all their forms', () => {
    expect(OURS.length).toBeGreaterThan(600);
    expect(OURS.filter(({ isType }) => isType).length).toBeGreaterThan(150);
    expect(OURS.filter(({ isLazy }) => isLazy).length).toBeGreaterThan(100);
    expect(OURS.filter(({ to }) => !existsSync(join(SRC, to))).map(shown)).toEqual([]);
  });

  test('src has the folders of scripts/folders.mjs, and no files beside them', () => {
    expect([...new Set(FILES.map(partOf))].sort()).toEqual([...ORDER].sort());
  });

  test('docs/architecture.md shows these folders', () => {
    const page = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8');
    expect(page, 'put the output of folderTree() of scripts/folders.mjs below "src/"').toContain(
      `src/\n${folderTree()}\n`,
    );
  });

  test('never lead to a folder further up', () => {
    const upward = OURS.filter(({ from, to }) => ORDER.indexOf(partOf(to)) < ORDER.indexOf(partOf(from)));
    expect(upward.map(shown)).toEqual([]);
  });

  test.each(Object.entries(NARROWER))('%s imports only what it may', (folder, rules) => {
    const outside = OURS.filter(({ from, to }) => partOf(from) === folder && partOf(to) !== folder);
    expect(outside.filter((one) => !rules.some((rule) => allows(rule, one))).map(shown)).toEqual([]);
  });

  test('the client reaches the bundled service in one file, lazily', () => {
    const found = OURS.filter(({ from, to }) => partOf(from) === 'client' && partOf(to) === 'service');
    expect(found.filter(({ isLazy, isType }) => !isLazy && !isType).map(shown)).toEqual([]);
    expect([...new Set(found.map(({ from }) => from))]).toEqual(['client/transport/local.ts']);
  });

  test('definitions of commands import what their actions need lazily or as types', () => {
    const parts = ['service', 'auth', 'bulk', 'export'];
    const eager = OURS.filter(
      ({ from, to, isType, isLazy }) =>
        /^commands\/(resources\/[\w-]+|[\w-]+\/index)\.ts$/.test(from) &&
        parts.includes(partOf(to)) &&
        !isType &&
        !isLazy,
    );
    expect(eager.map(shown)).toEqual([]);
  });

  test('no files import each other, types and lazy imports included', () => {
    expect(cycles().map((group) => group.join(' '))).toEqual([]);
  });
});

describe('packages', () => {
  const homes = Object.entries(FOLDERS).flatMap(([folder, { packages = [] }]) =>
    packages.map((name): [string, string] => [name, folder]),
  );
  const listed = homes.map(([name]) => name);
  const foreign = IMPORTED.filter(({ isOurs, to }) => !isOurs && (!to.startsWith('node:') || listed.includes(to)));

  test('each is imported in the folder that scripts/folders.mjs gives it', () => {
    const home = new Map(homes);
    expect(foreign.filter(({ from, to }) => home.get(packageOf(to)) !== partOf(from)).map(shown)).toEqual([]);
  });

  test('each listed one is used', () => {
    const used = new Set(foreign.map(({ to }) => packageOf(to)));
    expect(listed.filter((name) => !used.has(name))).toEqual([]);
  });

  test('all are bundled: an installation brings no other package', () => {
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Record<
      string,
      Record<string, unknown>
    >;
    const { dependencies = {}, optionalDependencies = {}, peerDependencies, peerDependenciesMeta } = manifest;
    expect({ dependencies, optionalDependencies }).toEqual({ dependencies: {}, optionalDependencies: {} });
    // SQLite for Node 20: 19 MB that later Nodes do not need.
    expect(Object.keys(peerDependencies ?? {})).toEqual(['libsql']);
    expect(peerDependenciesMeta).toEqual({ libsql: { optional: true } });
  });
});

/** All files that are loaded together with a file. */
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
  test('the entry loads two modules of Node and one source file', () => {
    const { files, foreign } = loadedWith('app/entry.ts');
    expect([...files].sort()).toEqual(['app/compiled.ts', 'app/entry.ts']);
    expect([...foreign].sort()).toEqual(['node:fs', 'node:path']);
  });

  test('the program loads no package before it knows the command', () => {
    const { foreign } = loadedWith('app/process.ts');
    expect([...foreign].sort()).toEqual(['node:fs', 'node:path']);
  });

  test('definitions of commands load no package but the parser', () => {
    const definitions = FILES.filter((file) => /^commands\/(resources\/[\w-]+|[\w-]+\/index)\.ts$/.test(file));
    expect(definitions.length).toBeGreaterThan(20);
    const packages = definitions.flatMap((file) =>
      [...loadedWith(file).foreign].filter((name) => !name.startsWith('node:') && name !== 'commander'),
    );
    expect([...new Set(packages)]).toEqual([]);
  });

  test('the server of assistants loads commands, pages and plans on demand', () => {
    const { files } = loadedWith('commands/mcp/mcp-server.ts');
    const late = /^(contract\/index|client\/|export\/|plan\/(?!steps)|commands\/(help|kinds|plan|resources)\/)/;
    expect([...files].filter((file) => late.test(file))).toEqual([]);
  });

  test('nothing uses what Node loads slowly: Intl, the built-in fetch', () => {
    const slow =
      /\bIntl\.|\.toLocale\w*\(|\bglobalThis\.(fetch|Request|Response|Headers|FormData|Blob)\b|\bnew FormData\b/;
    expect(filesWith(slow)).toEqual([]);
  });
});

test('only a second signal ends the process at once, and all output goes through the io layer', () => {
  expect(filesWith(/\bprocess\.exit\(/)).toEqual(['app/signals.ts']);
  expect(filesWith(/\bconsole\.|\bprocess\.(stdout|stderr)\.write\b/)).toEqual([]);
});

test('files are written in core/fs, so that all are private and complete', () => {
  const writes =
    /\b(writeFileSync|appendFileSync|createWriteStream|renameSync|copyFileSync|linkSync|writeFile|appendFile|rename|copyFile)\b[^;]*from 'node:fs(\/promises)?';/;
  expect(
    filesWith(writes)
      .filter((file) => !file.startsWith('core/fs/'))
      .sort(),
  ).toEqual([
    // The folder of a job.
    'bulk/job/job-store.ts',
    // A journal.
    'export/files/export-journal.ts',
    // The bundled service's own data.
    'service/body.ts',
  ]);
});

test('no file has more than 350 lines', () => {
  const lines = (file: string): number => read(file).split('\n').length - 1;
  expect(FILES.filter((file) => lines(file) > 350)).toEqual([]);
});

const TESTS = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(new URL(file, import.meta.url), 'utf8') }));

test('no test has more than 350 lines', () => {
  const long = TESTS.filter(({ file, text }) => file.endsWith('.test.ts') && text.split('\n').length > 351);
  expect(long.map(({ file }) => file)).toEqual([]);
});

test('modules and the working directory are replaced only by tests with a worker of their own', () => {
  const found = TESTS.filter(({ text }) => /^\s*(vi\.(do)?[mM]ock|process\.chdir)\(/m.test(text)).map(
    ({ file }) => file,
  );
  // Both run in workers of their own: the tests are in MOCKED of test/vitest.config.ts, the setup belongs to mixes of test:slow.
  expect(found.sort()).toEqual(['fuzz/hostile-commands.test.ts', 'support/mix.ts']);
});

test('no two files that are in sight of each other have the same name', () => {
  const home = (folder: string): Set<string> =>
    new Set(FILES.filter((file) => file.startsWith(folder)).map((file) => basename(file)));
  // A resource has a file of its own in the contract, the service, the commands and the planner.
  const own = new Set(['end-users.ts', ...home('contract/'), ...home('service/resources/')]);
  const sees = new Set(OURS.map(({ from, to }) => `${partOf(from)} ${partOf(to)}`));
  const named = FILES.filter((file) => basename(file) !== 'index.ts');
  const found = named.flatMap((file, index) =>
    named
      .slice(index + 1)
      .filter((other) => basename(other) === basename(file))
      .filter((other) => {
        const [one, two] = [partOf(file), partOf(other)];
        if (one === two) return true;
        return !own.has(basename(file)) && (sees.has(`${one} ${two}`) || sees.has(`${two} ${one}`));
      })
      .map((other) => `${file} and ${other}: say what kind of thing each is`),
  );
  expect(found).toEqual([]);
});

test('every file starts with a header', () => {
  expect(FILES.filter((file) => !/^\/\*\*/.test(read(file)))).toEqual([]);
});

/** Examples of help pages, whose words are constants. */
const HELP = ['cli/help.ts', 'commands/auth/index.ts', 'commands/completion/index.ts', 'commands/resources/editor.ts'];
/** Lines that only begin like a command. */
const TALK = ['commands/alias/index.ts', 'commands/doctor/index.ts'];

test('no source builds a command of a hint by hand: shellLine quotes its words', () => {
  const command = /(?:^|`|: )(?:edu|mv|rm|cp|chmod|npm|npx) [^`\n]*$/;
  const flag = /(?:\b[Aa]dd|Choose one:|Give|Pass|\bwith) (?:`)?--[a-z-]+[ =]$/;
  const found = FILES.filter((file) => ![...HELP, ...TALK].includes(file)).flatMap((file) =>
    templatesIn(read(file)).flatMap(({ texts, expressions }) => {
      let before = '';
      return expressions.flatMap((expression, index) => {
        before += texts[index]?.replaceAll('\\`', '`');
        const isByHand =
          (command.test(before) || flag.test(before)) && !/^(shellLine|either)\(|^formats\.join/.test(expression);
        before += 'X';
        return isByHand ? [`${file}: ${before.trim()}`] : [];
      });
    }),
  );
  expect(found).toEqual([]);
  expect([...HELP, ...TALK].filter((file) => !FILES.includes(file))).toEqual([]);
});
