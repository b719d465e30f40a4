/** The pages that assistants can read: help topics, rules of the service and schemas. */
import { existsSync, readFileSync } from 'node:fs';
import { layOutHelp } from '../../cli/help-layout.js';
import { EXPORTED, type Resource } from '../../export/collect/resources.js';
import { schemaOf } from '../../export/files/schema.js';
import { TOPICS, topicPage } from '../help/topics.js';
import texts from './texts.json' with { type: 'json' };

export interface Page {
  readonly uri: string;
  readonly title: string;
  readonly mimeType: string;
  readonly read: () => string;
}

/** The page with the rules in the package: the bundle is in dist/chunks/, this file in src/commands/mcp/. */
const RULES = ['../../docs/service-rules.md', '../../../docs/service-rules.md'].map(
  (path) => new URL(path, import.meta.url),
);

/** In the order in which assistants list them. */
export function allPages(): readonly Page[] {
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
