/** The sources of a resource's items: one list, or one per organization, language or licence. */
import type { Client, ListOptions } from '../../client/request/client.js';
import { account } from '../../contract/account.js';
import { licenses } from '../../contract/licenses.js';
import { type ListInput, listInputs } from '../../contract/list-inputs.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { countAt } from '../../core/json.js';
import type { ExportOptions, Job } from './export-job.js';
import { EXPORTED, isByOrganization, type Resource } from './resources.js';

export interface Source {
  /** The owner in notes: `School s1`; empty for the resource's only list. */
  readonly of: string;
  /** Path and query of its requests. */
  readonly filter: string;
  /** The same with `{id}` for the item that the list belongs to. */
  readonly template: string;
  /** True if the request names the item that the list belongs to: an organization, a licence. */
  readonly ofSomething: boolean;
  readonly pages: (options: ListOptions) => AsyncIterable<readonly unknown[]>;
  /** The pages with items as `JsonText`, if the list can be read so. */
  readonly texts?: (options: ListOptions) => AsyncIterable<readonly unknown[]>;
  /** True if the service counts items in the list, so that a 403 or 404 is a failure. */
  readonly isCounted?: boolean;
  /** Returns why the number of items is too low; undefined if it is not. */
  readonly missing?: (count: number) => Promise<string | undefined>;
}

type Add = Readonly<Record<string, unknown>>;

async function* withFields(pages: AsyncIterable<readonly unknown[]>, more: Add): AsyncGenerator<readonly unknown[]> {
  for await (const items of pages) {
    yield items.map((item) => (typeof item === 'object' && item !== null ? { ...item, ...more } : item));
  }
}

function templateOf(client: Client, endpoint: Endpoint, { params, query }: Omit<ListInput, 'of'>): string {
  const id = (values: object | undefined, name: string) =>
    values !== undefined && name in values ? '{id}' : undefined;
  const names = Object.keys(params ?? {});
  const { path } = client.prepare(endpoint, {
    params: Object.fromEntries(names.map((name) => [name, '{id}'])),
    query: { ...query, organization: id(query, 'organization') },
  });
  return path.replaceAll(encodeURIComponent('{id}'), '{id}');
}

function listOf(client: Client, endpoint: Endpoint, { of, ...input }: ListInput, more?: Add): Source {
  const { path } = client.prepare(endpoint, input);
  const pages = (options: ListOptions): AsyncIterable<readonly unknown[]> => client.pages(endpoint, input, options);
  const facts = {
    of,
    filter: path,
    template: templateOf(client, endpoint, input),
    ofSomething: input.params !== undefined || input.query?.organization !== undefined,
  };
  if (more !== undefined) return { ...facts, pages: (options) => withFields(pages(options), more) };
  return { ...facts, pages, texts: (options) => client.texts(endpoint, input, options) };
}

function accountSource(client: Client): Source {
  return {
    of: '',
    filter: client.prepare(account.show, {}).path,
    template: client.prepare(account.show, {}).path,
    ofSomething: false,
    async *pages({ signal }) {
      yield [await client.call(account.show, {}, { signal })];
    },
  };
}

export type Scope = Pick<ExportOptions, 'language' | 'languages'> & Pick<Job, 'organizations'>;

/** The lists of a resource, except activations: see `activationsOf`. One by one, because there may be many organizations. */
export function* sourcesOf(
  resource: Resource,
  client: Client,
  { language, languages, organizations }: Scope,
): Generator<Source> {
  const { list, addition } = EXPORTED[resource];
  if (list === undefined) return void (yield accountSource(client));
  const isOfLanguages = languages.length > 0 && addition !== undefined;
  const scopes = isByOrganization(resource) ? organizations.map((one) => [one]) : [[]];
  for (const one of isOfLanguages ? languages : [language])
    for (const of of scopes)
      for (const input of listInputs(list, { languages: [one], organizations: of }))
        yield isOfLanguages
          ? listOf(client, list, { ...input, of: one }, { language: one })
          : listOf(client, list, input);
}

/** A licence's number of activations; 0 if it is not known. */
const countOf = (item: unknown): number => countAt(item, 'numberOfActivations') ?? 0;

/** The activations of one licence. The licence's own count is the min expected number. */
export function activationsOf(client: Client, licence: Readonly<Record<string, unknown>>, signal: AbortSignal): Source {
  const id = String(licence.id);
  const input = { params: { id } };
  const counted = countOf(licence);
  return {
    ...listOf(client, licenses.activations, { ...input, of: `licence ${id}` }, { licenseId: id }),
    isCounted: counted > 0,
    async missing(count) {
      if (count >= counted) return undefined;
      // An activation may have ended since the licences were listed.
      const now = await client.call(licenses.get, input, { signal }).then(countOf, () => counted);
      return count >= now ? undefined : `the licence counts ${now} and the service gives ${count}`;
    },
  };
}
