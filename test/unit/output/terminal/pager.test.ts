import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClosedPipe } from '../../../../src/core/io.js';
import { paged, wordsOf } from '../../../../src/output/terminal/pager.js';
import { temporaryFolder } from '../../../support/run.js';
import { memoryOut } from '../streams.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** A pager that records its input, its arguments and its environment. */
function keepingPager(): { command: string; text: () => string; args: () => string } {
  const script = join(folder, 'pager.sh');
  writeFileSync(script, `printf '%s|' "$@" "$LESS" "$LESSCHARSET" > '${folder}/args'\ncat > '${folder}/text'\n`);
  return {
    command: `sh "${script}" -R 'two words'`,
    text: () => readFileSync(join(folder, 'text'), 'utf8'),
    args: () => readFileSync(join(folder, 'args'), 'utf8'),
  };
}

const screen = () => memoryOut({ columns: 80, rows: 10 });

describe('the command line of a pager', () => {
  it.each([
    ['less', ['less']],
    ['less -R  -F', ['less', '-R', '-F']],
    ['"/opt/my pager/less" -R', ['/opt/my pager/less', '-R']],
    ["sh -c 'less; rm'", ['sh', '-c', 'less; rm']],
    ['less; rm -rf $HOME', ['less;', 'rm', '-rf', '$HOME']],
    ['', []],
  ])('%s', (command, words) => {
    expect(wordsOf(command)).toEqual(words);
  });
});

describe('long output', () => {
  it('goes through the pager with its arguments, and waits for it', async () => {
    const out = screen();
    const pager = keepingPager();
    let started = 0;
    const target = paged(out, pager.command, process.env, () => {
      started += 1;
    });
    for (let line = 1; line <= 100; line++) await target.write(`line ${line}\n`);
    await target.end();
    expect(pager.text().split('\n')).toHaveLength(101);
    expect(pager.text().startsWith('line 1\nline 2\n')).toBe(true);
    expect(pager.args()).toBe('-R|two words|FRX|utf-8|');
    expect(out.text).toBe('');
    expect(started).toBe(1);
  });

  it('is written directly if it fits the screen', async () => {
    const out = screen();
    const target = paged(out, 'no-such-pager', process.env, () => {
      throw new Error('the pager was started');
    });
    await target.write('1\n2\n');
    await target.write('3\n4\n5\n6\n7\n8\n');
    expect(out.text).toBe('');
    await target.end();
    expect(out.text).toBe('1\n2\n3\n4\n5\n6\n7\n8\n');
  });

  it('is written directly if the pager does not exist', async () => {
    const out = screen();
    const target = paged(out, 'no-such-pager-anywhere -R', process.env, () => {});
    await target.write('x\n'.repeat(50));
    await target.write('y\n');
    await target.end();
    expect(out.text).toBe(`${'x\n'.repeat(50)}y\n`);
  });

  it('ends quietly when the user quits the pager', async () => {
    const target = paged(screen(), "sh -c 'head -1 > /dev/null'", process.env, () => {});
    const more = async (): Promise<void> => {
      for (;;) await target.write('line\n'.repeat(10_000));
    };
    await expect(more()).rejects.toBeInstanceOf(ClosedPipe);
    await target.end();
  });
});
