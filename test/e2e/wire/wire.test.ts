/**
 * Every command against a server that records its requests. The expected requests are written by hand from the API
 * document, not from the contract.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isGroup } from '../../../src/cli/command.js';
import { ENTRIES } from '../../../src/commands/index.js';
import { DOCUMENTED } from '../../contract/endpoint-table.js';
import type { Reply } from '../../support/recording-server.js';
import { home, run, temporaryFolder } from '../../support/run.js';
import { type Sent, scriptedService, TOKEN } from '../../support/scripted-service.js';
import { api } from './api.js';
import { books } from './books.js';
import { PDF_BYTES, PNG_BYTES, type WireCase } from './case.js';
import { licences } from './licences.js';
import { classes, publishers, schools } from './organizations.js';
import { endUsers, rolesAndAccount, users } from './people.js';
import { readers } from './readers.js';
import { subscriptions } from './subscriptions.js';

const CASES: readonly (readonly [string, WireCase])[] = [
  books,
  readers,
  licences,
  subscriptions,
  classes,
  schools,
  publishers,
  users,
  endUsers,
  rolesAndAccount,
  api,
].flatMap((cases) => Object.entries(cases));

/** The folder for `FOLDER`. */
function samples(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'lesson.pdf'), PDF_BYTES);
  writeFileSync(join(folder, 'cover.png'), Buffer.from(PNG_BYTES, 'latin1'));
  writeFileSync(join(folder, 'body.json'), '{"name":"From a file"}');
  return folder;
}

function homeWith(settings: unknown) {
  const folders = home();
  if (settings !== undefined) {
    mkdirSync(folders.EDU_CONFIG_DIR, { recursive: true });
    writeFileSync(join(folders.EDU_CONFIG_DIR, 'settings.json'), JSON.stringify(settings));
  }
  return folders;
}

/** IDs of organizations of each type. */
const ORGANIZATIONS: Readonly<Record<string, RegExp>> = { schools: /^(03|s|a\/b)/, publishers: /^(02|p|a\/b)/ };

/**
 * The answer to a request that resolves a reference: every ID exists, and addresses are no IDs.
 * @param words those of the command line, which name the roles, subjects and types that exist
 */
function lookUpAnswer(line: string, words: string): Reply | undefined {
  const [, kind = '', id = ''] = /^GET \/v1\/(\w+)\/([^/]+)$/.exec(line) ?? [];
  const ids = words
    .split(/[\s,]+/)
    .map((one) => ({ id: one, type: one, name: one, translatedName: one, classId: one }));
  if (line === 'GET /v1/roles') return { body: { roles: ids } };
  if (line === 'GET /v1/books/subjects') return { body: { subjects: ids } };
  if (line === 'GET /v1/books/types') return { body: { types: ids } };
  if (line.startsWith('GET /v1/classes/classesForUser/')) return { body: { classes: [] } };
  if (!['books', 'classes', 'licenses', 'publishers', 'readers', 'schools', 'subscriptions', 'users'].includes(kind))
    return undefined;
  const given = decodeURIComponent(id);
  if (given.includes('@') || ORGANIZATIONS[kind]?.test(given) === false) return { status: 404, body: {} };
  const organization = kind === 'users' ? { organization: { id: '0301', type: 'School' } } : {};
  return { body: { id: given, classId: given, ...organization } };
}

/** @returns what the program printed, and all requests but look-ups of references, which test/unit/client/references/ checks */
async function play({ argv, answers = {}, sent, env, settings, input, code = 0 }: WireCase, basePath: string) {
  const expected = new Set(sent.map(({ line }) => line));
  const words = [...argv, input ?? ''].join(' ');
  const isLookUp = ({ line }: Sent): boolean => !expected.has(line) && lookUpAnswer(line, words) !== undefined;
  const other = (one: Sent): Reply => {
    const answer = isLookUp(one) ? lookUpAnswer(one.line, words) : answers['*'];
    return (typeof answer === 'function' ? answer(one) : answer) ?? { status: 404, body: {} };
  };
  const service = await scriptedService({ ...answers, '*': other }, basePath);
  const folder = samples();
  const ran = await run(
    argv.map((word) => word.replace('FOLDER', folder)),
    { env: { ...homeWith(settings), ...service.env, ...env }, ...(input === undefined ? {} : { input }) },
  );
  expect(ran, ran.stderr).toMatchObject({ code });
  for (const { headers } of service.requests) {
    expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
  }
  return { ran, requests: service.sent.filter((one) => !isLookUp(one)) };
}

