/** Runs `edu mcp serve`: the server and its connection. */
import { Readable, Writable } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod/v4';
import { type Commands, isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { findEntry } from '../../cli/find-command.js';
import { usageError } from '../../core/errors.js';
import type { Io } from '../../core/io.js';
import { once } from '../../core/maps.js';
import { didYouMean } from '../../core/suggest.js';
import { version } from '../../core/version.js';
import { createAnswers } from './answers.js';
import { registerPrompts, registerResources } from './offered-texts.js';
import { createSession } from './session.js';
import texts from './texts.json' with { type: 'json' };
import { registerTools } from './tools.js';

/** The streams of this process for the SDK. `closed` resolves when the assistant has closed one of them. */
function connection({ stdin, stdout }: Io) {
  const input = Readable.from(stdin, { objectMode: false });
  const output = new Writable({
    write: (chunk: Buffer, _, done) => void stdout.write(chunk).then(() => done(), done),
  });
  // Stopping to read ends it early.
  input.on('error', () => {});
  const closed = new Promise<void>((resolve) => {
    input.once('close', resolve);
    // A read that waits would delay the end of the input.
    output.once('error', () => resolve());
  });
  return { transport: new StdioServerTransport(input, output), closed };
}

/** The names of groups. @throws EduError `usage` for an unknown one */
function groupsOf(values: Values, commands: Commands): readonly string[] {
  return textsOf(values, 'resources').map((name) => {
    const entry = findEntry(commands, name);
    if (entry !== undefined) return entry.name;
    const known = commands.map((one) => one.name);
    throw usageError(`--resources: there is no group ${JSON.stringify(name)}.`, didYouMean(name, known));
  });
}

/** Serves until the assistant closes the connection. */
export async function serveMcp(values: Values, context: Context, commands: Commands): Promise<void> {
  if (context.io.stdin.isTTY) {
    throw usageError(
      'Cannot serve an assistant on a terminal: it starts this command itself.',
      'Set it up: edu mcp install',
    );
  }
  // Compiling a schema takes longer than the few messages of a session save.
  z.config({ jitless: true });
  const groups = groupsOf(values, commands);
  const isRedacted = isOn(values, 'redact');
  const scope = { groups, isRedacted, organization: textOf(values, 'organization') };
  const session = createSession(
    context,
    isRedacted ? (await import('./pseudonyms.js')).createRedactor(context.env, context.randomBytes) : {},
  );
  context.onEnd(session.close);
  const usable = once(async () => (await import('./usable-commands.js')).usableCommands(commands, scope));
  const { transport, closed } = connection(context.io);
  const handle = serveStdio(
    () => {
      const server = new McpServer({ name: 'edu', version: version() }, { instructions: texts.instructions });
      const answers = createAnswers(server, context);
      registerTools(answers, session, { usable, scope, mayApply: isOn(values, 'allow-apply') });
      registerResources(server, answers);
      registerPrompts(server, answers);
      return server;
    },
    { transport },
  );
  context.onEnd(handle.close);
  await closed;
  context.io.stdin.stop?.();
}
