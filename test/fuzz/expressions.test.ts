/**
 * Every regular expression of the sources takes linear time. Input comes from services, files and terminals: if an
 * expression backtracks, a few kilobytes can stop the program. `recheck` searches for such input, or proves that there
 * is none.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkSync } from 'recheck';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test } from 'vitest';
import { sourceFiles } from '../../scripts/imports.mjs';
import { itemPattern } from '../../src/client/request/page-scanner.js';
import { Licence } from '../../src/contract/licenses.js';
import { RESOURCES } from '../../src/export/collect/resources.js';

const ROOT = join(import.meta.dirname, '..', '..');
const SRC = join(ROOT, 'src');
const PACKAGES = join(ROOT, 'node_modules');

interface Expression {
  readonly pattern: string;
  readonly flags: string;
  readonly file: string;
}

interface Found {
  readonly literals: readonly Expression[];
  /** Files that build expressions at run time, one entry for each. */
  readonly builtIn: readonly string[];
}

/** The expressions in a file of TypeScript or JavaScript. */
function expressionsIn(file: string, text: string): Found {
  const literals: Expression[] = [];
  const builtIn: string[] = [];
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('regex' in node && typeof node.regex === 'object' && node.regex !== null) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string };
      literals.push({ pattern, flags, file });
    }
    if ('callee' in node && 'type' in node && (node.type === 'NewExpression' || node.type === 'CallExpression')) {
      const { callee } = node as { callee: { name?: string } };
      if (callee.name === 'RegExp') builtIn.push(file);
    }
    for (const part of Object.values(node)) look(part);
  };
  look(parseAst(text, { lang: file.endsWith('.ts') ? 'ts' : 'js' }));
  return { literals, builtIn };
}

const FOUND = sourceFiles().map((file) => expressionsIn(file, readFileSync(join(SRC, file), 'utf8')));

/** Expressions built at run time, by file and in order, with sample parts. */
const BUILT: Readonly<Record<string, readonly string[]>> = {
  // `--date-format dd.MM.yyyy`.
  'core/table/cell-forms.ts': ['^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})(?:[ T]0?0:00(?::00(?:\\.0+)?)?)?$'],
  // A random token of 16 bytes.
  'core/exact-json.ts': ['"0123456789abcdef([^"]*)"'],
  // The only pattern in our own schemas.
  'export/files/schema.ts': ['^\\d{4}-\\d{2}-\\d{2}$'],
  'client/errors/refusal.ts': ['^/v1/books/'],
  // Sticky, as for a match at the beginning.
  'client/request/page-scanner.ts': [`^${itemPattern(Licence.fields, 'id').source}`],
  'client/request/redact.ts': [
    '\\b(access_token|refresh_token|password)=[^&;#\\s"\'<>]*',
    '([?&;])(access_token|refresh_token|token|code|x-amz-[a-z-]+)=[^&;#]*',
    '("(?:token|password)"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?|(\\\\"(?:token|password)\\\\"\\s*:\\s*)\\\\"[^"\\\\]*',
  ],
  'commands/mcp/pseudonyms.ts': ['^(?:person-[0-9a-f]{10}(?:@|%40)redacted\\.example|(?:Given|Family)-[0-9a-f]{10})$'],
  'export/collect/export.ts': [`^(${RESOURCES.join('|')}|manifest)\\.[\\w.]*\\.partial$`],
  // Excel's delimiters, or the one of `--delimiter`; a line of 20 cells.
  'output/writers/csv-line.ts': ['["\\r\\n,;\\t]', '^[^"\\r\\n,;\\t]*(?:[;][^"\\r\\n,;\\t]*){19}$'],
  // A path with stars, given by the person who runs the bundled service; matched with paths of at most 16 KiB.
  'service/serve/request-pattern.ts': ['^/v1/[^/]+/.*$'],
  // Its own name, with an extension of letters and digits.
  'settings/write-settings.ts': ['^settings\\.json\\.tmp-\\w+$'],
};

