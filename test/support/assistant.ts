/** An assistant: the official client, connected to `edu mcp` in this process. */
import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { home, type Ran, type RunOptions, run } from './run.js';

export interface AssistantOptions extends Pick<RunOptions, 'env'> {
  /** Answers for the person; without it, the assistant cannot ask. */
  readonly person?: (question: ElicitRequest['params']) => ElicitResult;
  /** The protocol of 2026 (default: that of 2025, which clients speak so far). */
  readonly isModern?: boolean;
}

/** A person who types the start of the hash in the question. */
export const accepting = ({ message }: ElicitRequest['params']): ElicitResult => ({
  action: 'accept',
  content: { hash: String(message).slice(11, 15) },
});

/** A result of a tool. */
// biome-ignore lint/suspicious/noExplicitAny: tests compare its members
export type Answered = any;

export async function assistant(argv: readonly string[], { env = home(), person, isModern }: AssistantOptions = {}) {
  const input = new PassThrough();
  let rest = '';
  const transport: Transport = {
    start: async () => {},
    send: async (message) => void input.write(`${JSON.stringify(message)}\n`),
    close: async () => {
      input.end();
      transport.onclose?.();
    },
  };
  function onWrite(text: string): void {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
  }
  const ended: Promise<Ran> = run(['mcp', ...argv], { env, input, onWrite, randomBytes });
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: person === undefined ? {} : { elicitation: {} },
      ...(isModern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}),
    },
  );
  if (person !== undefined) client.setRequestHandler('elicitation/create', async ({ params }) => person(params));
  onTestFinished(() => void input.end());
  await client.connect(transport);
  return {
    client,
    env,
    ended,
    input,
    /** Calls a tool. @returns its JSON, and whether it is an error */
    async call(name: string, args: Record<string, unknown> = {}): Promise<Answered> {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const [first] = content;
      if (first?.type !== 'text') throw new TypeError('The tool returned no text.');
      try {
        return { isError: isError === true, ...JSON.parse(first.text) };
      } catch {
        return { isError, text: first.text };
      }
    },
  };
}
