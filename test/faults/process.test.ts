/** What only a real process shows: signals and pipes. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.js';
import { edu, type Spawned, start } from '../support/spawned.js';
import { withResolvers } from '../support/with-resolvers.js';
import { at, LIST, licences, misbehave, pdf, serve, shell } from './process-cases.js';

/** Sends a signal, which ends the program within a second. @returns how it ended */
async function ended({ child, done }: Spawned, signal: NodeJS.Signals) {
  const since = Date.now();
  child.kill(signal);
  const end = await done;
  expect(Date.now() - since).toBeLessThan(1000);
  return end;
}

describe('signals', () => {
  const SIGNALS = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const;

  test.each(SIGNALS)('%s ends a list at once', async (signal, code) => {
    const program = start([...LIST, '-o', 'ndjson'], at(await serve(licences())));
    await new Promise<void>((resolve) => program.child.stdout.once('data', () => resolve()));
    expect(await ended(program, signal)).toMatchObject({
      code,
      stderr: expect.stringMatching(/^\{"error":\{"kind":"\w+"/),
    });
  });

  test.each(SIGNALS)('%s ends a list whose reader has stopped reading', async (signal, code) => {
    const program = start([...LIST, '-o', 'ndjson'], { ...at(await serve(licences())), unread: true });
    await new Promise((resolve) => setTimeout(resolve, 800));
    const end = await ended(program, signal);
    // A shell reports 128 plus the signal's number in both cases.
    expect(end.code === code || end.signal === signal).toBe(true);
  });

  test.each(SIGNALS)('%s ends an upload at once', async (signal, code) => {
    const { promise: begun, resolve: begin } = withResolvers();
    const { origin } = await misbehave([() => begin()], { early: true });
    const program = start(['files', 'upload', pdf(50_000_000), '--type', 'Document'], at(origin));
    await begun;
    expect(await ended(program, signal)).toMatchObject({ code, stdout: '' });
  });

  test.each(SIGNALS)('%s ends the wait before a retry at once', async (signal, code) => {
    const { promise: begun, resolve: begin } = withResolvers();
    const origin = await serve((_, outgoing) => {
      outgoing.writeHead(503, { 'retry-after': '30' }).end();
      begin();
    });
    const program = start(['schools', 'get', 's1'], at(origin));
    await begun;
    expect(await ended(program, signal)).toMatchObject({ code, stdout: '' });
  });

  test('an interrupted download leaves nothing behind', async () => {
    const { promise: begun, resolve: begin } = withResolvers();
    const origin = await serve((_, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '2000000', 'content-disposition': 'attachment; filename=x.bin' });
      outgoing.write(Buffer.alloc(1_000_000), () => begin());
    });
    const cwd = temporaryFolder();
    const program = start(['files', 'download', 'f1'], { ...at(origin), cwd });
    await begun;
    await expect.poll(() => readdirSync(cwd)).toHaveLength(1);
    expect((await ended(program, 'SIGINT')).code).toBe(130);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

describe('pipes', () => {
  test('a pipe receives all of 100 MB', { timeout: 90_000 }, async () => {
    const count = 260_000;
    const { stdout, ...end } = await edu([...LIST, '-o', 'ndjson'], at(await serve(licences(count))));
    expect(end).toMatchObject({ code: 0, stderr: '' });
    expect(stdout.length).toBeGreaterThan(85_000_000);
    const lines = stdout.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(count);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ id: `L${count - 1}` });
  });

  test('a full disk is a readable error', async () => {
    const said = await shell('$EDU licenses list --type BOOKS >/dev/full; echo $?', await serve(licences(10)));
    expect(said).toMatch(
      /^1\nError: Cannot write the output: .*\nHint: Make room on the disk and run the command again\.\n$/,
    );
  });
});
