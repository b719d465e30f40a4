/** The pages that assistants can read: help topics, rules of the service and schemas. */
import { existsSync, readFileSync } from 'node:fs';
import { layOutHelp } from '../../cli/help-layout.js';
import { EXPORTED, type Resource } from '../../export/collect/resources.js';
import { schemaOf } from '../../export/files/schema.js';
import { TOPICS, topicPage } from '../help/topics.js';
import texts from './texts.json' with { type: 'json' };

const page = (path: string, title: string, mimeType: string, read: () => string) => ({
  uri: `edu://${path}`,
  title,
  mimeType,
  read,
});

/** The page with the rules in the package: the bundle is in dist/chunks/, this file in src/commands/mcp/. */
const RULES = ['../../docs/service-rules.md', '../../../docs/service-rules.md'].map(
  (path) => new URL(path, import.meta.url),
);

/** In the order in which assistants list them. */
export function allPages() {
  const rules = RULES.find((file) => existsSync(file));
  return [
    page('help/planning', 'Wanted states', 'text/plain', () => texts.planning.join('\n')),
    ...TOPICS.map((one) => page(`help/${one.name}`, one.title, 'text/plain', () => layOutHelp(topicPage(one)))),
    ...(rules === undefined
      ? []
      : [page('rules', 'Rules of the service', 'text/markdown', () => readFileSync(rules, 'utf8'))]),
    ...Object.keys(EXPORTED).map((name) =>
      page(`schema/${name}`, `JSON Schema of ${name}`, 'application/schema+json', () =>
        JSON.stringify(schemaOf(name as Resource)),
      ),
    ),
  ];
}
