/** Packs dist/ and installs it into an empty folder, once for all tests, without a registry. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { pack } from '../../scripts/package-problems.mjs';
import { hasNodeSqlite } from '../../src/service/store/sqlite.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the tarball. */
    readonly tarball: string;
    /** A project with only this package installed. */
    readonly project: string;
    /** A project that also has what the bundled service needs: `libsql` on Node before 22.13. */
    readonly equipped: string;
    /** The output of npm during the installation. */
    readonly installation: string;
  }
}

export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'edu-packed-'));
  const tarball = pack(folder);
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true }\n');
  const flags = ['--offline', '--no-audit', '--no-fund', '--foreground-scripts', '--loglevel=verbose'];
  const installation = execFileSync('npm', ['install', ...flags, tarball], {
    cwd: project,
    encoding: 'utf8',
    // No package cache, and no settings of the person who runs the tests.
    env: { PATH: process.env.PATH, HOME: folder, npm_config_cache: join(folder, 'cache') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const equipped = join(folder, 'equipped');
  cpSync(project, equipped, { recursive: true, verbatimSymlinks: true });
  if (!hasNodeSqlite(process.versions.node)) {
    for (const name of ['libsql', '@libsql']) {
      cpSync(resolve('node_modules', name), join(equipped, 'node_modules', name), { recursive: true });
    }
  }
  provide('tarball', tarball);
  provide('project', project);
  provide('equipped', equipped);
  provide('installation', installation);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** PATH with this Node and nothing else of ours. */
export const PATH_WITH_NODE = [dirname(process.execPath), '/usr/bin', '/bin'].join(':');
