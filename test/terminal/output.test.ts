/** Tables, pager, colours and progress on a real terminal, at common widths. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { widthOf } from '../../src/output/width.js';
import { serve } from '../../src/service/serve/serve.js';
import { openTerminal } from './terminal.js';

const LISTS = [
  'edu licenses list --limit 40',
  'edu books list',
  'edu readers list',
  'edu users list --limit 40',
  'edu classes list --school s1',
  'edu schools list',
  'edu publishers list',
  'edu subscriptions list',
  'edu roles list',
  'edu licenses activations code:welcome1',
  'edu books subjects',
];

describe.each([60, 80, 200])('on a terminal of %i columns', (columns) => {
  it('no line of a table is wider, and no ID is cut', async () => {
    const terminal = await openTerminal({ columns, rows: 90 });
    for (const line of LISTS) {
      const { output, code } = await terminal.runs(line);
      expect(code, line).toBe(0);
      const ids = (await terminal.runs(`${line} -o ids 2>/dev/null`)).output.split('\n').filter((id) => id !== '');
      const lines = output.split('\n');
      const rule = lines.findIndex((one) => /^─+( {2}─+)*$/.test(one));
      expect(rule, `${line}\n${output}`).toBeGreaterThan(-1);
      // tmux joins wrapped lines again: a line that is wider than the terminal would appear here.
      for (const one of lines) expect(widthOf(one), `${line}: ${one}`).toBeLessThanOrEqual(columns);
      const rows = lines.slice(rule + 1, rule + 1 + ids.length);
      if (!line.includes('activations'))
        expect(
          rows.map((row) => row.split(' ')[0]),
          line,
        ).toEqual(ids);
      // Columns are aligned: the gaps of the rule are blank in every row.
      expect(widthOf(lines[rule] ?? '')).toBeLessThanOrEqual(columns);
    }
  });

  it('a help page and an error fit', async () => {
    const terminal = await openTerminal({ columns, rows: 90 });
    const wrong = await terminal.runs('edu licenses create --typ Bocks --maximum-activations many --days 31');
    expect(wrong.code).toBe(2);
    for (const one of wrong.output.split('\n')) expect(widthOf(one), one).toBeLessThanOrEqual(columns);
    if (columns < 80) return;
    for (const path of ['--help', 'licenses create --help', 'help formatting']) {
      const { output } = await terminal.runs(`edu ${path}`);
      for (const one of output.split('\n')) expect(widthOf(one), one).toBeLessThanOrEqual(columns);
    }
  });
});

describe('the pager', () => {
  it('shows what is longer than the screen, and leaving it early loses nothing', async () => {
    const terminal = await openTerminal({ rows: 20, env: { PAGER: 'less' } });
    await terminal.enter('edu licenses list --limit 100');
    const screen = await terminal.shows(/^:$/m);
    expect(screen.split('\n')[0]).toMatch(/^ID +NAME/);
    await terminal.type('q');
    expect((await terminal.ends()).code).toBe(0);
  });

  it('keeps the terminal at Ctrl-C until it ends, and ends at the second one', async () => {
    // Like less, it goes on at Ctrl-C.
    const script =
      "trap 'echo caught' INT; cat > /dev/null; echo open; read word < /dev/tty || read word < /dev/tty; echo got $word";
    const terminal = await openTerminal({ rows: 20, env: { PAGER: `sh -c "${script}"` } });
    for (const left of ['got q', 'caught']) {
      await terminal.enter('edu licenses list --limit 100');
      await terminal.shows('open');
      await terminal.press('C-c');
      await terminal.shows('caught');
      await (left === 'caught' ? terminal.press('C-c') : terminal.enterAnswer('q'));
      const { output, code } = await terminal.ends();
      expect(output).toContain(left);
      expect(code).toBe(130);
      expect((await terminal.runs('echo typed again')).output).toBe('typed again');
    }
  });

  it('is not started for a short table, with --no-pager, or when PAGER is cat', async () => {
    const terminal = await openTerminal({ rows: 20, env: { PAGER: 'sh -c "echo paged; cat"' } });
    expect((await terminal.runs('edu licenses list --limit 3')).output).not.toContain('paged');
    expect((await terminal.runs('edu licenses list --limit 50 --no-pager')).output).not.toContain('paged');
    expect((await terminal.runs('PAGER=cat edu licenses list --limit 50')).output).not.toContain('paged');
    expect((await terminal.runs('edu licenses list --limit 50')).output).toContain('paged');
  });
});

describe('colours', () => {
  const ESCAPE = '\x1b[';

  it('are on for titles and errors on a terminal', async () => {
    const terminal = await openTerminal();
    await terminal.enter('edu licenses list --limit 2; edu licences lst');
    await terminal.shows('Did you mean');
    const screen = await terminal.colours();
    expect(screen).toContain(`${ESCAPE}1mID`);
    expect(screen).toMatch(/\x1b\[31m\S*Error:/);
  });

  it.each([
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['TERM=dumb', { TERM: 'dumb' }],
  ])('are off with %s', async (_, env) => {
    const terminal = await openTerminal({ env });
    await terminal.enter('edu licenses list --limit 2; edu licences lst');
    await terminal.shows('Did you mean');
    expect(await terminal.colours()).not.toContain(ESCAPE);
  });
});

/** The bundled service, with latency. */
async function slow(latency: string): Promise<Record<string, string>> {
  const serving = await serve({ port: 0, clock: Date.now, latency });
  onTestFinished(() => serving.stop());
  const { baseUrl, personas } = serving.facts;
  return { EDU_OFFLINE: '0', EDU_BASE_URL: baseUrl, EDU_TOKEN: personas.distributor ?? '' };
}