/** Bundled packages that match untrusted text: a script, or a folder of them. */
const BUNDLED = [
  'papaparse/papaparse.js',
  '@jmespath-community/jmespath/dist/index.cjs',
  'commander/lib',
  '@fastify/busboy/lib',
  '@fastify/busboy/deps',
  'cli-table3/src',
  'undici/lib/core',
  'undici/lib/dispatcher',
];

/** Not used: `commands/help.ts` generates help pages. */
const NOT_REACHED = ['commander/lib/help.js'];

/** The scripts at a place below `node_modules`. */
function scriptsAt(place: string): readonly string[] {
  const path = join(PACKAGES, place);
  if (statSync(path).isFile()) return [place];
  return readdirSync(path, { recursive: true })
    .map((name) => join(place, String(name)))
    .filter((name) => /\.[cm]?js$/.test(name));
}

const unique = (all: readonly Expression[]): readonly Expression[] => [
  ...new Map(all.map((one) => [`/${one.pattern}/${one.flags}`, one])).values(),
];

/**
 * The problem of an expression, or undefined. What cannot be proven is measured with generated input, which a busy
 * machine can delay by chance, but not each time.
 */
function fault({ pattern, flags, file }: Expression, tries = 3): string | undefined {
  const { status, ...more } = checkSync(pattern, flags, { timeout: 20_000 });
  if (status === 'safe') return undefined;
  if (tries > 1) return fault({ pattern, flags, file }, tries - 1);
  const attack = 'attack' in more && more.attack ? ` with ${more.attack.pattern.slice(0, 100)}` : '';
  return `${file}: /${pattern}/${flags} is ${status}${attack}`;
}

const faults = (all: readonly Expression[]): readonly string[] =>
  all.map((one) => fault(one)).filter((one) => one !== undefined);

describe('regular expressions take linear time', { timeout: 300_000 }, () => {
  test('the check detects quadratic ones', () => {
    const bad = ['^(a+)+$', '\\s+$', '<[^>]*>', '(a|a)*b'].map((pattern) => ({ pattern, flags: '', file: 'x' }));
    expect(faults(bad)).toHaveLength(bad.length);
    expect(faults([{ pattern: '^[a-z]+$', flags: '', file: 'x' }])).toEqual([]);
    const { literals, builtIn } = expressionsIn('x.ts', 'const a = /b+/gi.test(c as string); new RegExp("x" + a);');
    expect(literals).toEqual([{ pattern: 'b+', flags: 'gi', file: 'x.ts' }]);
    expect(builtIn).toEqual(['x.ts']);
  });

  test('all in our sources', () => {
    const literals = unique(FOUND.flatMap((one) => one.literals));
    expect(literals.length).toBeGreaterThan(150);
    expect(faults(literals)).toEqual([]);
  });

  test('those built at run time', () => {
    const places = FOUND.flatMap(({ builtIn }) => builtIn).sort();
    // A new place needs a new line here, with the expression that it builds.
    expect(places).toEqual(
      Object.entries(BUILT)
        .flatMap(([file, patterns]) => patterns.map(() => file))
        .sort(),
    );
    const built = Object.entries(BUILT).flatMap(([file, all]) => all.map((pattern) => ({ pattern, flags: 'i', file })));
    expect(faults(built)).toEqual([]);
  });

  test('those of bundled packages that read untrusted text', () => {
    const literals = BUNDLED.flatMap((place) => {
      const scripts = scriptsAt(place).filter((file) => !NOT_REACHED.includes(file));
      expect(scripts, place).not.toEqual([]);
      return scripts.flatMap((file) => expressionsIn(file, readFileSync(join(PACKAGES, file), 'utf8')).literals);
    });
    expect(literals.length).toBeGreaterThan(20);
    expect(faults(unique(literals))).toEqual([]);
  });
});
