/** Reads the lists of all organizations that the caller owns as one list (`--all-organizations`). */
import type { Context } from '../../cli/context.js';
import type { Resource } from '../../contract/resource.js';
import type { OrganizationReference } from '../../contract/shared.js';
import type { Field } from '../../contract/vocabulary.js';
import { EduError, firstProblems, isKind, type Problem, UNREADABLE } from '../../core/errors.js';
import { asId, getPath, isObject } from '../../core/json.js';
import type { Pages } from '../../output/select/item-pages.js';
import { distinct } from './list-filter.js';
import type { Call } from './spec.js';

/** Max number of lists that are read at the same time. Their pages are buffered in the order of the organizations. */
const CONCURRENCY = 6;
const MAX_NAMED = 20;

interface Owned extends OrganizationReference {
  readonly name?: string;
}

type OnFailure = (list: string, error: unknown) => void;

/** The caller's organization and those that it owns; only a distributor owns any (service-api-v1.md, first section). */
async function ownedOrganizations(context: Context, onFailure: OnFailure): Promise<readonly Owned[]> {
  const own = await context.callersOrganization();
  const owned = new Map<string, Owned>([[own.id, own]]);
  if (own.type !== 'Distributor') return [own];
  const { resourcesBehind } = await import('../../contract/by-reference.js');
  const client = await context.client();
  for (const { endpoints, noun, organizationType: type } of await resourcesBehind('organization')) {
    if (endpoints.list === undefined || type === undefined) continue;
    try {
      for await (const page of client.pages(endpoints.list, {}, { signal: context.signal }))
        for (const item of page as readonly unknown[]) {
          const id = asId(getPath(item, 'id'));
          const name = getPath(item, 'name');
          if (id !== undefined) owned.set(id, { id, type, ...(typeof name === 'string' && { name }) });
          else onFailure(`${noun[0]} without an ID`, new EduError('partial', 'its lists cannot be requested'));
        }
    } catch (error) {
      onFailure(`list of ${noun[1]}`, error);
    }
  }
  return [...owned.values()];
}

/** The error for lists that could not be read. */
const incomplete = ([, several]: Resource['noun'], failures: readonly Problem[]): EduError =>
  new EduError(
    'partial',
    `Cannot list all ${several}: ${failures.length === 1 ? 'a list' : `${failures.length} lists`} could not be read.`,
    { details: firstProblems(failures, MAX_NAMED), hint: 'The other lists are complete.' },
  );

const withName = (item: unknown, names: ReadonlyMap<unknown, string>): unknown => {
  const organization = getPath(item, 'organization');
  const name = names.get(asId(getPath(organization, 'id')));
  return isObject(item) && isObject(organization) && name !== undefined
    ? { ...item, organization: { ...organization, name } }
    : item;
};

/**
 * Reads the lists concurrently. Each item is returned once, in the order of the organizations.
 * @param callsOf the calls that read the list of an organization
 * @param isNamed adds the names of the organizations to the items, for people
 * @throws EduError `partial` after the last item if some lists could not be read; other errors at once, or if none could
 */
export async function* readAll(
  { noun, shape: { id = 'id' } }: Pick<Resource, 'noun' | 'shape'>,
  callsOf: (organization: OrganizationReference) => readonly Call[],
  isNamed: boolean,
  context: Context,
): Pages {
  const failures: Problem[] = [];
  let first: unknown;
  let isRead = false;
  const onFailure: OnFailure = (where, error) => {
    if (!isKind(error, ...UNREADABLE, 'server_error', 'partial')) throw error;
    first ??= error;
    failures.push({ where, message: error.message });
  };
  const organizations = await ownedOrganizations(context, onFailure);
  const names = new Map(organizations.flatMap(({ id, name }) => (isNamed && name ? [[id, name] as const] : [])));
  const lists = organizations.flatMap((one) => callsOf(one).map((call) => ({ ...one, ...call })));
  const client = await context.client();
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const pageSize = context.effective().pageSize?.value;
  const onceEach = distinct(id);
  const begin = ({ endpoint, input }: Call) => {
    const pages = client.pages(endpoint, input, { signal, pageSize })[Symbol.asyncIterator]();
    const first = pages.next();
    // Awaited later, when the lists before it are finished.
    first.catch(() => {});
    return { first, pages };
  };
  const begun: ReturnType<typeof begin>[] = [];
  try {
    for (const [index, { type, name, id: organization }] of lists.entries()) {
      begun.push(...lists.slice(begun.length, index + CONCURRENCY).map(begin));
      try {
        const { first, pages } = begun[index] as ReturnType<typeof begin>;
        for (let next = await first; !next.done; next = await pages.next()) {
          const items = onceEach(next.value as readonly unknown[]);
          yield names.size === 0 ? items : items.map((item) => withName(item, names));
        }
        isRead = true;
      } catch (error) {
        onFailure(name === undefined ? `${type} ${organization}` : `${name} (${organization})`, error);
      }
    }
  } finally {
    stop.abort();
  }
  if (failures.length > 0) throw isRead ? incomplete(noun, failures) : first;
}

/** The shape of items of several organizations: the organization stands beside the name. */
export const acrossOrganizations = ({ columns = [], ...shape }: Field): Field => ({
  ...shape,
  columns: columns.map((column) =>
    column.from === 'organization' ? { title: column.title, from: column.from, rank: 1, minWidth: 14 } : column,
  ),
});
