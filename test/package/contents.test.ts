/** The content of the tarball, the results of checkers, and the licences of bundled code. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { publintProblems, typesProblems } from '../../scripts/package-problems.mjs';

const tarball = inject('tarball');
const home = join(inject('project'), 'node_modules/edu-cli');
const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8', maxBuffer: 1e8 })
  .split('\n')
  .flatMap((line) => /^package\/(.*[^/])$/.exec(line)?.[1] ?? []);

/** All files that may be published, by purpose. */
const ALLOWED: readonly RegExp[] = [
  /^(package\.json|README\.md|CHANGELOG\.md|SECURITY\.md|LICENSE)$/,
  // Pages that README and its pages link to, the interface of the service, the schemas of exports.
  /^docs\/([\w-]+\/){0,2}[\w-]+\.md$/,
  /^docs\/(openapi\.json|manifest\.schema\.json|schema\/[\w-]+\.schema\.json)$/,
  /^docs\/(pictures\/[\w-]+\.svg|examples\/[\w-]+\.sh|recipes\/([\w-]+\.(yml|sh|py|fodt)|Dockerfile))$/,
  // The program.
  /^bin\/(edu\.js|package\.json)$/,
  /^dist\/[\w.-]+\.(cjs|wasm)$/,
  /^dist\/chunks\/[\w.-]+\.(cjs|wasm)$/,
  /^dist\/compiled\/[\w.-]+\/[\w.-]+\.bin$/,
  /^dist\/help\/[\w.-]+\.txt$/,
  // Source maps for stack traces with --debug.
  /^dist\/(chunks\/)?[\w.-]+\.cjs\.map$/,
  /^dist\/types\/([\w-]+\/)*[\w-]+\.d\.ts$/,
  /^dist\/types\/package\.json$/,
  /^dist\/man\/edu[\w-]*\.[17]$/,
  /^dist\/(THIRD-PARTY-LICENSES\.txt|sbom\.cdx\.json)$/,
];

describe('the tarball', () => {
  test('contains the program, documentation, licence and man pages, and nothing else', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => !ALLOWED.some((pattern) => pattern.test(file)))).toEqual([]);
    for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE', 'dist/man/edu.1', 'dist/THIRD-PARTY-LICENSES.txt']) {
      expect(files).toContain(file);
    }
  });

  test('contains every file that its README and its guides link to', () => {
    const pages = files.filter((file) =>
      /^(README\.md|docs\/(guides|recipes|reference)\/.*\.md|docs\/[\w-]+\.md)$/.test(file),
    );
    const broken = pages.flatMap((page) =>
      [...readFileSync(join(home, page), 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => join(page, '..', target))
        // Pages for contributors link to sources.
        .filter((target) => !/^(src|test|scripts|bench|\.ci|\.github)(\/|$)/.test(target))
        .filter((target) => !files.some((file) => file === target || file.startsWith(`${target.replace(/\/$/, '')}/`)))
        .map((target) => `${page} leads to ${target}`),
    );
    expect(pages.length).toBeGreaterThan(50);
    expect(broken).toEqual([]);
  });

  test('has no dependencies and no install scripts', () => {
    const { scripts, dependencies, optionalDependencies, bundleDependencies } = JSON.parse(
      readFileSync(join(home, 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string> | undefined>;
    // `prepare` runs in a clone and for an installation from git, never for one from a registry or a tarball.
    const atInstallation = ['preinstall', 'install', 'postinstall', 'preuninstall', 'uninstall', 'postuninstall'];
    expect(Object.keys(scripts ?? {}).filter((name) => atInstallation.includes(name))).toEqual([]);
    expect({ dependencies, optionalDependencies, bundleDependencies }).toEqual({});
    expect(files.filter((file) => /binding\.gyp$|\.node$/.test(file))).toEqual([]);
  });

  test('contains nothing about the machine that built it', () => {
    const said = files.filter((file) => readFileSync(join(home, file)).includes(process.cwd()));
    expect(said).toEqual([]);
  });
});

describe('checkers', () => {
  test('publint finds nothing', async () => {
    expect(await publintProblems(tarball)).toEqual([]);
  });

  test('are-the-types-wrong finds nothing, however modules are resolved', async () => {
    expect(await typesProblems(tarball)).toEqual([]);
  });
});

describe('licences', () => {
  const text = readFileSync(join(home, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  const [list = '', ...licences] = text.split(`\n${'-'.repeat(72)}\n`);
  const rows = [...list.matchAll(/^(\S+) (\d\S*) \((.+?)\) (\S+)$/gm)].map(
    ([, name = '', version = '', license = '', source = '']) => ({ name, version, license, source }),
  );

  /** The source maps record where the code of the bundle comes from. */
  const bundled = new Set(
    readdirSync(join(home, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.cjs.map'))
      .flatMap((file) => (JSON.parse(readFileSync(join(home, 'dist', file), 'utf8')) as { sources: string[] }).sources)
      .flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []),
  );

  test('every bundled package is listed', () => {
    expect(bundled.size).toBeGreaterThan(40);
    for (const known of ['undici', 'commander', 'conf', 'ora', 'open', 'cli-table3', 'papaparse', '@inquirer/core']) {
      expect([...bundled]).toContain(known);
    }
    const listed = new Set(rows.map(({ name }) => name));
    expect([...bundled].filter((name) => !listed.has(name))).toEqual([]);
  });

  test('the bill of materials lists exactly these, with version, licence and digest', () => {
    interface Component {
      readonly name: string;
      readonly group?: string;
      readonly version: string;
      readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
      readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
      readonly purl: string;
    }
    const sbom = JSON.parse(readFileSync(join(home, 'dist/sbom.cdx.json'), 'utf8')) as {
      readonly specVersion: string;
      readonly metadata: { readonly component: Component };
      readonly components: readonly Component[];
      readonly dependencies: readonly { readonly ref: string }[];
    };
    expect(sbom.specVersion).toBe('1.6');
    const { name, version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Component;
    expect(sbom.metadata.component).toMatchObject({ name, version, licenses: [{ license: { id: 'MIT' } }] });
    const said = sbom.components.map((one) => {
      const [{ license, expression } = {}] = one.licenses;
      const full = one.group === undefined ? one.name : `${one.group}/${one.name}`;
      expect(one.purl).toBe(`pkg:npm/${full.replace('@', '%40')}@${one.version}`);
      expect(one.hashes, full).toMatchObject([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
      return `${full} ${one.version} ${license?.id ?? expression}`;
    });
    expect(said.sort()).toEqual(rows.map((row) => `${row.name} ${row.version} ${row.license}`).sort());
    const names = new Set(rows.map((row) => row.name));
    expect([...bundled].filter((one) => !names.has(one))).toEqual([]);
    expect(new Set(sbom.dependencies.map(({ ref }) => ref)).size).toBe(rows.length + 1);
  });

  test('each has its full licence text', () => {
    const titles = licences.flatMap((part) => part.split('\n\n')[0]?.split(', ') ?? []);
    expect(titles.sort()).toEqual(rows.map(({ name, version }) => `${name} ${version}`).sort());
    for (const part of licences) expect(part.length).toBeGreaterThan(400);
  });

  test('each licence permits publication with edu', () => {
    const fine = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0'];
    // It requires telling recipients where the source is (3.2 a), which the list does.
    const withSource = ['MPL-2.0'];
    for (const { license, source, name } of rows) {
      expect([...fine, ...withSource], name).toContain(license);
      if (withSource.includes(license)) expect(source).toMatch(/^https:\/\/github\.com\//);
    }
  });
});
