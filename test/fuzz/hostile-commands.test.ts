/**
 * Every command, on a terminal, against a service and files that try to control it: names, error texts, headers,
 * settings, jobs and exports full of control sequences. New commands are included without being named here; one without
 * a command line to run fails.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Command, isGroup } from '../../src/cli/command.js';
import { endpointOf } from '../../src/client/request/raw.js';
import { everyNode } from '../../src/commands/index.js';
import type { Method } from '../../src/core/http.js';
import { FORMATS } from '../../src/output/formats.js';
import { type RecordingServer, type Reply, recordingServer } from '../support/recording-server.js';
import { home, run } from '../support/run.js';
import { EVIL, hostileValue, isHarmless, MARK } from './hostile-text.js';

const asked = vi.hoisted(() => [] as unknown[]);
vi.mock('inquirer', () => {
  interface Question {
    readonly type: string;
    readonly choices?: readonly { readonly value: unknown }[];
  }
  const answers: Readonly<Record<string, (question: Question) => unknown>> = {
    confirm: () => true,
    input: () => '1',
    password: () => 'secret',
    select: ({ choices }) => choices?.[0]?.value,
    checkbox: ({ choices }) => choices?.slice(0, 1).map(({ value }) => value),
    search: () => 'x',
  };
  const prompt = async ([question]: readonly [Question]) => {
    asked.push(question);
    return { answer: answers[question.type]?.(question) };
  };
  return { createPromptModule: () => prompt };
});

type Mood = 'all' | 'names' | 'page' | 'text' | 400 | 403 | 404 | 409 | 500;
let mood: Mood = 'all';

const json = (value: unknown): Pick<Reply, 'headers' | 'body'> => ({
  headers: { 'content-type': 'application/json', 'x-request-id': `id${MARK}\x9b2J${MARK}\x85` },
  body: JSON.stringify(value),
});

function reply(method: string, path: string): Reply {
  if (typeof mood === 'number') {
    return {
      status: mood,
      ...json({ error: EVIL, message: EVIL, [EVIL]: EVIL, errors: [{ field: EVIL, message: EVIL }] }),
    };
  }
  if (mood === 'page')
    return { status: 502, headers: { 'content-type': 'text/html' }, body: `<!doctype html><title>${EVIL}</title>` };
  // Raw text keeps its line breaks and tabs.
  if (mood === 'text') return { headers: { 'content-type': 'text/plain' }, body: EVIL.replace(/[\n\t]/g, '') };
  const endpoint = endpointOf(method as Method, path);
  if (path.startsWith('/v1/api/file/get/'))
    return { headers: { 'content-disposition': `attachment; filename="${MARK}\x9b2J${MARK}../../x.pdf"` }, body: EVIL };
  if (endpoint === undefined) return { ...json({ [EVIL]: EVIL }) };
  const isAll = mood === 'all';
  if (endpoint.list !== undefined) {
    const items = [hostileValue(endpoint.list.of ?? { kind: 'any', description: '' }, isAll)];
    return json(endpoint.list.key === null ? items : { [endpoint.list.key]: items, paging: null });
  }
  return json(endpoint.returns === undefined ? {} : hostileValue(endpoint.returns, isAll));
}

/** The words of an example's first command, as a shell splits them. */
function wordsOf(line: string): string[] {
  const [, command = ''] = /\bedu ((?:'[^']*'|"[^"]*"|[^|;&<>()'"])*)/.exec(line) ?? [];
  return [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replace(/['"]/g, ''));
}

/** Commands that wait for a person or a signal, and examples that need a file to be created first. */
const LINES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'auth login': [['auth', 'login', '--with-token']],
  login: [['login', '--with-token']],
  'offline serve': [['offline', 'serve', '--port', EVIL]],
  'classes sync': [['classes', 'sync', 'c1', '--from', 'people.csv', '--yes']],
  'roster match': [['roster', 'match', 'people.csv', '--no-input']],
  'roster plan': [['roster', 'plan', 'people.csv', '--default-subject', '1']],
};

const NODES: { readonly path: string; readonly command: Command }[] = [];
for await (const { path, loaded } of everyNode()) if (!isGroup(loaded)) NODES.push({ path, command: loaded });

const linesOf = ({ path, command }: (typeof NODES)[number]): readonly (readonly string[])[] =>
  LINES[path] ??
  Object.values(command.examples)
    .map(wordsOf)
    .filter((words) => words.length > 0);

let server: RecordingServer;
const folder = mkdtempSync(join(tmpdir(), 'edu-hostile-'));
const before = process.cwd();

beforeAll(async () => {
  server = await recordingServer(({ method, url }) => reply(method, url));
  process.chdir(folder);
  // The sources read their version from here.
  writeFileSync('package.json', '{"version":"0.0.0"}');
  for (const name of ['fractions.pdf', 'cover.png', 'recording.bin']) writeFileSync(name, '%PDF-1.4\n%%EOF\n');
  writeFileSync(
    'people.csv',
    `school,class,first name,last name,e-mail,role\nS 1,7b,Mia ${MARK}\x1b[2J,Doe,mia@s1.example,teacher\n`,
  );
});
afterEach(() => asked.splice(0));
afterAll(async () => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
  await server.close();
});

const ENV = { EDU_TOKEN: 't0ken-of-the-tests', EDU_BROWSER: 'none', NO_COLOR: '1', PAGER: 'none' };

/** Whether hostile text was printed since the last check: a command that prints nothing is harmless, too. */
let reached = { service: false, error: false };

/** Flags of this test, which commands refuse where they do not apply. */
const EXTRA = ['--yes', '--retries=0', '--timeout=2s'];

/** Runs a line without those of the flags above that the command refuses: otherwise it would print only that. */
async function runFitting(argv: readonly string[], options: Parameters<typeof run>[1]): ReturnType<typeof run> {
  const result = await run(argv, options);
  if (!result.stderr.includes('does not apply')) return result;
  const left = argv.filter((word) => !EXTRA.includes(word) || !result.stderr.includes(word.split('=')[0] ?? word));
  return left.length === argv.length ? result : await runFitting(left, options);
}

async function harmless(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  const login = /^(auth )?login/.test(argv.join(' ')) ? { EDU_TOKEN: '', EDU_CLIENT_ID: 'c' } : {};
  const { stdout, stderr } = await runFitting([...argv, '--retries=0', '--timeout=2s'], {
    env: { ...ENV, EDU_BASE_URL: server.origin, ...login, ...env },
    terminal: 100,
    input: 'token\n',
  });
  expect(stderr, argv.join(' ')).not.toContain('This is a bug');
  reached.service ||= stdout.includes(MARK);
  reached.error ||= stderr.includes(MARK);
  isHarmless(stdout, `stdout of edu ${argv.join(' ')}`);
  isHarmless(stderr, `stderr of edu ${argv.join(' ')}`);
}

/** These print nothing from the service: they concern only this machine. */
const LOCAL =
  /^(config|profiles|alias|jobs|offline|completion|help|version|diff|apply|undo|mcp|roster check|auth (logout|token)|logout)\b/;
/** These print a fixed sentence, or the user's input. */
const SAYS_NOTHING =
  /^(classes delete|licenses (cancel|delete)|users anonymize|export|files download|(books|readers) edit)\b/;

/** One of three, another for the next command, because commands share the code that prints; `npm run fuzz` tries all. */
const some = <T>(all: readonly T[], turn: number): readonly T[] =>
  process.env.EDU_FUZZ_RUNS === undefined ? all.filter((_, index) => (index + turn) % 3 === 0) : all;

const ERRORS = ([400, 403, 404, 409, 500, 'page', 'text'] as const).flatMap((one) => [
  { given: one, flags: [] },
  { given: one, flags: ['--json', '--debug'] },
]);

describe.each(NODES.map((node, turn) => [node.path, node, turn] as const))('edu %s', (path, node, turn) => {
  const lines = linesOf(node);
  const quiet = ['--no-input', '--yes'];

  test('has a command line to run', () => {
    expect(lines.length).toBeGreaterThan(0);
  });

  test('cannot control the terminal by text from the service, in any format', { timeout: 60_000 }, async () => {
    reached = { service: false, error: false };
    for (const names of ['all', 'names'] as const) {
      mood = names;
      for (const [index, words] of lines.entries()) {
        await harmless([...words, ...quiet]);
        if (index > 0) continue;
        const formats = names === 'all' ? ['json', 'yaml'] : some(FORMATS, turn);
        for (const format of formats) await harmless([...words, ...quiet, '-o', format]);
        if (names === 'all') continue;
        await harmless([...words, ...quiet, '--debug']);
        // Plain questions are read from stdin, which is not scripted here.
        if (!path.endsWith('login')) await harmless([...words, ...quiet, '--plain']);
      }
    }
    const isShown = !LOCAL.test(path) && !SAYS_NOTHING.test(path);
    if (isShown) expect(reached.service || reached.error, 'something that the service said is shown').toBe(true);
  });

  test('cannot control the terminal by errors of the service', { timeout: 60_000 }, async () => {
    const [words = []] = lines;
    reached = { service: false, error: false };
    for (const { given, flags } of some(ERRORS, turn)) {
      mood = given;
      await harmless([...words, ...quiet, ...flags]);
    }
    const isSent = !LOCAL.test(path) && !words.includes('--dry-run');
    if (isSent) expect(reached.error, 'an error that the service gave is shown').toBe(true);
  });

  test('cannot control the terminal by arguments, file names and the environment', async () => {
    mood = 'names';
    const evil = EVIL.replaceAll('\0', '');
    const named = path.split(' ');
    const flags = (node.command.flags ?? [])
      .filter(({ kind }) => kind !== 'switch')
      .map(({ name }) => `--${name}=${evil}`);
    await harmless([...named, evil, ...quiet]);
    await harmless([...named, ...flags, ...quiet]);
    await harmless([...named, `--${evil}`]);
    await harmless([...(lines[0] ?? []), ...quiet, '-o', evil]);
    await harmless([...(lines[0] ?? []), ...quiet, '--query', evil, '--fields', evil]);
    await harmless([...(lines[0] ?? []), ...quiet], { EDU_PROFILE: evil });
    await harmless([...(lines[0] ?? []), ...quiet], { EDU_LANGUAGE: evil, EDU_OUTPUT: evil, EDU_ORGANIZATION: evil });
    await harmless([...(lines[0] ?? []), ...quiet], { EDU_BASE_URL: `http://${evil}` });
  });

  test('cannot control the terminal by prompts', async () => {
    mood = 'names';
    // Without its values and without --yes: it prompts for everything.
    if (LINES[path] === undefined) await harmless(path.split(' '), { EDU_NO_INPUT: '' });
    await harmless([...(lines[0] ?? [])], { EDU_NO_INPUT: '' });
    const texts = (value: unknown): string[] =>
      typeof value === 'string'
        ? [value]
        : typeof value === 'object' && value !== null
          ? Object.entries(value).flatMap(([name, one]) => (name === 'value' ? [] : texts(one)))
          : [];
    for (const text of asked.flatMap(texts)) isHarmless(text, `a question of edu ${path}`);
  });

  test('cannot control the terminal by settings, jobs and exports of another user', async () => {
    mood = 'names';
    const env = home();
    mkdirSync(env.EDU_CONFIG_DIR, { recursive: true });
    const job = {
      version: 1,
      id: 'evil',
      name: EVIL,
      identity: EVIL,
      path: `schools ${EVIL}`,
      baseUrl: EVIL,
      values: { name: EVIL },
      settings: {},
      input: EVIL,
      encoding: 'utf-8',
      marked: false,
      delimiter: ',',
      shard: null,
      rows: 1,
      created: EVIL,
    };
    mkdirSync(join(env.EDU_STATE_DIR, 'jobs', 'evil'), { recursive: true });
    writeFileSync(join(env.EDU_STATE_DIR, 'jobs', 'evil', 'manifest.json'), JSON.stringify(job));
    writeFileSync(
      join(env.EDU_STATE_DIR, 'jobs', 'evil', 'journal.ndjson'),
      `${JSON.stringify({ row: 1, state: 'rejected', id: EVIL, error: EVIL })}\n`,
    );
    const facts = {
      complete: false,
      file: null,
      count: 0,
      bytes: 0,
      sha256: null,
      filters: [EVIL],
      schema: EVIL,
      restarts: 0,
      notes: [EVIL],
    };
    const organization = { id: EVIL, type: EVIL };
    for (const [index, name] of ['yesterday', 'today', 'export'].entries()) {
      mkdirSync(name, { recursive: true });
      const content = `${JSON.stringify({ id: `${index}`, name: EVIL, [EVIL]: EVIL })}\n`;
      const { createHash } = await import('node:crypto');
      const whole = {
        ...facts,
        complete: true,
        file: 'books.ndjson',
        count: 1,
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      };
      writeFileSync(join(name, 'books.ndjson'), content);
      const resources = name === 'export' ? { books: whole, licenses: facts } : { books: whole };
      writeFileSync(
        join(name, 'manifest.json'),
        JSON.stringify({
          kind: 'edu-export',
          version: 1,
          complete: true,
          baseUrl: EVIL,
          organization,
          organizations: [organization],
          format: 'ndjson',
          gzip: false,
          language: EVIL,
          languages: [],
          since: null,
          resources,
        }),
      );
    }
    const rows = `name,${EVIL}\n"${EVIL.replaceAll('"', '')}",x\n`;
    for (const name of ['rows.csv', 'licences.csv', 'schools.csv', 'teachers.csv', 'classes.csv'])
      writeFileSync(name, rows.replaceAll(/[\ud800-\udfff\0]/g, ''));
    const settings = (values: Readonly<Record<string, unknown>>): void =>
      writeFileSync(
        join(env.EDU_CONFIG_DIR, 'settings.json'),
        JSON.stringify({ profiles: { default: values, [EVIL]: { browser: EVIL } }, [EVIL]: EVIL }),
      );
    settings({});
    const first = [...(lines[0] ?? []), ...quiet];
    for (const words of [
      first,
      [...path.split(' '), 'evil', ...quiet],
      [...path.split(' '), 'export', 'today', ...quiet],
      [...path.split(' '), '--verify', 'export'],
      [...path.split(' '), '--from', 'rows.csv', ...quiet],
    ])
      await harmless(words, env);
    settings({ language: EVIL, browser: EVIL, pager: EVIL, organization: EVIL, timeout: EVIL, 'client-id': EVIL });
    await harmless(first, env);
    writeFileSync(join(env.EDU_CONFIG_DIR, 'settings.json'), `{"${EVIL}`);
    await harmless(first, env);
    mkdirSync(join(env.EDU_CONFIG_DIR, 'private'), { recursive: true, mode: 0o700 });
    writeFileSync(join(env.EDU_CONFIG_DIR, 'settings.json'), '{}');
    writeFileSync(
      join(env.EDU_CONFIG_DIR, 'private', 'credentials.json'),
      JSON.stringify({ profiles: { default: { [EVIL]: { accessToken: 'x' } }, [EVIL]: {} } }),
      { mode: 0o600 },
    );
    await harmless(first, { ...env, EDU_TOKEN: '' });
  });
});
