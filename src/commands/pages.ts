/** Every help page by file name, for the build: `edu`, `edu-licenses`, `edu-licenses-create`, `edu-formatting`. */
import { isGroup } from './definition.js';
import { commandPage, groupPage, mainPage } from './help.js';
import { TOPICS } from './topics.js';
import { ENTRIES, everyNode } from './tree.js';

/** File name without its ending → text of the page. */
export async function helpPages(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>([['edu', mainPage(ENTRIES)]]);
  for await (const { path, entry, loaded } of everyNode()) {
    pages.set(`edu-${path.replace(' ', '-')}`, isGroup(loaded) ? groupPage(loaded, entry) : commandPage(loaded, path));
  }
  for (const { name, text } of TOPICS) pages.set(`edu-${name}`, text);
  return pages;
}
