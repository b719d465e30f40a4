import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { counted, durationText, meter, sized } from '../../../../src/output/progress/meter.js';
import {
  barLine,
  logLine,
  Progress,
  type ProgressMode,
  progressMode,
} from '../../../../src/output/progress/progress.js';
import { widthOf } from '../../../../src/output/width.js';
import { type MemoryIo, pass, pipe, terminal } from '../streams.js';

describe('how progress is shown', () => {
  it.each([
    ['a terminal', terminal(80), 'table', false, false, 'animated'],
    ['--plain', terminal(80), 'table', false, true, 'lines'],
    ['a log', pipe(), 'tsv', false, false, 'log'],
    ['a program that reads JSON', pipe(), 'json', false, false, 'none'],
    ['--quiet', terminal(80), 'table', true, false, 'none'],
  ] as const)('%s', (_, io, format, quiet, plain, mode) => {
    expect(progressMode(io, format, quiet, plain)).toBe(mode);
  });
});

/** The visible result of everything that was written to a terminal: carriage returns, erased lines, columns. */
function screen(text: string): string[] {
  const lines = [''];
  let column = 0;
  for (const [part] of text.matchAll(/\x1b\[[?\d;]*[a-zA-Z]|\r|\n|./gu)) {
    const line = lines[lines.length - 1] ?? '';
    const put = (next: string): void => {
      lines[lines.length - 1] = next;
    };
    const [, amount, code] = /^\x1b\[([?\d;]*)([a-zA-Z])$/.exec(part) ?? [];
    if (code === 'K') put(line.slice(0, column));
    else if (code === 'G') column = Number(amount) - 1;
    else if (code !== undefined) continue;
    else if (part === '\r') column = 0;
    else if (part === '\n') {
      lines.push('');
      column = 0;
    } else {
      put(line.slice(0, column).padEnd(column) + part + line.slice(column + 1));
      column += 1;
    }
  }
  return lines;
}

describe('progress', () => {
  let io: MemoryIo;
  let progress: Progress;

  const start = (mode: ProgressMode): void => {
    progress = new Progress(io, { mode, color: false });
  };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
    io = terminal(80);
  });
  afterEach(() => {
    progress.stop();
    vi.useRealTimers();
  });

  describe('progress of a wait', () => {
    it('shows nothing when it is over within 300 ms', async () => {
      start('animated');
      const waiting = progress.wait('Asking the service');
      await pass(299);
      waiting.done();
      await pass(1000);
      expect(io.stderr.text).toBe('');
    });

    it('shows a spinner after that, and removes it', async () => {
      start('animated');
      const waiting = progress.wait('Fetching licences');
      await pass(301);
      expect(screen(io.stderr.text).join('')).toMatch(/^\S Fetching licences$/);
      waiting.update('Fetching licences: 100 so far');
      await pass(100);
      expect(screen(io.stderr.text).join('')).toMatch(/^\S Fetching licences: 100 so far$/);
      waiting.done();
      await pass(1000);
      expect(screen(io.stderr.text)).toEqual(['']);
      expect(io.stderr.text).not.toContain('\x1b[?25l');
    });

    it('clears its line for other output', async () => {
      start('animated');
      const waiting = progress.wait('Fetching');
      await pass(301);
      await progress.io.stderr.write('Warning: odd\n');
      await progress.io.stderr.write('Warning: half');
      await pass(200);
      expect(screen(io.stderr.text)).toEqual(['Warning: odd', 'Warning: half']);
      await progress.io.stderr.write(' a line\n');
      await pass(200);
      expect(screen(io.stderr.text).slice(0, 2)).toEqual(['Warning: odd', 'Warning: half a line']);
      expect(screen(io.stderr.text)[2]).toMatch(/^\S Fetching$/);
      waiting.done();
      expect(screen(io.stderr.text)).toEqual(['Warning: odd', 'Warning: half a line', '']);
    });

    it('is a line without animation', async () => {
      start('lines');
      const waiting = progress.wait('Fetching licences');
      await pass(299);
      expect(io.stderr.text).toBe('');
      await pass(1000);
      waiting.update('Fetching licences: 100 so far');
      waiting.done();
      expect(io.stderr.text).toBe('Fetching licences…\n');
    });

    it('is nothing in a log', async () => {
      for (const mode of ['log', 'none'] as const) {
        start(mode);
        const waiting = progress.wait('Fetching licences');
        await pass(5000);
        waiting.done();
      }
      expect(io.stderr.text).toBe('');
    });

    it('ends when the program is stopped', async () => {
      start('animated');
      progress.wait('Fetching');
      await pass(301);
      progress.stop();
      expect(screen(io.stderr.text)).toEqual(['']);
      progress.wait('Again');
      progress.bar('Again', 1, 'items');
      await pass(5000);
      expect(screen(io.stderr.text)).toEqual(['']);
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  describe('progress bar', () => {
    it('is drawn after 300 ms, moves, and is removed', async () => {
      start('animated');
      const bar = progress.bar('Creating licences', 1000, 'items');
      await pass(250);
      bar.at(100);
      expect(io.stderr.text).toBe('');
      await pass(250);
      bar.at(250);
      await pass(100);
      expect(screen(io.stderr.text)).toEqual([
        'Creating licences █████░░░░░░░░░░░░░░░░ 25% · 250 of 1,000 · 500/s · 2 s left',
      ]);
      await progress.io.stderr.write('Row 7 failed.\n');
      expect(screen(io.stderr.text)[0]).toBe('Row 7 failed.');
      expect(screen(io.stderr.text)[1]).toMatch(/^Creating licences █/);
      bar.at(1000);
      bar.done();
      expect(screen(io.stderr.text)).toEqual(['Row 7 failed.', '']);
      expect(vi.getTimerCount()).toBe(0);
    });

    it('is a line every ten seconds in a log, and one at the end', async () => {
      start('log');
      const bar = progress.bar('Creating licences', 2000, 'items');
      await pass(300);
      await pass(9_700);
      bar.at(1000);
      await pass(300);
      await pass(700);
      bar.at(2000);
      bar.done();
      expect(io.stderr.text.split('\n')).toEqual([
        'Creating licences: 0%, 0 of 2,000',
        'Creating licences: 50%, 1,000 of 2,000, 100/s, 10 s left',
        'Creating licences: 100%, 2,000 of 2,000, 182/s',
        '',
      ]);
    });

    it('repeats no line in a log', async () => {
      start('log');
      const bar = progress.bar('Creating licences', 2, 'items');
      bar.at(2);
      await pass(300);
      bar.done();
      expect(io.stderr.text).toBe('Creating licences: 100%, 2 of 2\n');
    });

    it('prints nothing when it ends at once or is off', async () => {
      start('log');
      progress.bar('Quick', 10, 'items').done();
      start('none');
      progress.bar('Creating', 10, 'items').at(5);
      await pass(20_000);
      expect(io.stderr.text).toBe('');
    });
  });
});

describe('the text of a bar', () => {
  const upload = { label: 'Uploading atlas.pdf', total: 150 * 1024 * 1024, unit: 'bytes' } as const;
  const half = () => {
    const pace = meter(0);
    pace.record(75 * 1024 * 1024, 5000);
    return pace;
  };

  it('shows sizes for uploads', () => {
    expect(barLine(upload, half(), 100)).toBe(
      'Uploading atlas.pdf ████████████░░░░░░░░░░░░ 50% · 75.0 MB of 150.0 MB · 15.0 MB/s · 5 s left',
    );
    expect(logLine(upload, half())).toBe('Uploading atlas.pdf: 50%, 75.0 MB of 150.0 MB, 15.0 MB/s, 5 s left');
  });

  it.each([10, 30, 60, 79, 200])('fits %i columns', (columns) => {
    expect(widthOf(barLine(upload, half(), columns))).toBeLessThanOrEqual(columns);
  });

  it('counts rows of earlier runs, but not for the rate', () => {
    const work = { label: 'Creating', total: 1000, unit: 'items' } as const;
    const pace = meter(0, 900);
    expect(logLine(work, pace)).toBe('Creating: 90%, 900 of 1,000');
    pace.record(920, 1000);
    expect(logLine(work, pace)).toBe('Creating: 92%, 920 of 1,000, 20/s, 4 s left');
  });

  it('follows a change of the rate within ten seconds', () => {
    const pace = meter(0);
    for (let second = 1; second <= 100; second++) pace.record(second * 100, second * 1000);
    for (let second = 101; second <= 120; second++) pace.record(10_000 + (second - 100), second * 1000);
    expect(pace.rate).toBeCloseTo(1, 5);
    expect(pace.done).toBe(10_020);
  });

  it('formats numbers and times', () => {
    expect([0, 999, 1000, 1234567].map(counted)).toEqual(['0', '999', '1,000', '1,234,567']);
    expect([0, 1023, 2048, 157286400].map(sized)).toEqual(['0 B', '1023 B', '2 kB', '150.0 MB']);
    expect([0, 0.2, 59.5, 65, 3600, 7800].map(durationText)).toEqual([
      '1 s',
      '1 s',
      '1 min 0 s',
      '1 min 5 s',
      '1 h 0 min',
      '2 h 10 min',
    ]);
  });
});
