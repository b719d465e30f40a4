/** Packs what dist/ holds and installs it into an empty folder, once for all tests: nothing may come from a registry. */
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
    /** Folder of a project that has installed it, and nothing else. */
    readonly project: string;
    /** Folder of a project that has what the bundled service needs as well: on Node before 22.13, `libsql`. */
    readonly equipped: string;
    /** What npm said about the installation, as it prints it. */
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
    // No cache that could hold packages, and no settings of whoever runs the tests.
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

/** PATH of somebody who has this Node and nothing else of ours. */
export const PATH_WITH_NODE = [dirname(process.execPath), '/usr/bin', '/bin'].join(':');
