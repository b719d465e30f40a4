import { spawn, spawnSync } from 'node:child_process';
import fs, {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkOutput, isStdout, outputPlace, writeOutput } from '../../../../src/core/fs/output-file.js';
import { NO_PROCESS, ownerOf } from '../../../support/lock.js';
import { observe } from '../../../support/observed-fs.js';
import { openFilesIn } from '../../../support/open-files.js';
import { temporaryFolder } from '../../../support/run.js';

const isPosix = process.platform !== 'win32';
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('a regular file', () => {
  test('is private, and replaced with the mode that it had', async () => {
    const file = join(temporaryFolder(), 'out.csv');
    await writeOutput(file, ['a', Buffer.from('b'), 'c']);
    expect(readFileSync(file, 'utf8')).toBe('abc');
    if (isPosix) expect(modeOf(file)).toBe(0o600);
    chmodSync(file, 0o664);
    await writeOutput(file, ['d']);
    expect(readFileSync(file, 'utf8')).toBe('d');
    if (isPosix) expect(modeOf(file)).toBe(0o664);
  });

  test.runIf(process.geteuid?.() === 0)('does not get the mode that another user chose', async () => {
    const file = join(temporaryFolder(), 'out.csv');
    writeFileSync(file, '');
    chmodSync(file, 0o666);
    chownSync(file, 12345, 0);
    await writeOutput(file, ['a']);
    expect(modeOf(file)).toBe(0o600);
  });

  test('is written in blocks, and is on the disk before it has its name', async () => {
    const file = join(temporaryFolder(), 'out.csv');
    const sizes: (number | string)[] = [];
    observe(fs, (real) => ({
      writeSync: ((handle: number, bytes: Uint8Array) =>
        sizes.push(bytes.length) && real.writeSync(handle, bytes)) as typeof fs.writeSync,
      fsyncSync: (handle) => {
        real.fsyncSync(handle);
        sizes.push(existsSync(file) ? 'late' : 'synced');
      },
    }));
    const line = 'x'.repeat(1024);
    await writeOutput(file, [...Array(65).fill(line), Buffer.from(line), line, line]);
    expect(sizes).toEqual([65_536, 1024, 1024, 2048, 'synced']);
    expect(statSync(file).size).toBe(68 * 1024);
    expect(openFilesIn(dirname(file))).toEqual([]);
  });

  test.each([
    ['it is read-only', 'out.csv', constants.W_OK],
    ['its folder is', '', constants.W_OK | constants.X_OK],
  ])('is refused before it is opened if %s', (_, name, mode) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'out.csv'), '');
    // The super-user may write everywhere, so the system is asked in its place.
    observe(fs, () => ({
      accessSync: (path, asked) => {
        if (path !== join(folder, name) || asked !== mode) return;
        throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
      },
    }));
    expect(() => checkOutput(join(folder, 'out.csv'))).toThrow('permission denied (EACCES)');
  });

  test('stays as it was, with nothing beside it, if its content fails half-way', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'out.csv');
    writeFileSync(file, 'before');
    const pieces = function* () {
      yield 'x'.repeat(100_000);
      expect(readdirSync(folder)).toHaveLength(2);
      throw new Error('the list broke');
    };
    await expect(writeOutput(file, pieces())).rejects.toThrow('the list broke');
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['out.csv'], 'before']);
  });

  test('is not replaced if it must be new, not even one that appears meanwhile', async () => {
    const file = join(temporaryFolder(), 'out.csv');
    const pieces = function* () {
      yield 'new';
      writeFileSync(file, 'theirs');
    };
    await expect(writeOutput(file, pieces(), { exclusive: true })).rejects.toMatchObject({
      kind: 'usage',
      message: `Cannot write ${file}: it exists already.`,
      hint: expect.stringContaining('--force'),
    });
    expect(() => checkOutput(file, { exclusive: true })).toThrow('it exists already');
    expect(readFileSync(file, 'utf8')).toBe('theirs');
  });

  test('removes its own temporary files of killed processes in its folder', async () => {
    const folder = temporaryFolder();
    const { process: dead } = ownerOf(NO_PROCESS, 'dead');
    const others = [`.edu-${dead}.1.txt`, `${dead}.1.part`];
    for (const name of [`.edu-${dead}.1.part`, ...others]) writeFileSync(join(folder, name), 'half');
    await writeOutput(join(folder, 'out.csv'), ['a']);
    expect(readdirSync(folder).sort()).toEqual([...others, 'out.csv'].sort());
  });
});

