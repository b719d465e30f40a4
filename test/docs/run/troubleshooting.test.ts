/**
 * docs/troubleshooting.md has an entry for every exit code and every kind of error, and each example is run against the
 * bundled service over HTTP.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ErrorKind, EXIT_CODES } from '../../../src/core/errors.js';
import { errorReport } from '../../../src/output/error-report.js';
import { createService } from '../../../src/service/index.js';
import { run, temporaryFolder } from '../../support/run.js';

const PAGE = 'docs/troubleshooting.md';
const page = readFileSync(resolve(PAGE), 'utf8');

interface Entry {
  readonly code: number;
  /** Undefined for the text before the kinds of a code. */
  readonly kind: string | undefined;
  readonly text: string;
}

/** The parts of the page below `## Exit code N` and `` ### `kind` ``. */
const entries: Entry[] = page
  .split(/^## /m)
  .slice(1)
  .flatMap((section) => {
    const code = Number(/^Exit code (\d+)\n/.exec(section)?.[1]);
    return section.split(/^### /m).map((text) => ({ code, kind: /^`(\w+)`\n/.exec(text)?.[1], text }));
  });
const kinds = Object.keys(EXIT_CODES) as ErrorKind[];

describe('entries', () => {
  it('exist for each exit code, in the table as well', () => {
    const codes = [...new Set([0, ...Object.values(EXIT_CODES)])];
    expect([...new Set(entries.map(({ code }) => code))]).toEqual(codes);
    expect([...page.matchAll(/^\| \[(\d+)\]\(#exit-code-\1\)/gm)].map(([, code]) => Number(code))).toEqual(codes);
  });

  it('exist for each kind of error, under its exit code', () => {
    const found = entries.filter(({ kind }) => kind !== undefined).map(({ kind, code }) => [kind, code]);
    expect(found).toEqual(Object.entries(EXIT_CODES));
  });

  it.each(kinds)('%s: show the message, then cause and remedy', (kind) => {
    const { text = '' } = entries.find((one) => one.kind === kind) ?? {};
    expect(text).toMatch(/^```(console|text)\n[^`]*^Error: /m);
    expect(text.replace(/^```.*?^```$/gms, '').length, 'characters of cause and remedy').toBeGreaterThan(120);
    const row = page.split('\n').find((line) => line.startsWith(`| [${EXIT_CODES[kind]}]`));
    expect(row, 'the row of the table of exit codes').toContain(`\`${kind}\``);
  });

  it('show the report of a bug as the program prints it', () => {
    const error = new TypeError("Cannot read properties of undefined (reading 'id')");
    expect(page).toContain(errorReport(error, { json: false, color: false, debug: false }));
  });
});

/** A random ID of the bundled service. */
const MADE = /\b[0-9a-f]{24}\b/g;

interface Example {
  readonly line: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly command: string;
  readonly shown: string;
  readonly code: number;
}

/** `fault 500; token none` → `{ fault: '500', token: 'none' }`. */
const settingsOf = (text: string): Record<string, string> =>
  Object.fromEntries(text.split('; ').map((part) => part.split(/ (.*)/s, 2).concat('') as [string, string]));

const examples: Example[] = [
  ...page.matchAll(/^(?:<!-- played with: ([^\n]+) -->\n)?```console\n\$ ([^\n]+)\n(.*?)^```$/gms),
].map(({ 1: settings, 2: command = '', 3: shown = '', index }) => {
  const before = page.slice(0, index);
  const code = Number([...before.matchAll(/^## Exit code (\d+)$/gm)].at(-1)?.[1] ?? 1);
  return { line: before.split('\n').length, settings: settingsOf(settings ?? ''), command, shown, code };
});

/** Runs the built program in a shell. */
function start(line: string, env: Readonly<Record<string, string>>): ChildProcess & { readonly text: () => string } {
  const shell = `edu() { exec ${JSON.stringify(process.execPath)} ${JSON.stringify(resolve('bin/edu.js'))} "$@"; }`;
  const child = spawn('bash', ['-c', `${shell}; ${line}`], { env: { PATH: process.env.PATH, ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return Object.assign(child, { text: () => text });
}

/** Starts a bundled service in this process, where a mix of variants applies (test/support/mix.ts). @returns its base URL */
async function serve(fault: string | undefined) {
  const service = await createService({ faults: fault === undefined ? [] : [fault] });
  onTestFinished(() => service.close());
  const { baseUrl } = await service.listen();
  return { baseUrl, requests: () => service.requests().length };
}

/** @returns a base URL where nothing listens */
async function nobody(): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** Other variants of the service word their errors in other ways. */
const isMix = process.env.EDU_TEST_MIX !== undefined;

function underMix(): void {
  const plain = examples.filter(({ settings, command }) => settings.signal === undefined && !/[<>|]/.test(command));
  it.each(plain)('end with their exit code, line $line: $command', async ({ settings, command, code }) => {
    const { fault, token = 'edu-offline-distributor' } = settings;
    const baseUrl = 'nobody' in settings ? await nobody() : (await serve(fault)).baseUrl;
    const words = command.match(/'[^']*'|"[^"]*"|\S+/g)?.map((word) => word.replace(/^(['"])(.*)\1$/, '$2')) ?? [];
    const env = { EDU_BASE_URL: baseUrl, ...(token === 'none' ? {} : { EDU_TOKEN: token }) };
    const ran = await run(words.slice(words.indexOf('edu') + 1), { env });
    expect(ran.code, ran.stderr).toBe(code);
  });
}

function asShown(): void {
  it.each(examples)('line $line: $command', async ({ settings, command, shown, code }) => {
    const { fault, token = 'edu-offline-distributor', signal } = settings;
    const home = temporaryFolder();
    const folders = { HOME: home, EDU_STATE_DIR: join(home, 'state'), EDU_CONFIG_DIR: join(home, 'config') };
    const service = 'nobody' in settings ? undefined : await serve(fault);
    const baseUrl = service?.baseUrl ?? (await nobody());
    const env = { ...folders, EDU_BASE_URL: baseUrl, ...(token === 'none' ? {} : { EDU_TOKEN: token }) };
    const ran = start(command, env);
    if (signal !== undefined) {
      await expect.poll(() => service?.requests(), { timeout: 10_000 }).toBeGreaterThan(0);
      ran.kill(signal as NodeJS.Signals);
    }
    const [ended] = await once(ran, 'close');
    const said = ran.text().replaceAll(baseUrl, 'https://content.example');
    expect(said.replace(MADE, 'ID')).toBe(shown.replace(MADE, 'ID'));
    expect(ended).toBe(code);
  });
}

describe('examples', isMix ? underMix : asShown);
