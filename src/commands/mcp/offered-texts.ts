/** The resources of the server: help topics, rules of the service and schemas; and its prompts: everyday tasks. */
import { existsSync, readFileSync } from 'node:fs';
import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import { layOutHelp } from '../../cli/help-layout.js';
import { EXPORTED, type Resource } from '../../export/collect/resources.js';
import { schemaOf } from '../../export/files/schema.js';
import { TOPICS, topicPage } from '../help/topics.js';
import type { Answers } from './answers.js';
import texts from './texts.json' with { type: 'json' };

interface Page {
  readonly uri: string;
  readonly title: string;
  readonly mimeType: string;
  readonly read: () => string;
}

/** The page with the rules in the package: the bundle is in dist/chunks/, this file in src/commands/mcp/. */
const RULES = ['../../docs/service-rules.md', '../../../docs/service-rules.md'].map(
  (path) => new URL(path, import.meta.url),
);

function allPages(): readonly Page[] {
  const rules = RULES.find((file) => existsSync(file));
  return [
    {
      uri: 'edu://help/planning',
      title: 'Wanted states',
      mimeType: 'text/plain',
      read: () => texts.planning.join('\n'),
    },
    ...TOPICS.map((topic) => ({
      uri: `edu://help/${topic.name}`,
      title: topic.title,
      mimeType: 'text/plain',
      read: () => layOutHelp(topicPage(topic), {}),
    })),
    ...(rules === undefined
      ? []
      : [
          {
            uri: 'edu://rules',
            title: 'Rules of the service',
            mimeType: 'text/markdown',
            read: () => readFileSync(rules, 'utf8'),
          },
        ]),
    ...Object.keys(EXPORTED).map((name) => ({
      uri: `edu://schema/${name}`,
      title: `JSON Schema of ${name}`,
      mimeType: 'application/schema+json',
      read: () => JSON.stringify(schemaOf(name as Resource)),
    })),
  ];
}

export function registerResources(server: McpServer, { logged }: Answers): void {
  for (const { uri, title, mimeType, read } of allPages()) {
    server.registerResource(title, uri, { title, mimeType }, () =>
      logged('resource', uri, async () => ({ contents: [{ uri, mimeType, text: read() }] })),
    );
  }
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
