/** Runs `edu mcp serve`: the server and its connection. */
import { Readable, Writable } from 'node:stream';
import { McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
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
import { type Answers, createAnswers } from './answers.js';
import { createSession } from './session.js';
import texts from './texts.json' with { type: 'json' };
import { registerTools } from './tools.js';

/** The streams of this process for the SDK. `closed` resolves when the assistant has closed one of them. */
function connection({ stdin, stdout }: Io) {
  const input = Readable.from(stdin, { objectMode: false });
  const output = new Writable({
    write: (chunk: Buffer, _, done) => void stdout.write(chunk).then(() => done(), done),
  });
  // A reader that stops destroys the stream with an error.
  input.on('error', () => {});
  const closed = new Promise<void>((resolve) => {
    input.once('close', resolve);
    // A read that waits would delay the end of the input.
    output.once('error', () => resolve());
  });
  return { transport: new StdioServerTransport(input, output), closed };
}

/** Loads the pages when an assistant asks for them: they need every field of the service. */
function registerResources(server: McpServer, { logged }: Answers): void {
  const pages = async () => (await import('./offered-pages.js')).allPages();
  const list = async () => ({
    resources: (await pages()).map(({ uri, title, mimeType }) => ({ uri, name: title, title, mimeType })),
  });
  const template = new ResourceTemplate('edu://{+page}', { list });
  server.registerResource('Pages', template, {}, async ({ href: uri }) => {
    const find = async () => (await pages()).find((one) => one.uri === uri);
    const page = await logged('resource', uri, find, (found) => (found === undefined ? 'usage' : 'done'));
    if (page === undefined) throw new ResourceNotFoundError(uri, `There is no resource ${JSON.stringify(uri)}.`);
    return { contents: [{ uri, mimeType: page.mimeType, text: page.read() }] };
  });
}

/** Replaces `{name}` by the value of an argument. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''));

function registerPrompts(server: McpServer, { logged }: Answers): void {
  for (const [name, prompt] of Object.entries(texts.prompts)) {
    const optional: readonly string[] = prompt.optional;
    const fields = Object.entries(prompt.arguments).map(([key, about]) => {
      const field = z.string().max(20_000).describe(about);
      return [key, optional.includes(key) ? field.default('unknown') : field];
    });
    const argsSchema = z.object(Object.fromEntries(fields) as Record<string, z.ZodType<string>>);
    const { title, description, text } = prompt;
    server.registerPrompt(name, { title, description, argsSchema }, (values) =>
      logged('prompt', name, async () => ({
        messages: [{ role: 'user', content: { type: 'text', text: filled(text, values) } }],
      })),
    );
  }
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
