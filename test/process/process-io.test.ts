/**
 * The real streams, in separate processes: a small program is bundled once, and its descriptors are connected to pipes
 * and files.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedFolder } from '../support/run.js';

const root = new URL('../..', import.meta.url).pathname;
const folder = sharedFolder();
const program = join(folder, 'program.cjs');

/** Writes the given number of pages of 64 kB, and reports its end on stderr. */
const SOURCE = `
import { processIo } from './src/output/process-io.js';
const [pages, how] = process.argv.slice(2);
const io = processIo();
const page = ('x'.repeat(63) + '\\n').repeat(1024);
let ticks = 0;
const timer = setInterval(() => { ticks += 1; }, 10);
async function write() {
  if (how === 'stdin') for await (const bytes of io.stdin) throw new Error(bytes.length + ' bytes');
  if (how === 'unawaited') {
    const texts = Array.from({ length: Number(pages) }, (_, index) => String(index % 10).repeat(100_000) + '\\n');
    await Promise.all(texts.map((text) => io.stdout.write(text)));
    return;
  }
  for (let index = 0; index < Number(pages); index++) await io.stdout.write(page);
}
write().then(() => 'done', (error) => error.name + ': ' + error.message).then(async (ending) => {
  clearInterval(timer);
  const { isTTY, columns } = io.stdout;
  await io.stderr.write(JSON.stringify({ ending, isTTY, columns, stdin: io.stdin.isTTY, ticks }) + '\\n');
});
`;

beforeAll(async () => {
  const entry = join(root, 'process-io-program.js');
  await build({
    input: entry,
    cwd: root,
    platform: 'node',
    logLevel: 'silent',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    plugins: [
      { name: 'entry', resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? SOURCE : null) },
    ],
    output: { file: program, format: 'cjs', codeSplitting: false },
  });
});

interface Ended {
  readonly code: number | null;
  readonly report: {
    readonly ending: string;
    readonly isTTY: boolean;
    readonly columns?: number;
    readonly stdin: boolean;
    readonly ticks: number;
  };
  readonly bytes: number;
}

function run(
  args: readonly string[],
  stdout: 'pipe' | number = 'pipe',
  stdin: 'ignore' | number = 'ignore',
): ChildProcess {
  return spawn(process.execPath, [program, ...args], { stdio: [stdin, stdout, 'pipe'] });
}

async function finish(child: ChildProcess, read = true): Promise<Ended> {
  let bytes = 0;
  let talk = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    talk += chunk;
  });
  if (read)
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, report: JSON.parse(talk), bytes };
}

const PAGE = 64 * 1024;

describe('standard output', () => {
  it('writes 100 MB completely into a pipe', async () => {
    const { code, report, bytes } = await finish(run(['1600']));
    expect(bytes).toBe(1600 * PAGE);
    expect(report).toMatchObject({ ending: 'done', isTTY: false, stdin: false });
    expect(code).toBe(0);
  });

  it('keeps concurrent writes in order', async () => {
    const child = run(['40', 'unawaited']);
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    const { report } = await finish(child, false);
    expect(report.ending).toBe('done');
    const lines = text.split('\n');
    expect(lines.map((line) => line[0]).join('')).toBe('0123456789'.repeat(4));
    for (const line of lines.slice(0, -1)) expect(new Set(line).size).toBe(1);
  });

  it('writes into a file', async () => {
    const file = join(folder, 'file');
    const fd = openSync(file, 'w');
    const { report } = await finish(run(['16'], fd));
    closeSync(fd);
    expect(statSync(file).size).toBe(16 * PAGE);
    expect(report).toMatchObject({ ending: 'done', isTTY: false });
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(16 * 1024 + 1);
  });

  it('ends with ClosedPipe when the reader leaves', async () => {
    const child = run(['1600']);
    child.stdout?.once('data', () => child.stdout?.destroy());
    const { code, report } = await finish(child, false);
    expect(report.ending).toBe('ClosedPipe: the reader of the output is gone');
    expect(code).toBe(0);
  });

  it('does not block the program while a reader is slow', async () => {
    const child = run(['160']);
    // It has begun to write, and the reader waits for half a second.
    child.stdout?.once('readable', () => setTimeout(() => child.stdout?.resume(), 500));
    const { report } = await finish(child, false);
    expect(report.ending).toBe('done');
    expect(report.ticks).toBeGreaterThan(5);
  });

  it.runIf(process.platform === 'linux').each([
    ['a full disk', '/dev/full', 'there is no space left on the disk (ENOSPC)'],
    // Page 0 of this process is not mapped.
    ['a disk that fails', '/proc/self/mem', 'the disk failed (EIO)'],
  ])('reports %s', async (_, file, reason) => {
    const fd = openSync(file, 'r+');
    const { report } = await finish(run(['1'], fd));
    closeSync(fd);
    expect(report.ending).toBe(`EduError: Cannot write the output: ${reason}.`);
  });
});

it.runIf(process.platform !== 'win32')('refuses a folder as standard input, which Node reads as empty', async () => {
  const fd = openSync(folder, 'r');
  const { report } = await finish(run(['0', 'stdin'], 'pipe', fd));
  closeSync(fd);
  expect(report.ending).toBe('EduError: Cannot read stdin: it is a folder.');
});