/** A service that reads an upload in chunks of 64 kB, and sends a file in two parts, as over a slow line. */
async function sipping(): Promise<Record<string, string>> {
  const server = createServer((request, response) => {
    request.on('data', () => {
      request.pause();
      setTimeout(() => request.resume(), 5);
    });
    request.on('end', () => {
      if (request.method === 'GET') return response.write('%PDF-', () => setTimeout(() => response.end('end'), 1500));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: 'f1', type: 'CloudStorage', url: 'https://example.org/v1/api/file/get/f1' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { EDU_OFFLINE: '0', EDU_BASE_URL: `http://127.0.0.1:${port}`, EDU_TOKEN: 'token' };
}

describe('progress', () => {
  it('of a wait is a spinner that is removed', async () => {
    const terminal = await openTerminal({ env: await slow('1200ms') });
    await terminal.enter('edu schools list');
    await terminal.shows(/^[⠀-⣿] Fetching schools/m);
    const { output, code } = await terminal.ends();
    expect(code).toBe(0);
    expect(output).not.toMatch(/Fetching|[⠀-⣿]/);
    expect(output.split('\n')[0]).toMatch(/^ID +NAME/);
  });

  it('of an upload is a bar with share, rate and time left, which is removed', async () => {
    const terminal = await openTerminal({ env: await sipping() });
    writeFileSync(join(terminal.home, 'film.bin'), Buffer.alloc(24 << 20));
    await terminal.enter('edu files upload film.bin');
    const screen = await terminal.shows(
      /Uploading film\.bin █+░+ \d+% · [\d.]+ MB of 24\.0 MB · [\d.]+ MB\/s · \d+ s left/,
    );
    for (const line of screen.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(80);
    const { output, code } = await terminal.ends();
    expect(code).toBe(0);
    expect(output).not.toContain('%');
    expect(output).toMatch(/^ID +f1$/m);
  });

  it('of an upload is removed at once by Ctrl-C', async () => {
    const terminal = await openTerminal({ env: await sipping() });
    writeFileSync(join(terminal.home, 'film.bin'), Buffer.alloc(48 << 20));
    await terminal.enter('edu files upload film.bin');
    await terminal.shows(/Uploading film\.bin.*%/);
    await terminal.press('C-c');
    const { output, code } = await terminal.ends();
    expect(code).toBe(130);
    expect(output).not.toContain('%');
  });

  it('of a download ends before the reader of its pipe shows it', async () => {
    const terminal = await openTerminal({ env: await sipping() });
    expect((await terminal.runs('edu files download f1 --to - | cat; echo')).output).toBe('%PDF-end');
  });

  it.each([
    ['EDU_PLAIN', { EDU_PLAIN: '1' }],
    ['TERM=dumb', { TERM: 'dumb' }],
  ])('is a static line with %s', async (_, env) => {
    const terminal = await openTerminal({ env: { ...(await slow('1200ms')), ...env } });
    const { output, code } = await terminal.runs('edu schools list');
    expect(code).toBe(0);
    expect(output.split('\n')[0]).toBe('Fetching schools…');
    expect(output).not.toMatch(/[⠀-⣿]/);
  });
});