test.each(CASES)('%s, below a base URL with a path', async (_, wireCase) => {
  const { ran, requests } = await play(wireCase, '/edu/content');
  expect({ ...ran, sent: requests }).toEqual({ ...ran, sent: wireCase.sent });
});

const isWrite = ({ line }: Sent): boolean => !line.startsWith('GET ');
const WRITES = CASES.filter(([, { argv, sent }]) => argv[0] !== 'api' && sent.some(isWrite));

test.each(WRITES)('%s --dry-run writes nothing', async (_, { argv, ...wireCase }) => {
  const { requests } = await play({ ...wireCase, argv: [...argv, '--dry-run'] }, '');
  expect(requests.filter(isWrite)).toEqual([]);
});

/** The effect of a request by the API document: `PUT readers` creates a reader from an uploaded file. */
function effectOf(line: string): string {
  if (line.startsWith('GET ')) return 'reads';
  if (/^DELETE |\/cancel$|\/anonymize$|^PUT \/v1\/classes\/delete\//.test(line)) return 'destroys';
  return line.startsWith('POST ') || line === 'PUT /v1/readers' ? 'creates' : 'changes';
}

describe('coverage', () => {
  /** The words of a case's command. */
  async function commandOf(argv: readonly string[]): Promise<string> {
    const words = argv.filter((word, index) => !word.startsWith('-') && !argv[index - 1]?.startsWith('--page-size'));
    const entry = ENTRIES.find(({ name, aliases }) => name === words[0] || aliases?.includes(words[0] ?? ''));
    if (entry === undefined) throw new Error(`no command: ${argv.join(' ')}`);
    return isGroup(await entry.load()) ? `${entry.name} ${words[1]}` : entry.name;
  }

  test('every command that sends requests is run', async () => {
    const elsewhere =
      'auth login logout config profiles alias offline completion doctor jobs export diff mcp plan apply undo roster help version'.split(
        ' ',
      );
    const commands: string[] = [];
    for (const entry of ENTRIES) {
      if (elsewhere.includes(entry.name)) continue;
      const loaded = await entry.load();
      commands.push(
        ...(isGroup(loaded)
          ? loaded.commands.map(({ name }) => `${entry.name} ${name}`).filter((path) => !path.endsWith(' sync'))
          : [entry.name]),
      );
    }
    const run = new Set(await Promise.all(CASES.map(([, { argv }]) => commandOf(argv))));
    expect(
      commands.filter((command) => !run.has(command)),
      'without a case in test/e2e/wire/',
    ).toEqual([]);
  });

  test('every endpoint of the API document is called', () => {
    const lines = CASES.filter(([name]) => !name.startsWith('api')).flatMap(([, { sent }]) =>
      sent.map(({ line }) => line),
    );
    const isCalled = (route: string): boolean => {
      const pattern = new RegExp(`^${route.replaceAll('/', '\\/').replace(/\{\w+\}/g, '[^/]+')}$`);
      return lines.some((line) => pattern.test(line));
    };
    const missing = DOCUMENTED.map(({ route }) => route).filter((route) => !isCalled(route));
    expect(missing, 'without a case in test/e2e/wire/').toEqual([]);
  });

  test('the effects of each command match the manifest', async () => {
    const manifest = JSON.parse((await run(['help', '--json'], { env: home() })).stdout);
    const stated = new Map<string, readonly string[]>(
      manifest.commands.map(({ command, effects }: { command: string; effects: string[] }) => [
        command,
        effects.filter((effect) => ['creates', 'changes', 'destroys'].includes(effect)),
      ]),
    );
    const seen = new Map<string, Set<string>>();
    for (const [, { argv, sent }] of CASES) {
      const command = await commandOf(argv);
      const effects = seen.get(command) ?? new Set();
      for (const { line } of sent) effects.add(effectOf(line));
      effects.delete('reads');
      seen.set(command, effects);
    }
    seen.delete('api');
    const sorted = (effects: Iterable<string> = []) => [...effects].sort();
    for (const [command, effects] of seen)
      expect([command, ...sorted(effects)]).toEqual([command, ...sorted(stated.get(command))]);
  });
});
