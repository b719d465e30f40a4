/** Every help page that the built program prints equals the one from the sources, however it is requested. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { layOutHelp } from '../../src/cli/help-layout.js';
import { helpPages } from '../../src/commands/help/all-pages.js';
import { TOPICS } from '../../src/commands/help/topics.js';
import { everyNode } from '../../src/commands/index.js';
import { run } from '../support/run.js';
import { DIST, edu } from '../support/spawned.js';

const PAGES = await helpPages();
const printed = (page: string): string => layOutHelp(PAGES.get(page) ?? `no page ${page}`);
const paths: string[] = [];
for await (const { path } of everyNode()) paths.push(path);

test('the build writes exactly the help pages of the commands', () => {
  const files = readdirSync(join(DIST, 'help')).map((name) => readFileSync(join(DIST, 'help', name), 'utf8'));
  const written = files.flatMap((text) =>
    text
      .split('\f')
      .slice(1)
      .map((page) => [page.slice(0, page.indexOf('\n')), page.slice(page.indexOf('\n') + 1)] as const),
  );
  expect(written.map(([name]) => name).sort()).toEqual([...PAGES.keys()].sort());
  for (const [name, text] of written) expect(text, name).toBe(PAGES.get(name));
});

describe('pages from files equal those of the program', () => {
  test.each(paths)('edu %s --help', async (path) => {
    const ran = await run([...path.split(' '), '--help']);
    expect(ran).toEqual({ code: 0, stdout: printed(`edu.${path.replace(' ', '.')}`), stderr: '' });
  });

  test.each(['bulk', 'offline', 'licenses', 'licenses create'])('edu help %s', async (path) => {
    const page = TOPICS.some(({ name }) => name === path) ? `help.${path}` : `edu.${path.replace(' ', '.')}`;
    expect(await run(['help', ...path.split(' ')])).toEqual({ code: 0, stdout: printed(page), stderr: '' });
  });
});

test('a terminal gets bold headings in its own width, unless colours are off', async () => {
  const page = PAGES.get('edu.licenses.create') ?? '';
  const argv = ['licenses', 'create', '--help'];
  const on = (columns: number, env = {}) => run(argv, { terminal: columns, env });
  expect((await on(100)).stdout).toBe(layOutHelp(page, { columns: 100, bold: true }));
  expect((await on(60, { NO_COLOR: '1' })).stdout).toBe(layOutHelp(page, { columns: 60 }));
  expect((await run(['help', 'bulk'], { terminal: 60 })).stdout).toBe(
    layOutHelp(PAGES.get('help.bulk') ?? '', { columns: 60, bold: true }),
  );
  expect((await run([...argv, '--no-color'], { terminal: 60 })).stdout).toBe(layOutHelp(page, { columns: 60 }));
});

describe('the built program prints', () => {
  test.each([
    ['edu', ['--help']],
    ['edu', ['-h']],
    ['edu', []],
    ['edu', ['help']],
    ['edu.licenses', ['licenses', '--help']],
    ['edu.licenses', ['licences', '--help']],
    ['edu.licenses', ['licenses']],
    ['edu.licenses', ['help', 'licenses']],
    ['edu.licenses.create', ['licenses', 'create', '--help']],
    ['edu.licenses.create', ['licence', 'create', '-h']],
    ['edu.licenses.create', ['licenses', '--help', 'create']],
    ['edu.licenses.create', ['--help', 'licenses', 'create', '--type', 'Books']],
    ['edu.licenses.create', ['help', 'licenses', 'create']],
    ['edu.end-users.create', ['end-users', 'create', '--help']],
    ['edu.whoami', ['whoami', '--help']],
    ['edu.offline', ['offline', '--help']],
    ['help.offline', ['help', 'offline']],
    ['help.exit-codes', ['help', 'exit-codes']],
    ['help.formatting', ['help', 'formatting']],
  ])('%s for edu %j', async (page, argv) => {
    expect(PAGES.get(page)).toBeDefined();
    expect(await edu(argv)).toMatchObject({ code: 0, stdout: printed(page), stderr: '' });
  });

  test.each([['licenses-create'], ['end', 'users'], ['licenses.create'], ['../help/edu']])(
    'prints no page for edu %s %s',
    async (...words) => {
      const argv = words.filter((word): word is string => typeof word === 'string');
      expect(await edu([...argv, '--help'])).toMatchObject({ code: 2, stdout: '' });
    },
  );
});
