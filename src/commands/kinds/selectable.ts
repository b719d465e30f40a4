/** The things that an id can point to, with their names, read from the service: for questions and for completion. */
import type { Context } from '../../cli/context.js';
import { books } from '../../contract/books.js';
import { licenses } from '../../contract/licenses.js';
import { publishers } from '../../contract/publishers.js';
import { readers } from '../../contract/readers.js';
import { roles } from '../../contract/roles.js';
import { schools } from '../../contract/schools.js';
import { subscriptions } from '../../contract/subscriptions.js';
import { users } from '../../contract/users.js';
import type { Referent } from '../../contract/vocabulary.js';

export interface Named {
  readonly id: string;
  readonly name: string;
}

async function collect<T>(
  pages: AsyncIterable<readonly T[]>,
  most: number,
  named: (item: T) => Named,
): Promise<Named[]> {
  const items: Named[] = [];
  for await (const page of pages) {
    items.push(...page.map(named));
    if (items.length >= most) break;
  }
  return items.slice(0, most);
}

type Read = (context: Context, most: number) => Promise<Named[]>;

const ownBooks: Read = async (context, most) => {
  const client = await context.client();
  const { id, type } = await context.callersOrganization();
  const query = { organization: id, type, language: context.language() };
  return collect(client.pages(books.list, { query }, { limit: most }), most, (book) => ({
    id: book.id,
    name: book.title,
  }));
};

const ownUsers: Read = async (context, most) => {
  const client = await context.client();
  const { id, type } = await context.callersOrganization();
  const pages = client.pages(users.list, { query: { organization: id, type } }, { limit: most });
  return collect(pages, most, (user) => ({ id: user.id, name: `${user.firstName} ${user.lastName} <${user.email}>` }));
};

const ownLicences: Read = async (context, most) => {
  const client = await context.client();
  const read = (type: 'BOOKS' | 'TEACHER') =>
    collect(client.pages(licenses.list, { query: { type } }, { limit: most }), most, ({ id, name, code }) => ({
      id,
      name: `${name} (${code})`,
    }));
  return [...(await read('BOOKS')), ...(await read('TEACHER'))].slice(0, most);
};

const ownSchools: Read = async (context, most) => {
  const client = await context.client();
  return collect(client.pages(schools.list, {}, { limit: most }), most, ({ id, name }) => ({ id, name }));
};

const ownPublishers: Read = async (context, most) => {
  const client = await context.client();
  return collect(client.pages(publishers.list, {}, { limit: most }), most, ({ id, name }) => ({ id, name }));
};

const READERS: Partial<Record<Referent, Read>> = {
  book: ownBooks,
  user: ownUsers,
  licence: ownLicences,
  school: ownSchools,
  publisher: ownPublishers,
  organization: async (context, most) => {
    const own = await context.callersOrganization();
    const owned =
      own.type === 'Distributor' ? [...(await ownPublishers(context, most)), ...(await ownSchools(context, most))] : [];
    return [{ id: own.id, name: `${own.type}, your own` }, ...owned];
  },
  subject: async (context, most) => {
    const client = await context.client();
    const pages = client.pages(books.subjects, { query: { language: context.language() } });
    return collect(pages, most, ({ id, translatedName }) => ({ id, name: translatedName }));
  },
  bookType: async (context, most) => {
    const client = await context.client();
    const pages = client.pages(books.types, { query: { language: context.language() } });
    return collect(pages, most, ({ type, translatedName }) => ({ id: type, name: translatedName }));
  },
  role: async (context, most) => {
    const client = await context.client();
    const { id, type } = await context.callersOrganization();
    return collect(client.pages(roles.list, { query: { organization: id, type } }), most, (role) => ({
      id: role.id,
      name: role.name,
    }));
  },
  reader: async (context, most) => {
    const client = await context.client();
    const pages = client.pages(readers.list, { query: { language: context.language() } }, { limit: most });
    return collect(pages, most, ({ id, title }) => ({ id, name: title }));
  },
  subscription: async (context, most) => {
    const client = await context.client();
    return collect(client.pages(subscriptions.list, {}, { limit: most }), most, ({ id, code, expirationDate }) => ({
      id,
      name: `${code}, until ${expirationDate}`,
    }));
  },
};

/**
 * The things of a kind that the caller may see, at most `most`.
 * @returns undefined when the service has no list of them
 */
export async function referents(kind: Referent, context: Context, most: number): Promise<readonly Named[] | undefined> {
  return READERS[kind]?.(context, most);
}
