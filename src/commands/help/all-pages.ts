/** All help pages by file name, and the data of references and man pages. Used by the build only. */
import { type Flag, isGroup } from '../../cli/command.js';
import { GLOBAL_FLAGS } from '../../cli/global-flags.js';
import * as help from '../../cli/help.js';
import { layOutHelp } from '../../cli/help-layout.js';
import { contract, oauth } from '../../contract/index.js';
import { ENTRIES, everyNode, type Node } from '../index.js';
import { TOPICS, type Topic, topicPage } from './topics.js';

const { commandPage, groupPage, mainPage } = help;

/** File name (`edu`, `edu.licenses`, `edu.licenses.create`, `help.formatting`) → page, not laid out. */
export async function helpPages(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>([['edu', mainPage(ENTRIES)]]);
  for await (const { path, entry, loaded } of everyNode()) {
    pages.set(`edu.${path.replace(' ', '.')}`, isGroup(loaded) ? groupPage(loaded, entry) : commandPage(loaded, path));
  }
  for (const topic of TOPICS) pages.set(`help.${topic.name}`, topicPage(topic));
  return pages;
}

/** Everything that references and man pages are made of. */
export interface Manual {
  /** In the order of the main help page, each group before its commands. */
  readonly nodes: readonly Node[];
  readonly globals: readonly Flag[];
  /** With their text, laid out for 80 columns. */
  readonly topics: readonly (Topic & { readonly text: string })[];
  readonly contract: typeof contract;
  readonly oauth: typeof oauth;
  /** How help pages write arguments and flags. */
  readonly help: Pick<typeof help, 'flagAbout' | 'flagTerm' | 'metavar' | 'relevantGlobals' | 'sections' | 'usage'>;
}

/** All commands loaded, with what describes them. */
export async function manual(): Promise<Manual> {
  const nodes: Node[] = [];
  for await (const node of everyNode()) nodes.push(node);
  // The order of the headings on the main help page.
  const headings = [...new Set(ENTRIES.map(({ section }) => section))];
  nodes.sort((a, b) => headings.indexOf(a.entry.section) - headings.indexOf(b.entry.section));
  const topics = TOPICS.map((topic) => ({ ...topic, text: layOutHelp(topic.page) }));
  return { nodes, globals: GLOBAL_FLAGS, topics, contract, oauth, help };
}
