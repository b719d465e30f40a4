/** The values that a person can choose from when a flag is asked for: the flag's own, or a list read from the service. */
import type { Context } from '../../context.js';
import { books } from '../../contract/books.js';
import { publishers } from '../../contract/publishers.js';
import { roles } from '../../contract/roles.js';
import { schools } from '../../contract/schools.js';
import type { Referent } from '../../contract/vocabulary.js';
import type { Choice } from '../../prompt/prompt.js';
import type { Flag } from '../definition.js';

/** The most items of a list that are offered; whoever has more types the id. */
const MOST = 1000;

async function collect<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages) {
    items.push(...page);
    if (items.length >= MOST) break;
  }
  return items;
}

const named = (name: string | null, id: string): Choice<string> => ({
  name: `${name ?? '(no name)'}  ${id}`,
  value: id,
});

const LISTS: Partial<Record<Referent, (context: Context) => Promise<Choice<string>[]>>> = {
  subject: async (context) => {
    const client = await context.client();
    const subjects = await collect(client.pages(books.subjects, { query: { language: context.language() } }));
    return subjects.map(({ id, translatedName }) => named(translatedName, id));
  },
  bookType: async (context) => {
    const client = await context.client();
    const types = await collect(client.pages(books.types, { query: { language: context.language() } }));
    return types.map(({ type, translatedName }) => named(translatedName, type));
  },
  book: async (context) => {
    const client = await context.client();
    const { id, type } = await context.callersOrganization();
    const query = { organization: id, type, language: context.language() };
    const found = await collect(client.pages(books.list, { query }, { limit: MOST }));
    return found.map((book) => named(book.title, book.id));
  },
  role: async (context) => {
    const client = await context.client();
    const { id, type } = await context.callersOrganization();
    const found = await collect(client.pages(roles.list, { query: { organization: id, type } }));
    return found.map((role) => named(role.name, role.id));
  },
  school: async (context) => {
    const client = await context.client();
    return (await collect(client.pages(schools.list, {}, { limit: MOST }))).map(({ id, name }) => named(name, id));
  },
  publisher: async (context) => {
    const client = await context.client();
    return (await collect(client.pages(publishers.list, {}, { limit: MOST }))).map(({ id, name }) => named(name, id));
  },
};

/**
 * The choices for a flag, or undefined when any text is possible. A list that can't be read is no reason to stop: the
 * person types the id instead.
 */
export async function choicesFor(flag: Flag, context: Context): Promise<readonly Choice<string>[] | undefined> {
  if (flag.choices !== undefined && !flag.open) {
    return flag.choices.map((choice) => ({ name: String(choice), value: String(choice) }));
  }
  const list = flag.ref === undefined ? undefined : LISTS[flag.ref];
  if (list === undefined) return undefined;
  try {
    return await context.during('Reading the choices', list(context));
  } catch (error) {
    await context.warn(`The choices can't be listed: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
