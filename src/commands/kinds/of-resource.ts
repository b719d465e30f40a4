/** Derives commands from a resource: list, get, create, update, and actions on items. */
import { type Argument, type Command, type Flag, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { asOptional, flagsFor, type Overrides } from '../../cli/flags-from-fields.js';
import { ORGANIZATION_FLAGS, organizationBody, organizationFor } from '../../cli/organization-flags.js';
import { listInputs } from '../../contract/list-inputs.js';
import type { Resource } from '../../contract/resource.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { itemCommand, listCommand, writeCommand } from './define.js';
import { givenUsers } from './references.js';
import { filled, planUpdate } from './request-body.js';
import type { CallInput, Described, ItemSpec, ListSpec, Write, WriteSpec } from './spec.js';

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

/** An argument that names an item, and how its text is resolved to an ID. */
export interface Reference {
  readonly argument: Argument;
  readonly resolve: (given: string, context: Context) => Promise<string>;
}

export const idOf = ({ noun: [noun], refersTo }: Resource): Argument => ({
  name: 'id',
  description: `ID of the ${noun}`,
  ...(refersTo === undefined ? {} : { refersTo }),
});

export const byId = (resource: Resource): Reference => ({ argument: idOf(resource), resolve: async (id) => id });

/** A list that belongs to an item given by ID, such as the classes of a school. */
export const listUnder = (
  owner: Resource,
  resource: Resource,
  endpoint: Endpoint,
  special: Special & Pick<ListSpec, 'filter' | 'name' | 'summary'>,
): Command =>
  listCommand({
    arguments: [idOf(owner)],
    search: resource.search,
    ...special,
    noun: resource.noun[1],
    shape: endpoint.list?.of ?? resource.shape,
    sources: async (values) => [{ endpoint, input: { params: { id: textOf(values, 'id') ?? '' } } }],
  });

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

interface WriteSpecial extends Special, Partial<Pick<WriteSpec, 'countable' | 'rowKey' | 'columns'>> {
  readonly overrides?: Overrides;
}

/** For bodies whose organization comes from `ORGANIZATION_FLAGS`. */
export const NO_ORGANIZATION: Overrides = { organization: false, 'organization.id': false, 'organization.type': false };

/** The new item in messages: `book 9783000000017`, `class "7b"`. */
function newItem({ noun: [noun] }: Resource, { key }: Endpoint, values: Values): string {
  const field = [key ?? '', 'name', 'email'].find((name) => values[name] !== undefined);
  if (field === undefined) return noun;
  return `${noun} ${field === 'name' ? `"${textOf(values, field)}"` : textOf(values, field)}`;
}

/**
 * With a flag for each field of the body.
 * @param special.body further members of the body
 */
export function createOf(
  resource: Resource,
  {
    overrides,
    body: more,
    ...special
  }: WriteSpecial & { readonly body?: (values: Values, context: Context) => CallInput['body'] },
): Command {
  const endpoint = endpointOf(resource, 'create');
  const { body = {}, returns } = endpoint;
  const hasOrganization = body.organization !== undefined;
  const flags: readonly Flag[] = [
    ...flagsFor('body', body, { ...(hasOrganization ? NO_ORGANIZATION : {}), ...overrides }),
    ...(hasOrganization ? ORGANIZATION_FLAGS : []),
  ];
  return writeCommand({
    name: 'create',
    done: 'Created',
    summary: summaryOf(endpoint),
    flags,
    ...(endpoint.key === undefined ? {} : { key: endpoint.key as NonNullable<WriteSpec['key']> }),
    ...special,
    shape: returns ?? resource.shape,
    plan: async (values, context) => {
      const { uploads } = endpoint.encoding === 'multipart' ? await import('./attachment.js') : {};
      const sent = {
        ...filled('body', flags, values),
        ...uploads?.(flags, values, context.path),
        ...(hasOrganization ? await organizationBody(values, context) : {}),
        ...more?.(values, context),
      };
      const input = { ...languageOf(endpoint, context), body: sent };
      return [{ endpoint, input, what: newItem(resource, endpoint, values) }];
    },
  });
}

/**
 * Reads the item first to keep fields that are not given, unless the endpoint has only one field.
 * @param special.warnings warnings about an update, given the item as it was read
 */
export function updateOf(
  resource: Resource,
  {
    overrides,
    flags: more = [],
    warnings,
    ...special
  }: WriteSpecial & { readonly warnings?: (values: Values, present: unknown) => readonly string[] },
): Command {
  const endpoint = endpointOf(resource, 'update');
  const { body = {}, returns } = endpoint;
  const isSingle = Object.keys(body).length === 1;
  const all = flagsFor('body', body, overrides);
  const flags = isSingle ? all : asOptional(all, resource.shape);
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
      const { body: sent, present } = isSingle
        ? { body: filled('body', flags, values), present: undefined }
        : await planUpdate({ flags, endpoint, values, read }, context);
      const input = { params: { id }, ...languageOf(endpoint, context), body: sent };
      return [{ endpoint, input, what: `${resource.noun[0]} ${id}`, warnings: warnings?.(values, present) ?? [] }];
    },
  });
}

/**
 * A command without a body for several items, such as `delete` and `cancel`. All references are resolved before the
 * first is changed.
 * @param reference the argument, and how it is resolved to an ID, if the item can be given otherwise
 */
export function eachOf(
  resource: Resource,
  which: string,
  { act, ...special }: Special & Pick<WriteSpec, 'done' | 'act'> & Partial<Pick<WriteSpec, 'shape'>>,
  { argument, resolve } = byId(resource),
): Command {
  const endpoint = endpointOf(resource, which);
  const [noun, nouns] = resource.noun;
  return writeCommand({
    name: which,
    summary: `${summaryOf(endpoint)} Asks for confirmation.`,
    ...(endpoint.destroys === true && act !== undefined ? { act } : {}),
    arguments: [
      { ...argument, many: true, description: argument.description.replace(`ID of the ${noun}`, `IDs of ${nouns}`) },
    ],
    shape: endpoint.returns ?? resource.shape,
    ...special,
    plan: async (values, context) => {
      const writes: Write[] = [];
      for (const given of textsOf(values, argument.name)) {
        const input = { params: { id: await resolve(given, context) } };
        writes.push({ endpoint, input, what: `${noun} ${given}` });
      }
      return writes;
    },
  });
}

/**
 * A write for each user of the argument `user`, such as an assignment.
 * @param argument the argument that names the other item
 * @param field the field of the body for its ID
 * @param what the write in messages
 */
export const forEachUser =
  (
    endpoint: Endpoint,
    { argument, resolve }: Reference,
    field: string,
    what: (user: string, given: string) => string,
  ): WriteSpec['plan'] =>
  async (values, context) => {
    const given = textOf(values, argument.name) ?? '';
    const id = await resolve(given, context);
    const users = await givenUsers(values, context);
    return users.map((user): Write => {
      return { endpoint, input: { body: { userId: user.id, [field]: id } }, what: what(user.given, given) };
    });
  };
