/** Uploads and downloads of a real process, on real files. */
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { httpAnswer, type misbehavingServer } from '../support/misbehaving-server.js';
import { temporaryFolder } from '../support/run.js';
import { edu } from '../support/spawned.js';
import { at, misbehave, pdf, serve, shell } from './process-cases.js';

describe('uploads', () => {
  const REFUSAL = httpAnswer('400 Bad Request', '{"message":"no films, please"}', [
    'Content-Type: application/json',
    'Connection: close',
  ]);

  test.each([
    ['goes on reading', (socket) => socket.write(REFUSAL)],
    ['closes', (socket) => socket.end(REFUSAL)],
    ['resets', (socket) => socket.write(REFUSAL, () => setTimeout(() => socket.resetAndDestroy(), 20))],
    ['stops reading', (socket) => socket.pause().write(REFUSAL)],
  ] satisfies [string, Parameters<typeof misbehavingServer>[0][number]][])(
    'shows the early refusal of 100 MB by a service that %s',
    async (_, deed) => {
      const { origin, lines } = await misbehave([deed], { early: true });
      const argv = ['files', 'upload', pdf(100_000_000), '--type', 'Video'];
      const { code, stdout, stderr } = await edu(argv, at(origin));
      expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('the service rejected the request (400): no films, please.\n');
      expect(lines).toHaveLength(1);
    },
  );

  test.each([
    ['grows', (path: string) => writeFileSync(path, Buffer.alloc(9_000_000), { flag: 'a' }), 'grew beyond its 8000000'],
    ['shrinks', (path: string) => truncateSync(path, 1_000_000), 'shrank from 8000000 to \\d+'],
    ['is replaced by a smaller one', (path: string) => writeFileSync(path, 'new'), 'shrank from 8000000 to \\d+'],
  ] as const)('cancels the upload of a file that %s meanwhile', async (_, change, told) => {
    const path = pdf(8_000_000);
    let kept = 0;
    // The file changes when its first bytes have arrived; only then is the rest read.
    const origin = await serve((incoming, outgoing) => {
      incoming.once('data', () => {
        change(path);
        incoming.on('data', (chunk: Buffer) => (kept += chunk.length));
      });
      incoming.on('end', () => outgoing.end('{"type":"CloudStorage","id":"f1","url":"u"}'));
    });
    const ended = await edu(['files', 'upload', path, '--type', 'Document'], at(origin));
    expect(kept).toBeLessThan(8_100_000);
    // Not 2, which means that nothing was sent.
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(new RegExp(`The file "large\\.pdf" ${told} bytes while it was being sent`));
  });

  test('sends nothing if the file does not exist', async () => {
    const { origin, lines } = await misbehave([() => {}]);
    const { code, stderr } = await edu(['files', 'upload', 'gone.pdf'], at(origin));
    expect(code).toBe(2);
    expect(stderr).toContain('gone.pdf');
    expect(lines).toHaveLength(0);
  });
});

describe('downloads', () => {
  test('nothing is overwritten without --force', async () => {
    const origin = await serve((_, outgoing) => void outgoing.end('theirs'));
    const cwd = temporaryFolder();
    const path = join(cwd, 'f1');
    writeFileSync(path, 'mine');
    const options = { ...at(origin), cwd };
    const refused = await edu(['files', 'download', 'f1'], options);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('Cannot write f1: it exists already.');
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect((await edu(['files', 'download', 'f1', '--force'], options)).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe('theirs');
  });

  test('a download that breaks off leaves no part, and keeps the existing file', async () => {
    const origin = await serve((_, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '1000000' });
      outgoing.write(Buffer.alloc(500_000), () => setTimeout(() => outgoing.destroy(), 20));
    });
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'f1'), 'mine');
    const options = { ...at(origin), cwd };
    const { code, stderr } = await edu(['files', 'download', 'f1', '--force', '--retries', '0'], options);
    expect(code).toBe(7);
    expect(stderr).toMatch(/after \d+ of 1000000 bytes\.\nHint: No incomplete file was kept/);
    expect(readdirSync(cwd)).toEqual(['f1']);
    expect(readFileSync(join(cwd, 'f1'), 'utf8')).toBe('mine');
    expect(existsSync(join(cwd, '.f1.part'))).toBe(false);
  });

  test.each(['--to - | cat', '--to >(cat)'])(
    'a download that breaks off into a pipe does not start again: %s',
    async (to) => {
      let asked = 0;
      const origin = await serve((_, outgoing) => {
        asked++;
        outgoing.writeHead(200, { 'content-length': '1000' });
        outgoing.write('part', () => setTimeout(() => outgoing.destroy(), 20));
      });
      expect(await shell(`$EDU files download f1 ${to}`, origin)).toContain('Hint: The output is incomplete.');
      expect(asked).toBe(1);
    },
  );
});