describe.runIf(isPosix)('a link', () => {
  test('leads to the file that is replaced, which may not exist yet', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'data'));
    const target = join(folder, 'data', 'real.csv');
    symlinkSync('data/real.csv', join(folder, 'one'));
    symlinkSync('one', join(folder, 'two'));
    for (const text of ['first', 'second']) {
      await writeOutput(join(folder, 'two'), [text]);
      expect(readFileSync(target, 'utf8')).toBe(text);
    }
    expect([readlinkSync(join(folder, 'one')), readlinkSync(join(folder, 'two'))]).toEqual(['data/real.csv', 'one']);
    expect(outputPlace(join(folder, 'two'))).toBe(outputPlace(target));
    expect(outputPlace(join(folder, 'no', 'a'))).toBe(join(folder, 'no', 'a'));
  });

  test('in the middle of a path leads to the same file', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'data'));
    symlinkSync('data', join(folder, 'link'));
    expect(outputPlace(join(folder, 'link', 'out'))).toBe(outputPlace(join(folder, 'data', 'out')));
  });

  test('to itself is refused', async () => {
    const link = join(temporaryFolder(), 'loop');
    symlinkSync(link, link);
    await expect(writeOutput(link, ['a'])).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(/symbolic link/),
    });
  });

  // Only root can create a link of another user.
  test.runIf(process.geteuid?.() === 0)('of another user in a shared folder is refused, as is a pipe', async () => {
    const folder = temporaryFolder();
    const target = join(temporaryFolder(), 'victim');
    chmodSync(folder, 0o1777);
    const asOther = (command: string, ...args: string[]) => spawnSync(command, args, { uid: 12345, cwd: '/' });
    expect(asOther('ln', '-s', target, join(folder, 'link')).status).toBe(0);
    expect(asOther('mkfifo', join(folder, 'pipe')).status).toBe(0);
    for (const name of ['link', 'pipe']) {
      await expect(writeOutput(join(folder, name), ['a'])).rejects.toMatchObject({
        kind: 'usage',
        message: expect.stringContaining('belongs to another user (uid 12345)'),
      });
    }
    expect(existsSync(target)).toBe(false);
  });
});

describe.runIf(isPosix)('a pipe or device', () => {
  test('is written to, even if files must be new', async () => {
    const folder = temporaryFolder();
    const pipe = join(folder, 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const reader = spawn('cat', [pipe]);
    let read = '';
    reader.stdout.on('data', (chunk) => (read += chunk));
    const closed = new Promise((resolve) => reader.on('close', resolve));
    // More than a pipe holds, so that writes find it full.
    const text = 'x'.repeat(1_000_000);
    // Opening fails until `cat` has opened the other end.
    await expect
      .poll(() =>
        writeOutput(pipe, [text], { exclusive: true }).then(
          () => 'written',
          () => '',
        ),
      )
      .toBe('written');
    await closed;
    expect(read.length).toBe(text.length);
    expect([lstatSync(pipe).isFIFO(), readdirSync(folder)]).toEqual([true, ['pipe']]);
  });

  test('without a reader fails at once', async () => {
    const pipe = join(temporaryFolder(), 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    await expect(writeOutput(pipe, ['a'])).rejects.toMatchObject({
      message: expect.stringMatching(/no program reads from the pipe/),
    });
  });

  test('whose reader is busy is given up when the command is interrupted', async () => {
    const pipe = join(temporaryFolder(), 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const reader = spawn('sh', ['-c', 'exec 3<"$0"; read wait', pipe]);
    const signal = AbortSignal.abort(new Error('interrupted'));
    const written = () => writeOutput(pipe, ['x'.repeat(1_000_000)], { signal }).catch(String);
    await expect.poll(written).toBe('Error: interrupted');
    reader.stdin.end('\n');
  });

  test.runIf(process.platform === 'linux')('that is full is an error of the disk', async () => {
    await expect(writeOutput('/dev/full', ['a'])).rejects.toMatchObject({
      kind: 'internal',
      message: 'Cannot write /dev/full: there is no space left on the disk (ENOSPC).',
    });
  });

  // A device of its own, so that a fault cannot harm the machine's.
  test.runIf(process.geteuid?.() === 0)('stays a device, behind a link as well', async () => {
    const folder = temporaryFolder();
    const device = join(folder, 'null');
    if (spawnSync('mknod', [device, 'c', '1', '3']).status !== 0) return;
    symlinkSync(device, join(folder, 'link'));
    for (const path of [device, join(folder, 'link')]) await writeOutput(path, ['a'], { exclusive: true });
    expect([statSync(device).isCharacterDevice(), readdirSync(folder)]).toEqual([true, ['link', 'null']]);
  });
});

describe('what cannot be written', () => {
  test('is refused before it is opened', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const cases: readonly (readonly [string, RegExp])[] = [
      ['-', /this output cannot go to stdout/],
      [folder, /it is a folder/],
      [join(folder, 'none', 'out'), /the folder .*none does not exist/],
      [join(folder, 'file', 'none', 'out'), isPosix ? /part of the path is not a folder/ : /does not exist/],
      [join(folder, 'file', 'out'), /part of the path is not a folder|no such file/],
    ];
    for (const [path, reason] of cases) {
      expect(() => checkOutput(path), path).toThrow(reason);
      await expect(writeOutput(path, ['a']), path).rejects.toMatchObject({
        kind: 'usage',
        message: expect.stringMatching(reason),
        hint: expect.stringMatching(/\w/),
      });
    }
  });

  test.runIf(isPosix)('includes sockets', async () => {
    const path = join(temporaryFolder(), 'socket');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    await expect(writeOutput(path, ['a'])).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(/it is a socket/),
    });
    server.close();
  });
});

test.runIf(process.platform === 'linux')('an open file is written where its descriptor stands', async () => {
  const file = join(temporaryFolder(), 'out');
  const handle = openSync(file, 'w');
  writeSync(handle, 'a');
  await writeOutput(`/dev/fd/${handle}`, ['b']);
  writeSync(handle, 'c');
  closeSync(handle);
  expect(readFileSync(file, 'utf8')).toBe('abc');
});

test.runIf(process.platform === 'linux')('names of stdout are recognized', () => {
  const link = join(temporaryFolder(), 'link');
  symlinkSync('/dev/stdout', link);
  const names = ['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1', link];
  expect(names.filter((name) => !isStdout(name))).toEqual([]);
  const others = ['/dev/stderr', '/dev/null', 'out', '/proc/self/fd/9999', `/proc/${process.ppid}/fd/1`];
  expect(others.filter(isStdout)).toEqual([]);
});
