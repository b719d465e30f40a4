/** The resources of the server: pages; and its prompts: everyday tasks. */
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import { usageError } from '../../core/errors.js';
import type { Answers } from './answers.js';
import texts from './texts.json' with { type: 'json' };

/** Loads the pages when an assistant asks for them: they need every field of the service. */
export function registerResources(server: McpServer, { logged }: Answers): void {
  const pages = async () => (await import('./offered-pages.js')).allPages();
  const list = async () => ({
    resources: (await pages()).map(({ uri, title, mimeType }) => ({ uri, name: title, title, mimeType })),
  });
  const template = new ResourceTemplate('edu://{+page}', { list });
  server.registerResource('Pages', template, {}, async ({ href: uri }) => {
    return logged('resource', uri, async () => {
      const page = (await pages()).find((one) => one.uri === uri);
      if (page === undefined) throw usageError(`There is no resource ${JSON.stringify(uri)}.`);
      const { mimeType, read } = page;
      return { contents: [{ uri, mimeType, text: read() }] };
    });
  });
}

/** Replaces `{name}` by the value of an argument. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''));

export function registerPrompts(server: McpServer, { logged }: Answers): void {
  for (const [name, prompt] of Object.entries(texts.prompts)) {
    const fields = Object.entries(prompt.arguments).map(([key, about]) => [
      key,
      z.string().max(20_000).describe(about),
    ]);
    const argsSchema = z.object(Object.fromEntries(fields) as Record<string, z.ZodString>);
    const { title, description, text } = prompt;
    server.registerPrompt(name, { title, description, argsSchema }, (values) =>
      logged('prompt', name, async () => ({
        messages: [{ role: 'user', content: { type: 'text', text: filled(text, values) } }],
      })),
    );
  }
}
