/** The first command that needs the offline state creates it, also if several start at once. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

let scripts = '';
let folder = '';
beforeAll(async () => {
  // Inside node_modules, so that the script finds the packages that are not bundled.
  mkdirSync(join(ROOT, 'node_modules', '.cache'), { recursive: true });
  scripts = mkdtempSync(join(ROOT, 'node_modules', '.cache', 'edu-offline-opener-'));
  folder = mkdtempSync(join(tmpdir(), 'edu-first-'));
  await build({
    input: join(ROOT, 'test', 'support', 'offline-opener.ts'),
    platform: 'node',
    external: ['libsql', '@fastify/busboy'],
    output: { dir: scripts, format: 'cjs', entryFileNames: 'opener.cjs', chunkFileNames: '[name]-[hash].cjs' },
    logLevel: 'silent',
  });
});
afterAll(() => {
  for (const made of [scripts, folder]) rmSync(made, { recursive: true, force: true });
});

interface Opened {
  readonly code: number | null;
  readonly output: string;
}

const open = (state: string): { readonly done: Promise<Opened>; readonly kill: () => void } => {
  const child = spawn(process.execPath, [join(scripts, 'opener.cjs'), state], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const done = new Promise<Opened>((resolve) => child.on('close', (code) => resolve({ code, output })));
  return { done, kill: () => void child.kill('SIGKILL') };
};

test('eight processes that start at once create the state once', { timeout: 60_000 }, async () => {
  const state = join(folder, 'at-once');
  const opened = await Promise.all(Array.from({ length: 8 }, () => open(state).done));
  expect(opened.map(({ code }) => code)).toEqual(Array(8).fill(0));
  const [first] = opened.map(({ output }) => output);
  expect(JSON.parse(first ?? '')).toMatchObject({ status: 200, licences: 265, users: 303 });
  expect(opened.map(({ output }) => output)).toEqual(Array(8).fill(first));
});

test('the next process creates the state if the first is killed meanwhile', { timeout: 60_000 }, async () => {
  // At moments spread over the duration of a start.
  for (let moment = 0; moment < 10; moment++) {
    const state = join(folder, `killed-${moment}`);
    const killed = open(state);
    setTimeout(killed.kill, 40 + moment * 15);
    await killed.done;
    const { code, output } = await open(state).done;
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ status: 200, licences: 265, users: 303 });
  }
});
