/**
 * Everyday tasks as scripts. A `*.txt` file here is `# task`, its command lines (`$ edu …`), the lines typed at prompts
 * (`> …`), files of the home folder (`-- NAME --`, followed by their content), and, after `=== COLUMNS`, all that the
 * terminal shows at that width, without the middle of long outputs. Scripts with prompts run with EDU_PLAIN=1.
 * `npx vitest run --config test/vitest.config.ts --project quick test/e2e/tasks -u` writes the outputs again.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { splitWords } from '../../../src/core/shell.js';
import { prepareOffline, run, temporaryFolder } from '../../support/run.js';

const FOLDER = import.meta.dirname;
const WIDTHS = [60, 100, 200];

/** The sample data ends near the current day, and tasks name days. */
const NOW = Date.parse('2026-11-23T12:00:00Z');

const SCRIPTS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.txt'))
  .toSorted()
  .map((name) => {
    const [head = ''] = readFileSync(join(FOLDER, name), 'utf8').split(/^=== /m);
    const [lines = '', ...files] = head.split(/^-- (.+) --\n/m);
    const starting = (mark: string) => lines.split('\n').flatMap((one) => (one.startsWith(mark) ? [one.slice(2)] : []));
    const contents = files.flatMap((file, index) => (index % 2 === 0 ? [[file, files[index + 1] ?? ''] as const] : []));
    return { name, head: head.trimEnd(), commands: starting('$ '), answers: starting('> '), files: contents };
  });

/** The lines that are kept at the start and at the end of a long output. */
const [FIRST, LAST] = [3, 3];

function shortened(text: string): string {
  const lines = text.split('\n');
  const left = lines.length - FIRST - LAST;
  return left < 3 ? text : [...lines.slice(0, FIRST), `⋮ ${left} lines`, ...lines.slice(-LAST)].join('\n');
}

/**
 * New IDs in the order of their appearance, so that they do not depend on the number of random values before them. Jobs
 * take no time.
 */
function numbered(text: string): string {
  const ids = new Set(text.match(/\b[0-9a-f]{24}\b/g));
  const untimed = text.replace(/; \d+(\.\d)? s\.$/gm, '; 0 s.');
  return [...ids].reduce((all, id, index) => all.replaceAll(id, `${index + 1}`.padStart(24, '0')), untimed);
}

type Script = (typeof SCRIPTS)[number];

/** @returns all that a terminal shows, with each command line if there are several */
async function play({ commands, answers, files }: Script, terminal: number): Promise<string> {
  const home = temporaryFolder();
  const env = { EDU_OFFLINE: '1', EDU_CONFIG_DIR: home, EDU_STATE_DIR: home, NO_COLOR: '1', EDU_BROWSER: 'none' };
  const asks = answers.length === 0 ? {} : { answers: [...answers], env: { ...env, EDU_PLAIN: '1' } };
  let shown = '';
  let calls = 0;
  const randomBytes = (count: number) => createHash('sha512').update(`${calls++}`).digest().subarray(0, count);
  await prepareOffline(home, NOW);
  for (const [file, content] of files) writeFileSync(join(home, file), content);
  for (const command of commands) {
    if (commands.length > 1) shown += `$ ${command}\n`;
    const [, ...words] = splitWords(command);
    const argv = words.map((word) => word.replace(/^~(?=\/)/, home));
    const output: string[] = [];
    const onShow = (text: string): void => void output.push(text);
    const { code } = await run(argv, { env, ...asks, terminal, onShow, randomBytes, now: () => NOW });
    shown += shortened(output.join('').replaceAll(home, '~'));
    if (code !== 0) shown += `exit code ${code}\n`;
  }
  return numbered(shown);
}

it.each(SCRIPTS)('$name', async (script) => {
  const blocks: { readonly widths: number[]; readonly text: string }[] = [];
  for (const width of WIDTHS) {
    const text = await play(script, width);
    if (blocks.at(-1)?.text === text) blocks.at(-1)?.widths.push(width);
    else blocks.push({ widths: [width], text });
  }
  const played = blocks.map(({ widths, text }) => `=== ${widths.join(', ')}\n${text}`).join('\n');
  expect(played).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  await expect(`${script.head}\n\n${played}`).toMatchFileSnapshot(join(FOLDER, script.name));
});

it('docs/guides/tasks.md has one line for each task, without IDs and queries', () => {
  const page = readFileSync('docs/guides/tasks.md', 'utf8');
  const lines = [...page.matchAll(/^\*\*.+\*\*\n\n```sh\n(.*)\n```$/gm)].map(([, line = '']) => line);
  expect(page.match(/^```sh$/gm)).toHaveLength(lines.length);
  for (const line of lines) expect(line).not.toMatch(/--query|\||\b([A-Z]\d+|[a-z]\d+|0\d{7,})(?![\w@.])/);
});
