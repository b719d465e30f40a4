/** Derives commands from a resource: list, get, create, update, and actions on items. */
import { type Command, type Flag, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { asOptional, flagsFor, type Overrides } from '../../cli/flags-from-fields.js';
import { ORGANIZATION_FLAGS, organizationBody, organizationFor } from '../../cli/organization-flags.js';
import { listInputs } from '../../contract/list-inputs.js';
import type { Resource } from '../../contract/resource.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { idArgument, itemCommand, listCommand, writeCommand } from './define.js';
import { filled } from './request-body.js';
import type { Described, ItemSpec, ListSpec, Write, WriteSpec } from './spec.js';
import { planUpdate } from './update.js';

/** The texts of a command. Name and summary default to those of the endpoint. */
type Special = Pick<Described, 'examples'> & Partial<Described>;

type SpecialList = Special & Pick<ListSpec, 'filter'>;

function endpointOf({ name, endpoints }: Resource, which: string): Endpoint {
  const endpoint = endpoints[which];
  if (endpoint === undefined) throw new TypeError(`The resource ${name} has no endpoint "${which}".`);
  return endpoint;
}

const summaryOf = ({ description }: Endpoint): string =>
  description.replace("the caller's organization", 'your organization');

const languageOf = ({ query }: Endpoint, context: Context): { readonly query?: { readonly language: string } } =>
  query?.language === undefined ? {} : { query: { language: context.language() } };

export function listOf(resource: Resource, { flags = [], ...special }: SpecialList): Command {
  const endpoint = endpointOf(resource, 'list');
  const byOrganization = endpoint.query?.organization !== undefined;
  return listCommand({
    name: 'list',
    summary: summaryOf(endpoint),
    flags: [...flags, ...(byOrganization ? ORGANIZATION_FLAGS : [])],
    search: resource.search,
    ...special,
    noun: resource.noun[1],
    shape: endpoint.list?.of ?? resource.shape,
    sources: async (values, context) => {
      const known = {
        languages: [context.language()],
        organizations: byOrganization ? [await organizationFor(values, context)] : [],
      };
      return listInputs(endpoint, known).map(({ of, ...input }) => ({ endpoint, input }));
    },
  });
}

const idOf = ({ noun: [noun], refersTo }: Resource) => idArgument(`ID of the ${noun}`, refersTo);

/** Reads one item by ID, with names in the language of the command. */
export const fetchOne = async (resource: Resource, id: string, context: Context): Promise<unknown> => {
  const endpoint = endpointOf(resource, 'get');
  const client = await context.client();
  return client.call(endpoint, { params: { id }, ...languageOf(endpoint, context) }, { signal: context.signal });
};

export function getOf(resource: Resource, special: Special & Pick<ItemSpec, 'named'>): Command {
  const endpoint = endpointOf(resource, 'get');
  return itemCommand({
    name: 'get',
    summary: summaryOf(endpoint),
    arguments: [idOf(resource)],
    ...special,
    shape: endpoint.returns ?? resource.shape,
    fetch: (values, context) => fetchOne(resource, textOf(values, 'id') ?? '', context),
  });
}

interface WriteSpecial extends Special {
  /** Differences between the endpoint's fields and the flags. */
  readonly overrides?: Overrides;
  readonly countable?: true;
  readonly rowKey?: readonly string[];
}

/** For bodies whose organization comes from `ORGANIZATION_FLAGS`. */
export const NO_ORGANIZATION: Overrides = { organization: false, 'organization.id': false, 'organization.type': false };

/** With a flag for each field of the body. */
export function createOf(resource: Resource, { overrides, ...special }: WriteSpecial): Command {
  const endpoint = endpointOf(resource, 'create');
  const { body = {}, returns } = endpoint;
  const hasOrganization = body.organization !== undefined;
  const flags: readonly Flag[] = [
    ...flagsFor('body', body, { ...(hasOrganization ? NO_ORGANIZATION : {}), ...overrides }),
    ...(hasOrganization ? ORGANIZATION_FLAGS : []),
  ];
  const what = (values: Values): string =>
    textOf(values, 'name') === undefined ? resource.noun[0] : `${resource.noun[0]} "${textOf(values, 'name')}"`;
  return writeCommand({
    name: 'create',
    done: 'Created',
    summary: summaryOf(endpoint),
    flags,
    ...(endpoint.key === undefined ? {} : { key: endpoint.key as NonNullable<WriteSpec['key']> }),
    ...special,
    shape: returns ?? resource.shape,
    plan: async (values, context) => {
      const organization = hasOrganization ? await organizationBody(values, context) : {};
      const input = { ...languageOf(endpoint, context), body: { ...filled('body', flags, values), ...organization } };
      return [{ endpoint, input, what: what(values) }];
    },
  });
}

/** Reads the item first to keep fields that are not given, unless the endpoint has only one field. */
export function updateOf(resource: Resource, { overrides, flags: more = [], ...special }: WriteSpecial): Command {
  const endpoint = endpointOf(resource, 'update');
  const { body = {}, returns } = endpoint;
  const isSingle = Object.keys(body).length === 1;
  const all = flagsFor('body', body, overrides);
  const flags = isSingle ? all : asOptional(all);
  return writeCommand({
    name: 'update',
    done: 'Updated',
    summary: summaryOf(endpoint),
    arguments: [idOf(resource)],
    flags: [...flags, ...more],
    ...(isSingle ? {} : { oneAtLeast: true }),
    ...special,
    shape: returns ?? resource.shape,
    plan: async (values, context) => {
      const id = textOf(values, 'id') ?? '';
      const read = () => fetchOne(resource, id, context);
      const sent = isSingle
        ? filled('body', flags, values)
        : (await planUpdate({ flags, endpoint, values, read }, context)).body;
      const input = { params: { id }, ...languageOf(endpoint, context), body: sent };
      return [{ endpoint, input, what: `${resource.noun[0]} ${id}` }];
    },
  });
}

/** A command without a body for several items by ID, such as `delete` and `cancel`. */
export function eachOf(
  resource: Resource,
  which: string,
  { act, ...special }: Special & { readonly done: string; readonly act: string },
): Command {
  const endpoint = endpointOf(resource, which);
  const [noun, nouns] = resource.noun;
  return writeCommand({
    name: which,
    summary: `${summaryOf(endpoint)} Asks for confirmation.`,
    ...(endpoint.destroys === true ? { act } : {}),
    arguments: [{ ...idOf(resource), many: true, description: `IDs of ${nouns}` }],
    ...special,
    shape: endpoint.returns ?? resource.shape,
    plan: async (values) =>
      textsOf(values, 'id').map((id): Write => ({ endpoint, input: { params: { id } }, what: `${noun} ${id}` })),
  });
}
