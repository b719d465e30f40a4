/**
 * Every command against a server that records its requests. The expected requests are written by hand from the API
 * document and PRODUCT.md, not from the contract.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isGroup } from '../../../src/cli/command.js';
import { ENTRIES } from '../../../src/commands/index.js';
import { DOCUMENTED } from '../../contract/endpoint-table.js';
import { home, run, temporaryFolder } from '../../support/run.js';
import { scriptedService, TOKEN } from '../../support/scripted-service.js';
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

async function check({ argv, answers, sent, env, settings, input, code = 0 }: WireCase, basePath: string) {
  const service = await scriptedService(answers, basePath);
  const folder = samples();
  const ran = await run(
    argv.map((word) => word.replace('FOLDER', folder)),
    { env: { ...homeWith(settings), ...service.env, ...env }, ...(input === undefined ? {} : { input }) },
  );
  expect({ ...ran, sent: service.sent }).toEqual({ ...ran, sent });
  expect(ran, ran.stderr).toMatchObject({ code });
  for (const { headers } of service.requests) {
    expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
  }
}

describe('requests', () => {
  test.each(CASES)('%s', (_, wireCase) => check(wireCase, ''));
});

describe('requests below a base URL with a path', () => {
  test.each(CASES)('%s', (_, wireCase) => check(wireCase, '/edu/content'));
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
      'auth login logout config profiles alias offline completion doctor jobs export diff plan apply undo roster help version'.split(
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
        effects.filter((effect) => effect !== 'reads' && effect !== 'sends_mail'),
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
