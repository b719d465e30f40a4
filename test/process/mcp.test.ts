/** The built `edu mcp` as a process, as assistants start it. */
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, onTestFinished } from 'vitest';
import { EDU, start, surroundings } from '../support/spawned.js';

async function connected(env: Record<string, string>, argv: readonly string[]) {
  const transport = new StdioClientTransport({ command: process.execPath, args: [EDU, 'mcp', ...argv], env });
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, transport };
}

it('serves the official client over stdio, and ends with the connection', async () => {
  const { client, transport } = await connected(surroundings(), ['--offline']);
  const { content } = await client.callTool({
    name: 'read',
    arguments: { command: 'schools get', arguments: ['s1'], flags: { fields: 'id' } },
  });
  const [first] = content;
  expect(first?.type === 'text' && JSON.parse(first.text).data).toEqual([{ id: 's1' }]);
  const { pid } = transport;
  await client.close();
  expect(pid).not.toBe(null);
  await expect.poll(() => isRunning(pid ?? 0)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('ends at %s with the exit code %i', async (signal, code) => {
  const { child, done } = start(['mcp', '--offline'], { env: surroundings(), input: 'not json\n', isOpen: true });
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })}\n`);
  await once(child.stdout, 'data');
  child.kill(signal);
  expect(await done).toMatchObject({ code });
});

it('ends quietly when the assistant closes the pipe', async () => {
  const { child, done } = start(['mcp', '--offline'], { env: surroundings(), isOpen: true, unread: true });
  child.stdout.destroy();
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })}\n`);
  expect(await done).toMatchObject({ code: 0, stderr: '' });
});
