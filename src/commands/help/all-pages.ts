/** All help pages by file name, and the data of reference pages and man pages. Used only by the build. */
import { isGroup } from '../../cli/command.js';
import type { Node } from '../../cli/find-command.js';
import { GLOBAL_FLAGS } from '../../cli/global-flags.js';
import * as help from '../../cli/help.js';
import { layOutHelp } from '../../cli/help-layout.js';
import { contract, oauth } from '../../contract/index.js';
import { TEXT_FORMATS } from '../../contract/shared.js';
import { type Check, schemaOf } from '../../core/checks.js';
import { RESOURCES } from '../../export/collect/resources.js';
import { isManifest } from '../../export/files/manifest.js';
import { isRunRecord } from '../../export/files/run-record.js';
import { DIALECT, schemaFile, schemaText } from '../../export/files/schema.js';
import { isErrorDocument } from '../../output/error-document.js';
import { isReceiptHeader, isReceiptStep } from '../../plan/apply/receipt.js';
import { ENTRIES, everyNode } from '../index.js';
import { TOPICS, topicPage } from './topics.js';

const { commandPage, groupPage, mainPage } = help;

/** Documents other than items: an export's manifest and record, receipts, error objects. */
const DOCUMENTS: Readonly<
  Record<string, readonly [title: string, description: string, check: Pick<Check<unknown>, 'schema'>]>
> = {
  'export-manifest': ['ExportManifest', 'manifest.json of an export.', isManifest],
  'export-run': ['ExportRun', 'run.json of an export.', isRunRecord],
  receipt: [
    'ReceiptLine',
    'One line of the receipt that `edu apply` writes: first the header, then the steps.',
    { schema: { anyOf: [schemaOf(isReceiptHeader), schemaOf(isReceiptStep)] } },
  ],
  error: ['ErrorDocument', 'The error on stderr with JSON output.', isErrorDocument],
};

/** File names and contents. */
const documentSchemas = (): readonly (readonly [file: string, text: string])[] =>
  Object.entries(DOCUMENTS).map(([name, [title, description, check]]) => {
    const document = { $schema: DIALECT, $id: `urn:edu:${name}:1`, title, description, ...schemaOf(check) };
    return [`${name}.schema.json`, `${JSON.stringify(document, null, 2)}\n`];
  });

/** Help pages without layout, by file name: `edu`, `edu.licenses`, `edu.licenses.create`, `help.formatting`. */
export async function helpPages(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>([['edu', mainPage(ENTRIES)]]);
  for await (const { path, entry, loaded } of everyNode()) {
    pages.set(`edu.${path.replace(' ', '.')}`, isGroup(loaded) ? groupPage(loaded, entry) : commandPage(loaded, path));
  }
  for (const topic of TOPICS) pages.set(`help.${topic.name}`, topicPage(topic));
  return pages;
}

/** With the functions that format arguments and flags in help pages, topics laid out for 80 columns, and schemas. */
export async function manual() {
  /** Groups before their commands. */
  const nodes: Node[] = [];
  for await (const node of everyNode()) nodes.push(node);
  // Sections in the order of the main help page.
  const headings = [...new Set(ENTRIES.map(({ section }) => section))];
  nodes.sort((a, b) => headings.indexOf(a.entry.section) - headings.indexOf(b.entry.section));
  const topics = TOPICS.map((topic) => ({ ...topic, text: layOutHelp(topic.page) }));
  const schemas = [...RESOURCES.map((name) => [schemaFile(name), schemaText(name)] as const), ...documentSchemas()];
  return { nodes, globals: GLOBAL_FLAGS, topics, contract, oauth, textFormats: TEXT_FORMATS, schemas, help };
}

export type Manual = Awaited<ReturnType<typeof manual>>;
